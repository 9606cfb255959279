// Several tasks that one command is about, and the command's label then.
import type { Task } from '#core/contract/index.ts';

export interface Batch {
  count: number;
  /** Pinning them unpins them. */
  pinned: boolean;
}

export function batchOf(tasks: readonly Task[]): Batch {
  return { count: tasks.length, pinned: allPinned(tasks) };
}

export function allPinned(tasks: readonly Task[]): boolean {
  return tasks.every(({ pinned }) => pinned);
}

/** "Pin", or "Pin 3 items". */
export function labelFor(action: string, { count }: Batch): string {
  return count === 1 ? action : `${action} ${count} items`;
}

export function pinLabel(batch: Batch): string {
  return labelFor(batch.pinned ? 'Unpin' : 'Pin', batch);
}

/** "Keep 24 h more", or "Keep 3 items 24 h more". */
export function keepLabel({ count }: Batch): string {
  return count === 1 ? 'Keep 24 h more' : `Keep ${count} items 24 h more`;
}
