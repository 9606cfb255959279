// The dependencies of listeners, and the ways in which they answer: in time, and never with a crash.
import type { types } from '@slack/bolt';
import { QinboxError } from '#core/errors.ts';
import type { AdapterContext } from '#core/ports/adapter/context.ts';
import { withTimeLimit } from '#core/time-limit.ts';
import { DISABLED, FAILED, LATE, saying } from '../views/blocks.ts';
import type { SlackRecords } from '../records/records.ts';
import type { Outbox } from '../web-api/outbox.ts';
import type { SlackConfig } from '../settings.ts';
import type { Message, SlackApi } from '../web-api/slack-api.ts';
import type { Person } from '../payloads.ts';
import { notice } from '../views/views.ts';

export interface ListenerDeps extends Pick<
  AdapterContext,
  'submit' | 'tasks' | 'clock' | 'log' | 'settings' | 'encryption' | 'watch'
> {
  config: SlackConfig;
  records: SlackRecords;
  outbox: Outbox;
  api: SlackApi;
  /** Longest time until an answer. */
  answerWithinMs: number;
  /**
   * Tasks that a button is changing, with the place of its message: the answer shows the change there, so
   * that task-updates.ts does not.
   */
  acting: Map<string, string>;
}

/** Bolt's `ack` differs by kind of request; this type fits all. */
export type AnyAck = (response?: object) => Promise<void>;

export const anyAck = (ack: unknown) => ack as AnyAck;

type Work = () => Promise<Message | null>;

/** What a person is told of a fault that another try does not change; null for any other. */
export function refusalOf(error: unknown): Message | null {
  if (!(error instanceof QinboxError)) return null;
  if (error.code === 'FORBIDDEN') return DISABLED;
  return error.code === 'QUOTA_EXCEEDED' ? saying(error.message) : null;
}

/** What a person is told of a fault; one that may pass is logged as well. */
export function faultMessage({ log }: ListenerDeps, error: unknown): Message {
  const refusal = refusalOf(error);
  if (refusal !== null) return refusal;
  log.warn({ err: error }, 'an action in Slack could not be done');
  return FAILED;
}

/** The work's message; a fault becomes one as well. */
function withErrors(deps: ListenerDeps, work: Work): Promise<Message | null> {
  return work().catch((error: unknown) => faultMessage(deps, error));
}

/** Answers a command with its message or, when that takes too long, says so and sends the message later. */
export async function answer(
  deps: ListenerDeps,
  ack: AnyAck,
  responseUrl: string,
  work: Work,
): Promise<void> {
  const running = withErrors(deps, work);
  const message = await withTimeLimit(deps.answerWithinMs, running, () => 'late' as const);
  if (message !== 'late')
    return ack(message === null ? undefined : { response_type: 'ephemeral', ...message });
  await ack({ response_type: 'ephemeral', ...LATE });
  sendLater(deps, running, (late) => reply(deps, responseUrl, late));
}

/**
 * Acknowledges when the work is done, or when Slack must be answered, and sends the message afterwards, which
 * may be about a fault.
 */
export async function answerThrough(
  deps: ListenerDeps,
  ack: AnyAck,
  work: Work,
  send: (message: Message) => void,
): Promise<void> {
  const running = withErrors(deps, work);
  const message = await withTimeLimit(deps.answerWithinMs, running, () => 'late' as const);
  await ack();
  if (message === 'late') sendLater(deps, running, send);
  else if (message !== null) send(message);
}

function sendLater(
  { outbox }: ListenerDeps,
  running: Promise<Message | null>,
  send: (message: Message) => void,
): void {
  outbox.follow('a late answer', async () => {
    const message = await running;
    if (message !== null) send(message);
  });
}

/** Sends a message to one person through a `response_url`; what is there stays. */
export function reply({ outbox, api }: ListenerDeps, url: string, message: Message): void {
  outbox.send('an answer', () =>
    api.respond(url, { response_type: 'ephemeral', replace_original: false, ...message }),
  );
}

/** Opens a dialog; where that fails, as it does too late, the person gets a direct message instead. */
export function openDialog(
  { outbox, api }: ListenerDeps,
  { teamId, userId }: Person,
  triggerId: string,
  { what, view, otherwise }: { what: string; view: types.ModalView; otherwise: Message },
): void {
  outbox.send(what, () => api.openView(teamId, triggerId, view), {
    attempts: 1,
    otherwise: () => outbox.send('a notice', async () => void (await api.post(teamId, userId, otherwise))),
  });
}

/** Shows a message in a dialog, or as a direct message where it is too late for a dialog. */
export function showNotice(deps: ListenerDeps, person: Person, triggerId: string, message: Message): void {
  openDialog(deps, person, triggerId, { what: 'a notice', view: notice(message), otherwise: message });
}

/** Replaces the message that the `response_url` belongs to. */
export function replace({ outbox, api }: ListenerDeps, url: string, message: Message): void {
  outbox.send('an update', () => api.respond(url, { replace_original: true, ...message }));
}
