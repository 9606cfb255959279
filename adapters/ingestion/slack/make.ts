// Makes tasks of what people do in Slack: whose they are, once for each thing done, durable before anybody is told.
import { fingerprintOf } from '#core/domain/hash.ts';
import type { ParsedTask } from '#core/domain/delivery.ts';
import { confirmation, shownNew, unlinked } from './blocks.ts';
import type { SlackDeps } from './deps.ts';
import type { Place } from './memory.ts';
import type { Message } from './slack-api.ts';
import { inTime } from './answer.ts';
import { peopleIn, type Names } from './text.ts';
import type { Person } from './who.ts';

/** A pleasantry: a task is not kept waiting for a name. */
const NAMES_WITHIN_MS = 700;

/** Owner of what a person makes in a channel: the channel's, else the person's own; null for nobody. */
export async function ownerFor(
  { memory }: SlackDeps,
  person: Person,
  channelId: string | null,
): Promise<string | null> {
  const ofChannel = channelId === null ? null : await memory.ownerOfChannel(channelId);
  return ofChannel ?? memory.ownerOf(person);
}

/** Names of the people that a text speaks of, as far as Slack tells them quickly. */
export async function namesIn({ api, log }: SlackDeps, teamId: string, ...texts: string[]): Promise<Names> {
  const names = new Map<string, string>();
  const asked = texts.flatMap(peopleIn).map(async (id) => {
    try {
      names.set(id, await api.nameOf(teamId, id));
    } catch (error) {
      log.debug({ why: (error as Error).message }, 'a name could not be had from Slack');
    }
  });
  if (asked.length > 0) await inTime(Promise.all(asked), NAMES_WITHIN_MS);
  return names;
}

/** What a new task is made with. */
export interface Making {
  person: Person;
  channelId: string | null;
  task: ParsedTask;
  /** Of the thing done: the same for a repeat of it. */
  replayKey: string;
}

/** A task that is safe, with what its maker sees. */
export interface Made {
  taskId: string;
  ownerId: string;
  message: Message;
  /** It was made, and confirmed, when the same came before. */
  isRepeat: boolean;
}

/** Makes the task; null when nobody knows whose it would be. Throws what `submit` throws. */
export async function makeTask(deps: SlackDeps, making: Making): Promise<Made | null> {
  const { person, channelId, task, replayKey } = making;
  const ownerId = await ownerFor(deps, person, channelId);
  if (ownerId === null) return null;
  const requestId = requestIdOf(replayKey);
  const submitted = await deps.submit({ ownerId, tasks: [task], replayKey, requestId });
  const taskId = submitted.taskIds[0] ?? '';
  const own = await noteOfChannel(deps, person, ownerId);
  const message = confirmation(shownNew(taskId, task, deps.clock.now()), own);
  return { taskId, ownerId, message, isRepeat: submitted.kind === 'duplicate' };
}

async function noteOfChannel(
  { memory }: SlackDeps,
  person: Person,
  ownerId: string,
): Promise<string | undefined> {
  return (await memory.ownerOf(person)) === ownerId
    ? undefined
    : 'It went to the owner of this channel’s tasks.';
}

/** Remembers where a task was confirmed, after the answer; losing that loses only an update of the confirmation. */
export function rememberPlace(
  { outbox, memory }: SlackDeps,
  taskId: string,
  teamId: string,
  place: Place,
): void {
  outbox.follow('remembering a confirmation', () => memory.confirm(taskId, { teamId, place }));
}

export function askToLink({ settings }: SlackDeps): Message {
  return unlinked(settings.publicUrl);
}

/** Writes a confirmation to a person as a message of its own, where there is nothing to answer through. */
export function confirmByMessage(
  deps: SlackDeps,
  { teamId, userId }: Person,
  message: Message,
  taskId: string,
): void {
  const { outbox, api, memory } = deps;
  outbox.send('a confirmation', async () => {
    const { channelId, ts } = await api.post(teamId, userId, message);
    outbox.follow('remembering a confirmation', () =>
      memory.confirm(taskId, { teamId, place: { kind: 'message', channelId, ts } }),
    );
  });
}

// Tells apart in logs, and gives nothing away: a trigger's id opens forms for a moment.
function requestIdOf(replayKey: string): string {
  return `slack-${fingerprintOf(replayKey).slice(0, 16)}`;
}
