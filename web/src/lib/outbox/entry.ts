// What a person did to their queue and the server has still to hear of, as plain data that a browser can keep.
import type { CreateTask, EditTask, Task } from '#core/contract/index.ts';
import type { Problem } from '../api/api-error.ts';

export type Operation =
  | { kind: 'acknowledge'; tasks: readonly Task[] }
  | { kind: 'restore'; tasks: readonly Task[] }
  | { kind: 'pin'; task: Task; pinned: boolean }
  /** `from` is the end that was seen, so that sending it twice adds the minutes once. */
  | { kind: 'extend'; task: Task; minutes: number; from: string }
  | { kind: 'edit'; task: Task; changes: EditTask }
  | { kind: 'create'; input: CreateTask };

export interface Entry {
  /** Made with the entry; the Idempotency-Key of a creation. */
  readonly id: string;
  /** Whose it is ({@link ../session/account.ts}): it is never shown to, nor sent for, another account. */
  readonly owner: string;
  /** When it was done, in milliseconds. */
  readonly at: number;
  readonly operation: Operation;
  /** How often sending it was begun. From the first time on the server may know of it. */
  readonly attempts: number;
  /** Since when the person wants it sent although it is old; null while they were not asked. */
  readonly confirmedAt: number | null;
  /** Why it will not be sent any more. Kept until the person has seen it. */
  readonly refusal: Problem | null;
}

/** Stands for the id of a task that is not created yet. */
export function placeholderId(entryId: string): string {
  return `waiting_${entryId}`;
}

export function tasksOf(operation: Operation): readonly Task[] {
  if (operation.kind === 'create') return [];
  return 'tasks' in operation ? operation.tasks : [operation.task];
}

/** The operation on `after` wherever it was on the task with this id. */
export function retarget(operation: Operation, id: string, after: Task): Operation {
  if (operation.kind === 'create') return operation;
  if ('tasks' in operation)
    return { ...operation, tasks: operation.tasks.map((task) => (task.id === id ? after : task)) };
  return operation.task.id === id ? { ...operation, task: after } : operation;
}

/** What of an operation is worth keeping: of a task's metadata only what its row shows. */
export function trimmed(operation: Operation): Operation {
  if (operation.kind === 'create') return operation;
  return 'tasks' in operation
    ? { ...operation, tasks: operation.tasks.map(slimTask) }
    : { ...operation, task: slimTask(operation.task) };
}

function slimTask(task: Task): Task {
  const { url } = task.metadata;
  return { ...task, metadata: typeof url === 'string' ? { url } : {} };
}

/** Random and unguessable, also where `crypto.randomUUID` is not: on a page that came over plain http. */
export function randomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
