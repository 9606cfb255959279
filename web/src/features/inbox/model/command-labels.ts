// Several tasks that one command is about, and the command's label then.
import type { Task } from '#core/contract/index.ts';

export interface Batch {
  count: number;
  /** Pinning them unpins them. */
  pinned: boolean;
}

export function batchOf(tasks: readonly Task[]): Batch {
  return { count: tasks.length, pinned: tasks.every(({ pinned }) => pinned) };
}

/** "Pin", or "Pin 3 items". */
export function labelFor(action: string, { count }: Batch): string {
  return count === 1 ? action : `${action} ${count} items`;
}
