// What was done, so that it can be undone: one step for each action, of however many tasks.
import type { Task } from '#core/contract/index.ts';
import { isAsleep, parseTime } from '../../../lib/time.ts';
import type { Operation, TaskChange, TaskFields } from '../../../lib/outbox/entry.ts';

export interface Step {
  /** The outbox's entry. */
  id: string;
  at: number;
  /** Whose it is. */
  account: string | null;
  /** Takes it back; null when there is nothing left to take back. */
  inverse: (now: Now) => Operation | null;
  /** In words, for the notice: "Pinned 3 items". */
  what: string;
}

/** The tasks as they are now. */
export interface Now {
  /** By the server's clock, in milliseconds. */
  time: number;
  /** A listed task; undefined for one that has left the list, or never was in it. */
  listed: (id: string) => Task | undefined;
  /** The task with all that is known of it since; null when it has left the queue. */
  newest: (task: Task) => Task | null;
  /** The task itself, where it is one that was not created yet. */
  created: (task: Task) => Task;
}

/** Brings acknowledged tasks back; not those that are there. */
export function restoring(tasks: readonly Task[]): Step['inverse'] {
  return ({ listed, created }) => {
    const gone = tasks.map(created).filter(({ id }) => listed(id) === undefined);
    return gone.length === 0 ? null : { kind: 'restore', tasks: gone };
  };
}

/** Gives fields back their former values, where nobody has changed them since; not to tasks that are gone. */
export function reverting(changes: readonly TaskChange[]): Step['inverse'] {
  return ({ time, listed, newest, created }) => {
    const back = changes.flatMap(({ task, to }): TaskChange[] => {
      const before = created(task);
      // One that the filter leaves out now is as it was made to be, as far as is known.
      const now = listed(before.id) ?? newest({ ...before, ...to });
      if (now === null) return [];
      const fields = formerFields(task, to, now, time);
      return Object.keys(fields).length === 0 ? [] : [{ task: now, to: fields }];
    });
    return back.length === 0 ? null : changing(back);
  };
}

/** Acknowledges what was added, unless it is gone. */
export function removing(added: Task): Step['inverse'] {
  return ({ listed, newest }) => {
    const task = listed(added.id) ?? newest(added);
    return task === null ? null : { kind: 'acknowledge', tasks: [task] };
  };
}

/** One operation for all changes. */
export function changing(changes: readonly TaskChange[]): Operation {
  const [only] = changes;
  if (only !== undefined && changes.length === 1) {
    const { pinned, ...others } = only.to;
    if (pinned !== undefined && Object.keys(others).length === 0)
      return { kind: 'pin', task: only.task, pinned };
  }
  return { kind: 'change', changes };
}

/** How far an end may be from the expected one: the server counts from its own clock. */
const SAME_END_MS = 5000;

function formerFields(before: Task, to: TaskFields, now: Task, time: number): TaskFields {
  const former: TaskFields = {};
  if (to.content !== undefined && now.content === to.content && before.content !== to.content)
    former.content = before.content;
  if (to.priority !== undefined && now.priority === to.priority && before.priority !== to.priority)
    former.priority = before.priority;
  if (to.pinned !== undefined && now.pinned === to.pinned && before.pinned !== to.pinned)
    former.pinned = before.pinned;
  if (to.tags !== undefined && sameTags(now.tags, to.tags) && !sameTags(before.tags, to.tags))
    former.tags = [...before.tags];
  if (to.snoozedUntil !== undefined && sameTime(now.snoozedUntil, to.snoozedUntil))
    former.snoozedUntil = isAsleep(before, time) ? before.snoozedUntil : null;
  if (to.expiresAt !== undefined && before.expiresAt !== to.expiresAt && sameEnd(now, to.expiresAt)) {
    // An end that has passed meanwhile cannot be given back.
    if (Date.parse(before.expiresAt) > time) former.expiresAt = before.expiresAt;
  }
  return former;
}

function sameTags(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((tag, index) => tag === b[index]);
}

function sameTime(a: string | null, b: string | null): boolean {
  return parseTime(a) === parseTime(b);
}

function sameEnd({ expiresAt }: Task, wanted: string): boolean {
  return Math.abs(Date.parse(expiresAt) - Date.parse(wanted)) <= SAME_END_MS;
}
