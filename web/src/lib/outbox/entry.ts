// An operation on the queue that the server has not answered yet, as plain data that a browser can store.
import type { CreateTask, EditTask, Task } from '#core/contract/index.ts';
import type { Problem } from '../api/api-error.ts';

export type Operation =
  | { kind: 'acknowledge'; tasks: readonly Task[] }
  | { kind: 'restore'; tasks: readonly Task[] }
  | { kind: 'pin'; task: Task; pinned: boolean }
  /** `from` is the end that was shown, so that sending it twice adds the minutes once. */
  | { kind: 'extend'; task: Task; minutes: number; from: string }
  | { kind: 'edit'; task: Task; changes: EditTask }
  | { kind: 'create'; input: CreateTask };

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
  return 'tasks' in operation ? operation.tasks : [operation.task];
}

/** The operation with the task `after` in place of the one with this id. */
export function retarget(operation: Operation, id: string, after: Task): Operation {
  if (operation.kind === 'create') return operation;
  if ('tasks' in operation)
    return { ...operation, tasks: operation.tasks.map((task) => (task.id === id ? after : task)) };
  return operation.task.id === id ? { ...operation, task: after } : operation;
}

/** The entry as it is stored: of a task's metadata only what its row shows. */
export function trimmed(entry: Entry): Entry {
  const { operation } = entry;
  if (operation.kind === 'create') return entry;
  return {
    ...entry,
    operation:
      'tasks' in operation
        ? { ...operation, tasks: operation.tasks.map(trimTask) }
        : { ...operation, task: trimTask(operation.task) },
  };
}

function trimTask(task: Task): Task {
  const { url } = task.metadata;
  return { ...task, metadata: typeof url === 'string' ? { url } : {} };
}

/** Random bytes of an entry's id. */
export const ID_BYTES = 16;
