// What people do with tasks from Slack. A task that is not there is an answer, not a fault; the same press twice changes nothing more.
import type { Task } from '#core/domain/task.ts';
import { QinboxError } from '#core/errors.ts';
import type { SlackDeps } from './deps.ts';
import type { MessagePlace, Person } from './who.ts';

export const DEEDS = ['acknowledge', 'pin', 'unpin', 'undo'] as const;
export type Deed = (typeof DEEDS)[number];

/** Does it in this owner's queue; null when there is no such task. */
export async function doIn(
  { tasks, acting }: SlackDeps,
  ownerId: string,
  deed: Deed,
  id: string,
): Promise<Task | null> {
  acting.add(id);
  try {
    switch (deed) {
      case 'acknowledge':
        return await tasks.acknowledge(ownerId, id);
      case 'undo':
        return await tasks.restore(ownerId, id);
      case 'pin':
      case 'unpin':
        return await tasks.pin(ownerId, id, deed === 'pin');
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
    // A second press: it is as it was asked to be already.
    return deed === 'undo' ? await getTask(tasks, ownerId, id) : null;
  } finally {
    acting.delete(id);
  }
}

/** Does it in the queue of whoever may: the owner of the channel's tasks, or the person's own. */
export async function doFor(
  deps: SlackDeps,
  person: Person,
  channelId: string | null,
  deed: Deed,
  id: string,
): Promise<Task | null> {
  const owners = new Set([
    channelId === null ? null : await deps.memory.ownerOfChannel(channelId),
    await deps.memory.ownerOf(person),
  ]);
  for (const ownerId of owners) {
    const task = ownerId === null ? null : await doIn(deps, ownerId, deed, id);
    if (task !== null) return task;
  }
  return null;
}

/** The live task that a message became for this owner, or null. */
export async function liveTaskOf(
  { memory, tasks }: SlackDeps,
  ownerId: string,
  place: MessagePlace,
): Promise<Task | null> {
  for (const id of await memory.tasksOf(ownerId, place)) {
    const task = await getTask(tasks, ownerId, id);
    if (task !== null) return task;
  }
  return null;
}

async function getTask(tasks: SlackDeps['tasks'], ownerId: string, id: string): Promise<Task | null> {
  return tasks.get(ownerId, id).catch((error: unknown) => {
    if (isNotFound(error)) return null;
    throw error;
  });
}

function isNotFound(error: unknown): boolean {
  return error instanceof QinboxError && error.code === 'NOT_FOUND';
}
