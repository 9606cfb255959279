// Operations without an answer, as the list shows them.
import type { CreateTask, Task } from '#core/contract/index.ts';
import { DEFAULT_EXPIRY_MINUTES } from '#core/contract/limits.ts';
import { tasksOf, placeholderId, type Entry } from '../../../lib/outbox/entry.ts';
import type { OutboxSnapshot } from '../../../lib/outbox/types.ts';
import { isWaiting } from '../../../lib/outbox/rules.ts';

const MINUTE_MS = 60_000;

export type Pending =
  | { kind: 'acknowledge'; id: string; task: Task }
  | { kind: 'change'; id: string; change: Partial<Task> }
  | { kind: 'restore'; id: string; task: Task }
  /** `sentBefore`: the server may have made the task already, under an id of its own. */
  | { kind: 'create'; id: string; task: Task; sentBefore: boolean };

/**
 * In the order of the entries, without those that were refused or are too old. A new task shows only when it
 * has to wait: otherwise the server answers in a moment.
 */
export function pendingOf({ entries, blocked }: OutboxSnapshot, now: number): readonly Pending[] {
  return entries.flatMap((entry) => {
    if (!isWaiting(entry, now) || (entry.operation.kind === 'create' && blocked === null)) return [];
    return pendingOfEntry(entry);
  });
}

/** The task with what was done to it and is not answered yet; null when it was acknowledged. */
export function withPending(task: Task | null, pending: readonly Pending[], id: string): Task | null {
  return pending.reduce<Task | null>((before, each) => {
    if (each.id !== id) return before;
    if (each.kind === 'acknowledge') return null;
    if (each.kind === 'change') return before && { ...before, ...each.change };
    return before ?? each.task;
  }, task);
}

/** The tasks that something waits for. None while it is simply on its way. */
export function delayedIds({ entries, blocked }: OutboxSnapshot, now: number): ReadonlySet<string> {
  if (blocked === null) return new Set();
  return new Set(
    entries.flatMap((entry) => {
      if (!isWaiting(entry, now)) return [];
      return entry.operation.kind === 'create'
        ? [placeholderId(entry.id)]
        : tasksOf(entry.operation).map(({ id }) => id);
    }),
  );
}

function pendingOfEntry({ id, at, operation, attempts }: Entry): Pending[] {
  switch (operation.kind) {
    case 'acknowledge':
      return operation.tasks.map((task) => ({ kind: 'acknowledge', id: task.id, task }));
    case 'restore':
      return operation.tasks.map((task) => ({ kind: 'restore', id: task.id, task }));
    case 'pin':
      return [{ kind: 'change', id: operation.task.id, change: { pinned: operation.pinned } }];
    case 'extend': {
      const end = Date.parse(operation.from) + operation.minutes * MINUTE_MS;
      return [{ kind: 'change', id: operation.task.id, change: { expiresAt: new Date(end).toISOString() } }];
    }
    case 'edit':
      return [{ kind: 'change', id: operation.task.id, change: operation.changes }];
    case 'change':
      return operation.changes.map(({ task, to }) => ({ kind: 'change', id: task.id, change: to }));
    case 'create': {
      const task = expectedTask(placeholderId(id), operation.input, at);
      return [{ kind: 'create', id: task.id, task, sentBefore: attempts > 0 }];
    }
  }
}

/** The task as the server will most likely make it. */
function expectedTask(id: string, input: CreateTask, at: number): Task {
  const createdAt = new Date(at).toISOString();
  const minutes = input.expiryMinutes ?? DEFAULT_EXPIRY_MINUTES;
  return {
    id,
    content: input.content,
    priority: input.priority ?? 'normal',
    source: input.source ?? 'web',
    tags: input.tags ?? [],
    metadata: input.metadata ?? {},
    createdAt,
    updatedAt: createdAt,
    lastOccurredAt: createdAt,
    expiresAt: new Date(at + minutes * MINUTE_MS).toISOString(),
    snoozedUntil: null,
    pinned: input.pinned ?? false,
    version: 0,
    occurrences: 1,
  };
}
