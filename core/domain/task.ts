// A task's life as pure functions. Every rule about time is here alone; stores only apply these functions.
import {
  GRACE_MS,
  MAX_EXPIRY_MINUTES,
  UNDO_WINDOW_MS,
  type Priority,
  type TaskIntake,
} from '../contract/index.ts';
import { isSnoozed, snoozedTimes, timeRunsFrom } from './snooze.ts';

const MINUTE_MS = 60_000;

/** How long a task that expired stays on disk, unseen, before storage removes it: 10 minutes. */
export const PURGE_DELAY_MS = 10 * MINUTE_MS;

/** A JSON object of the sender's own. */
export type Metadata = Record<string, unknown>;

/** A task as it is stored. Times are milliseconds since the epoch, UTC. */
export interface Task {
  readonly id: string;
  readonly ownerId: string;
  readonly content: string;
  readonly priority: Priority;
  readonly source: string;
  readonly tags: readonly string[];
  readonly metadata: Metadata;
  readonly pinned: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number;
  /** Hidden until then; once it is past, when it came back. Null when it is not snoozed. */
  readonly snoozedUntil: number | null;
  /** 1 when made, one more at each change. */
  readonly version: number;
  readonly dedupeKey: string | null;
  /** How often it was reported under its dedupe key; 1 for most. */
  readonly occurrences: number;
  readonly lastOccurredAt: number;
  /** When it was acknowledged, or null while it is live. */
  readonly acknowledgedAt: number | null;
  /** Whether a repeat after acknowledgement makes a new task, or is suppressed until the time is up. */
  readonly reopens: boolean;
  /** As it was named at the latest delivery through one; null when the task came another way. */
  readonly intake: Readonly<TaskIntake> | null;
}

/** What a sender says of a task, already validated ({@link ./submission.ts}). */
export interface TaskDraft {
  content: string;
  priority: Priority;
  source: string;
  tags: readonly string[];
  metadata: Metadata;
  /** 1..10080. */
  expiryMinutes: number;
  dedupeKey: string | null;
  /** See {@link Task.reopens}; only matters with a dedupe key. */
  reopens: boolean;
  /** Whether a repeat takes the place of what the task says; false when left out. */
  replaces?: boolean;
  /** The intake that it comes through; none when left out. */
  intake?: TaskIntake;
  /** Whether the task is pinned from the start; a repeat pins the one that is there. False when left out. */
  pinned?: boolean;
}

/** A new, live task; `expiresAt = now + expiryMinutes`, exactly. */
export function newTask(from: TaskDraft, id: string, ownerId: string, now: number): Task {
  return {
    id,
    ownerId,
    content: from.content,
    priority: from.priority,
    source: from.source,
    tags: from.tags,
    metadata: from.metadata,
    pinned: from.pinned ?? false,
    createdAt: now,
    updatedAt: now,
    expiresAt: now + from.expiryMinutes * MINUTE_MS,
    snoozedUntil: null,
    version: 1,
    dedupeKey: from.dedupeKey,
    occurrences: 1,
    lastOccurredAt: now,
    acknowledgedAt: null,
    reopens: from.reopens,
    intake: from.intake ?? null,
  };
}

/** Whether a read at `now` may return the task: live, and pinned or not yet at `expiresAt`. */
export function isVisible(task: Task, now: number): boolean {
  return task.acknowledgedAt === null && (task.pinned || now < task.expiresAt);
}

/** Whether the queue lists the task at `now`: visible and not snoozed. */
export function isListed(task: Task, now: number): boolean {
  return isVisible(task, now) && !isSnoozed(task, now);
}

/** Whether its acknowledgement can still be undone at `now`: for 10 minutes, exactly. */
export function isRestorable(task: Task, now: number): boolean {
  return task.acknowledgedAt !== null && now < task.acknowledgedAt + UNDO_WINDOW_MS;
}

/** What `resolveTask` notes in the metadata: when the sender said that it is over, ISO 8601. */
export const RESOLVED_AT = 'resolvedAt';

/**
 * Whether an acknowledged task suppresses its repeats at `now`: its intake does not reopen, a person
 * acknowledged it (not its sender, who resolved it), and its time is not up.
 */
export function suppressesRepeats(task: Task, now: number): boolean {
  return (
    task.acknowledgedAt !== null &&
    !task.reopens &&
    task.dedupeKey !== null &&
    now < task.expiresAt &&
    !Object.hasOwn(task.metadata, RESOLVED_AT)
  );
}

/** When storage may remove the task for good, or null when it may not (pinned). */
export function purgeAt(task: Task): number | null {
  if (task.acknowledgedAt !== null) {
    const undoable = task.acknowledgedAt + UNDO_WINDOW_MS;
    return suppressesRepeats(task, task.acknowledgedAt) ? Math.max(undoable, task.expiresAt) : undoable;
  }
  return task.pinned ? null : task.expiresAt + PURGE_DELAY_MS;
}

/** What an edit may change; what is left out stays. Never `expiresAt`. */
export interface TaskChanges {
  content?: string;
  priority?: Priority;
  tags?: readonly string[];
}

/** The edited task, or null when it is not visible at `now`. */
export function editTask(task: Task, changes: TaskChanges, now: number): Task | null {
  return isVisible(task, now) ? changed(task, changes, now) : null;
}

/**
 * The task pinned or unpinned, or null when it is not visible. Unpinning one whose time is up gives it one
 * more hour. Pinning a pinned one keeps its version.
 */
export function pinTask(task: Task, pinned: boolean, now: number): Task | null {
  if (!isVisible(task, now)) return null;
  if (task.pinned === pinned) return task;
  return changed(task, { pinned, expiresAt: pinned ? task.expiresAt : withGrace(task, now) }, now);
}

/**
 * The task hidden until a time after `now`, or awake (null), or null when it is not visible. What it has left
 * counts from its waking, see {@link snoozedTimes}. The same object when it is so already.
 */
export function snoozeTask(task: Task, until: number | null, now: number): Task | null {
  if (!isVisible(task, now)) return null;
  const times = snoozedTimes(task, until, now);
  return times === null ? task : changed(task, times, now);
}

/** The task acknowledged, hidden from now on, or null when it is not visible. */
export function acknowledgeTask(task: Task, now: number): Task | null {
  return isVisible(task, now) ? changed(task, { acknowledgedAt: now }, now) : null;
}

/** The task live again, or null after 10 minutes. One whose time ran out meanwhile gets one more hour. */
export function restoreTask(task: Task, now: number): Task | null {
  if (!isRestorable(task, now)) return null;
  return changed(
    task,
    { acknowledgedAt: null, expiresAt: task.pinned ? task.expiresAt : withGrace(task, now) },
    now,
  );
}

/**
 * The task with `minutes` (1..10080) more, at most 10080 minutes from now, or from its waking; null when it
 * is not visible. They count from `from`, if given: the end that the caller saw. Then nothing is shortened,
 * and a second time keeps the version.
 */
export function extendTask(task: Task, minutes: number, now: number, from?: number): Task | null {
  if (!isVisible(task, now)) return null;
  const wanted = (from ?? Math.max(task.expiresAt, now)) + minutes * MINUTE_MS;
  const expiresAt = Math.min(wanted, timeRunsFrom(task, now) + MAX_EXPIRY_MINUTES * MINUTE_MS);
  if (from !== undefined && expiresAt <= task.expiresAt) return task;
  return changed(task, { expiresAt }, now);
}

/** What a change of many tasks may set in one of them; what is left out stays. Already validated. */
export interface TaskSettings extends TaskChanges {
  pinned?: boolean;
  /** In milliseconds. */
  expiresAt?: number;
  /** In milliseconds; null wakes it. */
  snoozedUntil?: number | null;
}

/**
 * The task as `wanted`, in one step, or null when it is not visible. One that would be over by `now`, or by
 * its waking, gets one more hour, as when it is unpinned. An end that is wanted is not moved by snoozing. The
 * same object when it is as wanted already.
 */
export function setTask(task: Task, wanted: TaskSettings, now: number): Task | null {
  if (!isVisible(task, now)) return null;
  const { snoozedUntil: until, ...others } = wanted;
  const times = until === undefined ? null : snoozedTimes(task, until, now);
  const next = { ...task, ...times, ...others };
  const expiresAt = next.pinned ? next.expiresAt : withGrace(next, now);
  const isSame =
    next.content === task.content &&
    next.priority === task.priority &&
    next.pinned === task.pinned &&
    expiresAt === task.expiresAt &&
    next.snoozedUntil === task.snoozedUntil &&
    isSameList(next.tags, task.tags);
  return isSame ? task : changed(task, { ...next, expiresAt }, now);
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index]);
}

/** Greater is more urgent. Stores persist these numbers. */
export const PRIORITY_RANK: Record<Priority, number> = { low: 0, normal: 1, high: 2 };

/** The higher of two priorities. */
export function higherPriority(a: Priority, b: Priority): Priority {
  return PRIORITY_RANK[a] >= PRIORITY_RANK[b] ? a : b;
}

/**
 * The task after its dedupe key was reported again: one more occurrence, its time renewed, its priority
 * perhaps raised, its text the same, its pin never undone; a repeat that replaces says all but the pin anew.
 * A snoozed one sleeps on, unless its priority rises. It takes the intake and delivery of the repeat, if that
 * has one. Null when it is not visible: the repeat makes a new task.
 */
export function repeatTask(task: Task, again: TaskDraft, now: number): Task | null {
  if (!isVisible(task, now)) return null;
  const rises = PRIORITY_RANK[again.priority] > PRIORITY_RANK[task.priority];
  const woken = { ...task, ...(rises ? snoozedTimes(task, null, now) : null) };
  const repeated = { ...occurredAgain(woken, again, now), pinned: task.pinned || again.pinned === true };
  if (again.replaces === true) {
    const { content, priority, tags, metadata, reopens } = again;
    return changed(woken, { ...repeated, content, priority, tags, metadata, reopens }, now);
  }
  const { [RESOLVED_AT]: resolvedAt, ...metadata } = task.metadata;
  return changed(
    woken,
    {
      ...repeated,
      priority: higherPriority(task.priority, again.priority),
      reopens: again.reopens,
      // A closed task that a person restored, and that is reported again, is not over after all.
      ...(resolvedAt === undefined ? {} : { metadata }),
    },
    now,
  );
}

/** A task that suppresses repeats, after one: counted, suppressing for longer, still hidden; else null. */
export function suppressRepeat(task: Task, again: TaskDraft, now: number): Task | null {
  return suppressesRepeats(task, now) ? changed(task, occurredAgain(task, again, now), now) : null;
}

/**
 * The task after its sender said that it is over: acknowledged if visible, and no longer suppressing repeats,
 * so that the next report makes a new task. Null when it is neither, or was reported after `now`.
 */
export function resolveTask(task: Task, now: number): Task | null {
  if (task.lastOccurredAt > now) return null;
  const resolved = { metadata: { ...task.metadata, [RESOLVED_AT]: new Date(now).toISOString() } };
  if (isVisible(task, now)) return changed(task, { ...resolved, acknowledgedAt: now }, now);
  return suppressesRepeats(task, now) ? changed(task, resolved, now) : null;
}

function occurredAgain(task: Task, again: TaskDraft, now: number): Partial<Task> {
  return {
    occurrences: task.occurrences + 1,
    // One that was held up on its way must not hide from `resolveTask` what was reported after it.
    lastOccurredAt: Math.max(task.lastOccurredAt, now),
    expiresAt: Math.max(task.expiresAt, timeRunsFrom(task, now) + again.expiryMinutes * MINUTE_MS),
    ...(again.intake === undefined ? {} : { intake: again.intake }),
  };
}

function withGrace(task: Task, now: number): number {
  const from = timeRunsFrom(task, now);
  return task.expiresAt > from ? task.expiresAt : from + GRACE_MS;
}

function changed(task: Task, changes: Partial<Task>, now: number): Task {
  return { ...task, ...changes, updatedAt: Math.max(now, task.updatedAt), version: task.version + 1 };
}
