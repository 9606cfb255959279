// What every listener is given, and the two ways in which all of them answer: in time, and never with a crash.
import { QinboxError } from '#core/errors.ts';
import type { AdapterContext } from '#core/ports/adapter/context.ts';
import { inTime } from './answer.ts';
import { DISABLED, FAILED, LATE, saying } from './blocks.ts';
import type { Memory } from './memory.ts';
import type { Outbox } from './outbox.ts';
import type { SlackConfig } from './settings.ts';
import type { Message, SlackApi } from './slack-api.ts';

export interface SlackDeps extends Pick<
  AdapterContext,
  'submit' | 'tasks' | 'clock' | 'log' | 'settings' | 'encryption' | 'watch'
> {
  config: SlackConfig;
  memory: Memory;
  outbox: Outbox;
  api: SlackApi;
  /** How long somebody may wait for an answer. */
  answerWithinMs: number;
  /** Tasks that a button here is changing right now; whoever hears of the change need not show it. */
  acting: Set<string>;
}

/** Bolt's `ack` differs by kind; what is given here fits each. */
export type AnyAck = (response?: object) => Promise<void>;

export function anyAck(ack: unknown): AnyAck {
  return ack as AnyAck;
}

/** Runs the work; what it throws becomes a sentence and a line in the log. */
function kindly({ log }: SlackDeps, work: () => Promise<Message | null>): Promise<Message | null> {
  return work().catch((error: unknown) => {
    if (error instanceof QinboxError && error.code === 'FORBIDDEN') return DISABLED;
    if (error instanceof QinboxError && error.code === 'QUOTA_EXCEEDED') return saying(error.message);
    log.warn({ err: error }, 'what somebody did in Slack could not be done');
    return FAILED;
  });
}

/** Answers a command with the message itself, or, when that takes too long, says so and lets the message follow. */
export async function answer(
  deps: SlackDeps,
  ack: AnyAck,
  responseUrl: string,
  work: () => Promise<Message | null>,
): Promise<void> {
  const running = kindly(deps, work);
  const ended = await inTime(running, deps.answerWithinMs);
  if (ended !== null)
    return ack(ended.value === null ? undefined : { response_type: 'ephemeral', ...ended.value });
  await ack({ response_type: 'ephemeral', ...LATE });
  deps.outbox.follow('a late answer', async () => {
    const message = await running;
    if (message !== null) reply(deps, responseUrl, message);
  });
}

/** Acknowledges as soon as the work is done, or in time, and sends the message afterwards. */
export async function answerThrough(
  deps: SlackDeps,
  ack: AnyAck,
  work: () => Promise<Message | null>,
  send: (message: Message) => void,
): Promise<void> {
  const running = kindly(deps, work);
  const ended = await inTime(running, deps.answerWithinMs);
  await ack();
  if (ended !== null) {
    if (ended.value !== null) send(ended.value);
  } else
    deps.outbox.follow('a late answer', async () => {
      const message = await running;
      if (message !== null) send(message);
    });
}

/** Says something to one person through a `response_url`. */
export function reply({ outbox, api }: SlackDeps, url: string, message: Message): void {
  outbox.send('an answer', () => api.respond(url, { response_type: 'ephemeral', ...message }));
}

/** Puts something in the place of the message that the `response_url` belongs to. */
export function replace({ outbox, api }: SlackDeps, url: string, message: Message): void {
  outbox.send('an update', () => api.respond(url, { replace_original: true, ...message }));
}
