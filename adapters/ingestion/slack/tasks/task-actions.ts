// Actions on tasks from Slack. A missing task is an answer, not a fault; a repeated action changes nothing.
import { MAX_EXPIRY_MINUTES } from '#core/contract/index.ts';
import type { Task } from '#core/domain/task.ts';
import { QinboxError } from '#core/errors.ts';
import type { ListenerDeps } from '../listeners/listener.ts';
import type { ButtonPress, MessagePlace, Person } from '../payloads.ts';

const TASK_ACTIONS = ['acknowledge', 'pin', 'unpin', 'undo', 'snooze', 'wake'] as const;

/** What is done to which task. */
export interface TaskAction {
  name: (typeof TASK_ACTIONS)[number];
  id: string;
  /** For how long it is snoozed. */
  minutes?: number;
}

/** What a press of a button or a choice in a menu is to do; null when it is none of these. */
export function actionOf({
  action_id,
  value,
  selected_option,
}: ButtonPress['actions'][number]): TaskAction | null {
  const name = TASK_ACTIONS.find((each) => each === action_id.split('.')[1]);
  if (name === undefined) return null;
  if (name !== 'snooze') return { name, id: value ?? '' };
  const [minutes, id = ''] = (selected_option?.value ?? '').split(' ');
  const length = Number(minutes);
  return length >= 1 && length <= MAX_EXPIRY_MINUTES ? { name, id, minutes: length } : null;
}

/** Carries the action out in this owner's queue; null when there is no such task. */
export async function actOnTask(
  { tasks, clock }: ListenerDeps,
  ownerId: string,
  { name, id, minutes = 0 }: TaskAction,
): Promise<Task | null> {
  try {
    switch (name) {
      case 'acknowledge':
        return await tasks.acknowledge(ownerId, id);
      case 'undo':
        return await tasks.restore(ownerId, id);
      case 'pin':
      case 'unpin':
        return await tasks.pin(ownerId, id, name === 'pin');
      case 'snooze':
        return await tasks.snooze(ownerId, id, clock.now() + minutes * 60_000);
      case 'wake':
        return await tasks.snooze(ownerId, id, null);
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
    // A second press: the task is restored already.
    return name === 'undo' ? await getTask(tasks, ownerId, id) : null;
  }
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
