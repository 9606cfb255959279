// An operation on the queue that the server has not answered yet, as plain data that a browser can store.
import type { ChangeTask, CreateTask, EditTask, Task } from '#core/contract/index.ts';
import type { Problem } from '../api/api-error.ts';

export type Operation =
  | { kind: 'acknowledge'; tasks: readonly Task[] }
  | { kind: 'restore'; tasks: readonly Task[] }
  | { kind: 'pin'; task: Task; pinned: boolean }
  /** `from` is the end that was shown, so that sending it twice adds the minutes once. */
  | { kind: 'extend'; task: Task; minutes: number; from: string }
  | { kind: 'edit'; task: Task; changes: EditTask }
  /** Of several tasks, each as it says. */
  | { kind: 'change'; changes: readonly TaskChange[] }
  | { kind: 'create'; input: CreateTask };

/** A task as it was, and what its fields are to be. */
export interface TaskChange {
  task: Task;
  to: TaskFields;
}

export type TaskFields = Omit<ChangeTask, 'id'>;

export interface Entry {
  /** Made with the entry; the Idempotency-Key of a creation. */
  readonly id: string;
  /** Its account ({@link ../session/account.ts}): it is never shown to, nor sent for, another one. */
  readonly owner: string;
  /** When it was added, in milliseconds since the epoch. */
  readonly at: number;
  readonly operation: Operation;
  /** Attempts to send it. From the first one on the server may know of it. */
  readonly attempts: number;
  /** When the person decided to send it although it is old; null if never. */
  readonly confirmedAt: number | null;
  /** Why it will not be sent any more; stored until the person has seen it. */
  readonly refusal: Problem | null;
}

/** The id of a task that is not created yet. */
export function placeholderId(entryId: string): string {
  return `waiting_${entryId}`;
}

export function tasksOf(operation: Operation): readonly Task[] {
  if (operation.kind === 'create') return [];
  if (operation.kind === 'change') return operation.changes.map(({ task }) => task);
  return 'tasks' in operation ? operation.tasks : [operation.task];
}

/** The operation with the task `after` in place of the one with this id. */
export function retarget(operation: Operation, id: string, after: Task): Operation {
  return mapTasks(operation, (task) => (task.id === id ? after : task));
}

/** The entry as it is stored: of a task's metadata only what its row shows. */
export function trimmed(entry: Entry): Entry {
  return { ...entry, operation: mapTasks(entry.operation, trimTask) };
}

function mapTasks(operation: Operation, map: (task: Task) => Task): Operation {
  if (operation.kind === 'create') return operation;
  if (operation.kind === 'change')
    return { ...operation, changes: operation.changes.map(({ task, to }) => ({ task: map(task), to })) };
  if ('tasks' in operation) return { ...operation, tasks: operation.tasks.map(map) };
  return { ...operation, task: map(operation.task) };
}

function trimTask(task: Task): Task {
  const { url } = task.metadata;
  return { ...task, metadata: typeof url === 'string' ? { url } : {} };
}

/** Random bytes of an entry's id. */
export const ID_BYTES = 16;
