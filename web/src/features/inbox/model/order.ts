// The orders of the list, as the server keeps them (`TaskOrder` in core/contract/tasks.ts).
import type { Task, TaskOrder } from '#core/contract/index.ts';

export const ORDERS: readonly TaskOrder[] = ['newest', 'source', 'intake', 'tag', 'priority', 'expiry'];

/** Each as a command. */
export const ORDER_LABEL: Record<TaskOrder, string> = {
  newest: 'Group by stage',
  source: 'Group by source',
  intake: 'Group by intake',
  tag: 'Group by tag',
  priority: 'Sort by priority',
  expiry: 'Sort by time left',
};

const RANK = { high: 0, normal: 1, low: 2 };

/** Pinned first, then by the order, then newest first. */
export function compareIn(order: TaskOrder): (a: Task, b: Task) => number {
  return (a, b) => {
    if (a.pinned !== b.pinned) return a.pinned ? -1 : 1;
    return byKey(order, a, b) || byId(a, b);
  };
}

/** The text that a list in this order is grouped by; null for none. */
export function keyIn(order: TaskOrder, task: Task): string | null {
  if (order === 'source') return task.source;
  if (order === 'intake') return task.intake?.name ?? null;
  return order === 'tag' ? (task.tags[0] ?? null) : null;
}

function byKey(order: TaskOrder, a: Task, b: Task): number {
  switch (order) {
    case 'newest':
      return 0;
    case 'priority':
      return RANK[a.priority] - RANK[b.priority];
    case 'expiry':
      return a.pinned ? 0 : Date.parse(a.expiresAt) - Date.parse(b.expiresAt);
    case 'source':
    case 'intake':
    case 'tag': {
      const [one, other] = [keyIn(order, a), keyIn(order, b)];
      if (one === null || other === null) return Number(one === null) - Number(other === null);
      return byText(lower(one), lower(other));
    }
  }
}

function byId(a: Task, b: Task): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}

// ASCII letters alone, as the stores do.
function lower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
