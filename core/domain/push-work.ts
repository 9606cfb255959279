// The work that makes pushes outlast the process that sends them. Who changes a task pushes at once, and ends
// the work when nothing more is to be done; the work comes due only where that process did not.
import { isPushed, DEFAULT_RULES, type PushRecord } from './push.ts';
import { isSnoozed } from './snooze.ts';
import { isListed, type Task } from './task.ts';
import type { TaskEvent } from './task-event.ts';
import { newWork, type NewWork } from './work.ts';

/** The kind of the work of a push. */
export const PUSH_WORK = 'push';
/** How long the process that pushes has, before another does it; it may ask for more. */
export const PUSH_LEASE_MS = 20_000;

/** What is stored of a push. */
export interface PushPayload {
  readonly taskId: string;
  /** Shows it, or closes it where it is shown. */
  readonly shows: boolean;
  /** It is shown when it wakes then, in milliseconds; null for a new task. */
  readonly wakesAt: number | null;
}

/** Names the work of one push in its lane. */
export type PushWorkId = string;

/** The lane of the pushes of an owner. */
export function pushLane(ownerId: string): string {
  return `push_${ownerId}`;
}

/** Of the push that shows a task: a new one, or one that woke. */
export function showWorkId({ id }: Pick<Task, 'id'>, wakesAt: number | null): PushWorkId {
  return wakesAt === null ? `${id} show` : `${id} wake ${wakesAt}`;
}

/** Of the push that shows a task which a repeat made one that is pushed. */
export function raiseWorkId({ id }: Pick<Task, 'id'>): PushWorkId {
  return `${id} raise`;
}

/** Of the push that closes a task which is over, or snoozed, in this version. */
export function closeWorkId({ id, version }: Pick<Task, 'id' | 'version'>): PushWorkId {
  return `${id} close ${version}`;
}

/**
 * The work of an event for an owner with devices: of tasks that the rules let through, now or later, and the
 * end of those that earlier rules may have. A repeat makes none, but where it raises or wakes a task that was
 * not pushed before.
 */
export function pushWork(push: PushRecord | null, { type, before, task, at }: TaskEvent): NewWork[] {
  if (push === null) return [];
  const rules = push.rules ?? DEFAULT_RULES;
  const isMeant = isPushed(task, rules) || (before !== null && isPushed(before, rules));
  // Other rules may have let it through, and this process may die before it closes it.
  const mayBeShown = isMeant || (before !== null && before.createdAt <= (push.rulesSince ?? 0));
  if (!mayBeShown) return [];
  const work = (id: PushWorkId, payload: PushPayload, due: number) =>
    newPushWork(task.ownerId, id, payload, due);
  const show = (wakesAt: number | null) =>
    work(showWorkId(task, wakesAt), { taskId: task.id, shows: true, wakesAt }, wakesAt ?? at);
  const close = () => work(closeWorkId(task), { taskId: task.id, shows: false, wakesAt: null }, at);
  if (type === 'task.created') return [show(null)];
  if (type === 'task.acknowledged' || type === 'task.expired') return [close()];
  const isRepeat = before !== null && task.occurrences > before.occurrences;
  const wasShown = before !== null && isListed(before, at) && isPushed(before, rules);
  if (isRepeat && isListed(task, at) && isPushed(task, rules) && !wasShown)
    return [work(raiseWorkId(task), { taskId: task.id, shows: true, wakesAt: null }, at)];
  if (!isSnoozed(task, at)) return [];
  const isNew = before?.snoozedUntil !== task.snoozedUntil;
  return [
    ...(before !== null && isListed(before, at) ? [close()] : []),
    ...(isNew && isMeant ? [show(task.snoozedUntil)] : []),
  ];
}

function newPushWork(ownerId: string, id: PushWorkId, payload: PushPayload, at: number): NewWork {
  const about = { id, key: id, kind: PUSH_WORK, ownerId, lane: pushLane(ownerId), sequence: 0 };
  return { ...newWork({ ...about, payload: JSON.stringify(payload) }, at), dueAt: at + PUSH_LEASE_MS };
}
