// Makes a task of an action in Slack: once for each action, and durable before anybody is told.
import { fingerprintOf } from '#core/domain/hash.ts';
import type { ParsedTask } from '#core/domain/delivery.ts';
import { confirmation, shownNew, unlinked } from '../views/blocks.ts';
import type { ListenerDeps } from '../listeners/listener.ts';
import { placeOfUrl } from '../records/records.ts';
import type { Message } from '../web-api/slack-api.ts';
import { withTimeLimit } from '#core/time-limit.ts';
import type { Names } from './text.ts';
import type { Person } from '../payloads.ts';

/** A task does not wait longer for names. */
const NAMES_WITHIN_MS = 700;

/** Owner of what a person makes in a channel: the channel's, else the person's own; null for nobody. */
export async function ownerFor(
  { records }: ListenerDeps,
  person: Person,
  channelId: string | null,
): Promise<string | null> {
  const ofChannel = channelId === null ? null : await records.ownerOfChannel(channelId);
  return ofChannel ?? records.ownerOf(person);
}

/** Names of people, as far as Slack answers quickly. */
export async function namesOf(
  { api, log }: ListenerDeps,
  teamId: string,
  people: readonly string[],
): Promise<Names> {
  const names = new Map<string, string>();
  const asked = people.map(async (id) => {
    try {
      names.set(id, await api.nameOf(teamId, id));
    } catch (error) {
      log.debug({ why: (error as Error).message }, 'Slack did not answer with a name');
    }
  });
  if (asked.length > 0) await withTimeLimit(NAMES_WITHIN_MS, Promise.all(asked), () => null);
  return names;
}

export interface NewTask {
  person: Person;
  channelId: string | null;
  task: ParsedTask;
  /** The same for a repeat of the action. */
  replayKey: string;
}

/** A durable task, with the confirmation for the person. */
export interface CreatedTask {
  taskId: string;
  ownerId: string;
  message: Message;
  /** The same request came before, and was confirmed then. */
  isRepeat: boolean;
}

/** Null when the person is not linked to an owner. Throws what `submit` throws. */
export async function createTask(deps: ListenerDeps, newTask: NewTask): Promise<CreatedTask | null> {
  const { person, channelId, task, replayKey } = newTask;
  const ownerId = await ownerFor(deps, person, channelId);
  if (ownerId === null) return null;
  const requestId = requestIdOf(replayKey);
  const submitted = await deps.submit({ ownerId, tasks: [task], replayKey, requestId });
  const taskId = submitted.taskIds[0] ?? '';
  const isOwn = (await deps.records.ownerOf(person)) === ownerId;
  const note = isOwn ? undefined : 'It went to the owner of this channel’s tasks.';
  const message = confirmation(shownNew(taskId, task, deps.clock.now()), note);
  return { taskId, ownerId, message, isRepeat: submitted.kind === 'duplicate' };
}

/** Stores through which URL a task was confirmed. If it fails, the confirmation is not updated later. */
export function storeConfirmation(
  { clock, outbox, records }: ListenerDeps,
  taskId: string,
  teamId: string,
  url: string,
): void {
  const place = placeOfUrl(url, clock.now());
  outbox.follow('storing a confirmation', () => records.confirm(taskId, { teamId, place }));
}

export function askToLink({ settings }: ListenerDeps): Message {
  return unlinked(settings.publicUrl);
}

/** Sends the confirmation as a direct message, where there is no `response_url`. */
export function confirmByMessage(
  deps: ListenerDeps,
  { teamId, userId }: Person,
  message: Message,
  taskId: string,
): void {
  const { outbox, api, records } = deps;
  outbox.send('a confirmation', async () => {
    const { channelId, ts } = await api.post(teamId, userId, message);
    outbox.follow('storing a confirmation', () =>
      records.confirm(taskId, { teamId, place: { kind: 'message', channelId, ts } }),
    );
  });
}

// A fingerprint, because the id of a trigger is a credential: it opens forms for a moment.
function requestIdOf(replayKey: string): string {
  return `slack-${fingerprintOf(replayKey).slice(0, 16)}`;
}
