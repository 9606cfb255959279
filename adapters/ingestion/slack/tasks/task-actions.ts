// Actions on tasks from Slack. A missing task is an answer, not a fault; a repeated action changes nothing.
import type { Task } from '#core/domain/task.ts';
import { QinboxError } from '#core/errors.ts';
import type { ListenerDeps } from '../listeners/listener.ts';
import type { MessagePlace, Person } from '../payloads.ts';

export const TASK_ACTIONS = ['acknowledge', 'pin', 'unpin', 'undo'] as const;
export type TaskAction = (typeof TASK_ACTIONS)[number];

/** Carries the action out in this owner's queue; null when there is no such task. */
export async function actOnTask(
  { tasks, acting }: ListenerDeps,
  ownerId: string,
  action: TaskAction,
  id: string,
): Promise<Task | null> {
  acting.add(id);
  try {
    switch (action) {
      case 'acknowledge':
        return await tasks.acknowledge(ownerId, id);
      case 'undo':
        return await tasks.restore(ownerId, id);
      case 'pin':
      case 'unpin':
        return await tasks.pin(ownerId, id, action === 'pin');
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
    // A second press: the task is restored already.
    return action === 'undo' ? await getTask(tasks, ownerId, id) : null;
  } finally {
    acting.delete(id);
  }
}

/** Carries the action out in the queue of the channel's owner or, failing that, in the person's own. */
export async function actOnTaskFor(
  deps: ListenerDeps,
  person: Person,
  channelId: string | null,
  action: TaskAction,
  id: string,
): Promise<Task | null> {
  for (const ownerId of await ownersFor(deps, person, channelId)) {
    const task = await actOnTask(deps, ownerId, action, id);
    if (task !== null) return task;
  }
  return null;
}

/** In whose queues a task may be: the channel's owner, then the person's own. */
export async function ownersFor(
  { records }: ListenerDeps,
  person: Person,
  channelId: string | null,
): Promise<string[]> {
  const ofChannel = channelId === null ? null : await records.ownerOfChannel(channelId);
  return [...new Set([ofChannel, await records.ownerOf(person)])].filter((id) => id !== null);
}

/** The live task that a message became for this owner, or null. */
export async function liveTaskOf(
  { records, tasks }: ListenerDeps,
  ownerId: string,
  place: MessagePlace,
): Promise<Task | null> {
  for (const id of await records.tasksOf(ownerId, place)) {
    const task = await getTask(tasks, ownerId, id);
    if (task !== null) return task;
  }
  return null;
}

async function getTask(tasks: ListenerDeps['tasks'], ownerId: string, id: string): Promise<Task | null> {
  return tasks.get(ownerId, id).catch((error: unknown) => {
    if (isNotFound(error)) return null;
    throw error;
  });
}

function isNotFound(error: unknown): boolean {
  return error instanceof QinboxError && error.code === 'NOT_FOUND';
}
