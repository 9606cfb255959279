// Answers: a code of RFC 5321 and a text with an enhanced status code of RFC 3463. After a 4xx the sender
// tries again, after a 5xx it reports the failure.
import { ERROR_TABLE, QinboxError } from '#core/errors.ts';

/** One answer. `text` begins with its enhanced status code and repeats nothing that the client sent. */
export interface Reply {
  code: number;
  text: string;
}

/** A negative answer in the shape smtp-server expects. */
export class Refusal extends Error {
  readonly responseCode: number;
  constructor({ code, text }: Reply) {
    super(text);
    this.name = 'Refusal';
    this.responseCode = code;
  }
}

export const REPLIES = {
  unknownRecipient: { code: 550, text: '5.1.1 There is no inbox at this address' },
  foreignRecipient: { code: 550, text: '5.7.1 Mail is not relayed to other domains' },
  senderNotAllowed: { code: 550, text: '5.7.1 This sender may not write to this address' },
  paused: { code: 450, text: '4.2.1 This address is paused by its owner; try again later' },
  ownMessage: {
    code: 452,
    text: '4.5.3 This address takes no other recipients beside it; send it a copy of its own',
  },
  tooFast: { code: 451, text: '4.7.1 Too much mail from your address; try again in a minute' },
  tooManyConnections: { code: 421, text: '4.7.0 Too many connections from your address; try again later' },
  evicted: {
    code: 421,
    text: '4.7.0 Others need the connection that you do not use; come again any time',
  },
  idle: { code: 421, text: '4.4.2 Nothing was said for too long; connect again when there is mail' },
  tooManyErrors: { code: 421, text: '4.7.0 Too many errors; closing the connection' },
  stopping: { code: 421, text: '4.3.2 The server is stopping; try again shortly' },
  noMemory: { code: 451, text: '4.3.1 Too much mail is under way; try again shortly' },
  tooSlow: { code: 421, text: '4.4.2 The message took too long to arrive; try again' },
  badPassword: { code: 535, text: '5.7.8 The password must be the token of a mail intake' },
  authUnavailable: { code: 454, text: '4.7.0 The password cannot be checked right now; try again shortly' },
  notProven: {
    code: 550,
    text: '5.7.26 This address takes only mail whose sender is proven, and this one is not',
  },
  unproven: { code: 451, text: '4.4.3 The sender cannot be checked right now; try again shortly' },
  unreadable: { code: 554, text: '5.6.0 The message cannot be read' },
  full: { code: 452, text: '4.2.2 The inbox at this address is full; try again later' },
  fault: { code: 451, text: '4.3.0 The message cannot be taken in right now; try again shortly' },
} as const satisfies Record<string, Reply>;

/** The answer to a message over a rate limit, with the text of the limit. */
export function notAuthorized(fault: unknown): Reply {
  const isBusy = fault instanceof QinboxError && fault.code === 'SERVICE_UNAVAILABLE';
  return isBusy ? { code: 451, text: `4.7.1 ${fault.message}` } : replyOf(fault);
}

/** The answer to a fault by the table of errors; any other fault is temporary. */
export function replyOf(fault: unknown): Reply {
  const code = fault instanceof QinboxError ? ERROR_TABLE[fault.code].smtp : REPLIES.fault.code;
  if (code === 452) return REPLIES.full;
  if (code === 552) return { code, text: '5.3.4 The message is too large' };
  return code < 500 ? REPLIES.fault : { code, text: '5.6.0 The message cannot be taken in' };
}
