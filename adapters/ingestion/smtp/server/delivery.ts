// Checks the sender of a message, reads it, and lets every intake it is for ingest it. 250 is answered only
// when each has it on disk. When one has not, the answer is temporary: the retry is a repeat for the others.
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import type { IntakeService, IntakeWithSecrets, RefusalFacts } from '#core/ports/adapter/intake.ts';
import type { Log } from '#core/ports/log.ts';
import type { Mail, MailReader } from '../parse/mail.ts';
import { replayKeyOf, toDelivery } from '../parse/to-delivery.ts';
import {
  judge,
  NOT_CHECKED,
  shownVerdicts,
  type Verdicts,
  type VerdictSource,
} from '../sender-checks/verdicts.ts';
import { mustBeProven, senderRulesOf } from '../settings.ts';
import { storedMail } from '../stored-mail.ts';
import { notAuthorized, REPLIES, replyOf, type Reply } from './reply.ts';

const MAX_NOTE_CHARS = 320;

/** A message with its envelope. */
export interface Message {
  raw: Buffer;
  /** Empty for a bounce. */
  sender: string;
  /** IP address of the client. */
  clientAddress: string;
  /** Whether that is an address of our own network. */
  isLocal: boolean;
  helo: string;
  /** Intakes of the recipients, each once, at least one. All have the same rules for senders. */
  intakes: readonly IntakeWithSecrets[];
  /** Id of the intake whose token the client gave as its password, or null. */
  signedInFor: string | null;
  requestId: string;
}

export interface DeliveryParts {
  intakeService: IntakeService;
  reader: MailReader;
  verdicts: VerdictSource;
  smtpDomain: string;
  log: Log;
}

type Notes = Readonly<Record<string, string>>;

/** Makes the function that delivers; it never rejects. */
export function createDelivery(parts: DeliveryParts): (message: Message) => Promise<Reply> {
  const { intakeService, reader, verdicts, smtpDomain, log } = parts;

  /** Null for a local client, whose verdicts say nothing unless an intake asks for proof. */
  async function check(message: Message): Promise<Verdicts | null> {
    const { raw, clientAddress, isLocal, helo, sender } = message;
    if (isLocal && needingProof(message).length === 0) return null;
    return verdicts.check({ raw, ip: isLocal ? null : clientAddress, helo, sender });
  }

  function refuseAll({ intakes }: Message, reason: string, notes: Notes, facts: RefusalFacts = {}): void {
    for (const intake of intakes) intakeService.refuse(intake, reason, { notes, ...facts });
  }

  function refusalOf(message: Message, found: Verdicts | null, notes: Notes): Reply | null {
    if (found === null) return null;
    const rules = needingProof(message).map(senderRulesOf);
    const judgements = rules.map((each) => judge(each, found, message.sender));
    if (judgements.includes('unproven')) {
      const facts = { unprovenFrom: message.clientAddress };
      refuseAll(message, 'The sender is not proven, which this intake asks for.', notes, facts);
      return REPLIES.notProven;
    }
    return judgements.includes('unsure') ? REPLIES.unproven : null;
  }

  /** Counts the message for intakes that asked for proof; the others counted it when they were named. */
  async function authorizeProven(message: Message): Promise<Reply | null> {
    try {
      for (const intake of needingProof(message)) await intakeService.authorize(intake, message.requestId);
      return null;
    } catch (fault) {
      return notAuthorized(fault);
    }
  }

  async function ingest(
    { raw, requestId, intakes }: Message,
    mail: Mail,
    parsed: ParsedDelivery,
    notes: Notes,
  ): Promise<Reply> {
    const request = storedMail(raw, smtpDomain);
    const replayKey = replayKeyOf(mail, raw);
    const results = await Promise.allSettled(
      intakes.map((intake) => intakeService.ingest({ intake, parsed, replayKey, request, notes, requestId })),
    );
    const faults = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    for (const fault of faults) log.warn({ err: fault, requestId }, 'a mail could not be taken in');
    const replies = faults.map(replyOf).filter(({ code }) => code >= 400);
    // Temporary first: after the retry, a repeat for those that have it, only the permanent answer is left.
    const reply = replies.find(({ code }) => code < 500) ?? replies[0];
    return reply ?? { code: 250, text: `2.6.0 Taken in as ${requestId}` };
  }

  return async (message) => {
    try {
      const [found, read] = await Promise.all([
        check(message),
        reader.read(message.raw, { nullSender: message.sender === '' }),
      ]);
      const notes = notesOf(message, found);
      const refusal = refusalOf(message, found, notes) ?? (await authorizeProven(message));
      if (refusal !== null) return refusal;
      if (read.kind === 'refused') {
        refuseAll(message, read.reason, notes);
        return REPLIES.unreadable;
      }
      const verdict = shownOf(message, found) ?? NOT_CHECKED;
      const parsed = withVerdicts(toDelivery(read.mail, smtpDomain), verdict);
      return await ingest(message, read.mail, parsed, notes);
    } catch (fault) {
      log.error({ err: fault, requestId: message.requestId }, 'a mail could not be taken in');
      return replyOf(fault);
    }
  };
}

/** The intakes of a message that ask for proof of its sender. */
function needingProof({ intakes, signedInFor }: Message): IntakeWithSecrets[] {
  return intakes.filter((intake) => mustBeProven(intake, signedInFor));
}

function shownOf({ isLocal }: Message, found: Verdicts | null): Record<string, string> | null {
  if (found === null) return null;
  return isLocal ? { ...shownVerdicts(found), spf: NOT_CHECKED } : shownVerdicts(found);
}

function notesOf(message: Message, found: Verdicts | null): Record<string, string> {
  const { sender, clientAddress, helo } = message;
  return {
    sender: sender === '' ? '<>' : sender.slice(0, MAX_NOTE_CHARS),
    client: helo === '' ? clientAddress : `${clientAddress} (${helo})`,
    ...(shownOf(message, found) ?? { checks: NOT_CHECKED }),
  };
}

function withVerdicts(parsed: ParsedDelivery, verdicts: string | Record<string, string>): ParsedDelivery {
  const tasks = parsed.tasks.map((task) => ({ ...task, metadata: { ...task.metadata, verdicts } }));
  return { ...parsed, tasks };
}
