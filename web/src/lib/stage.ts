// The stage of a task. Of a 24-hour task: New to 1 h, Active to 12 h, Aging after that, and its last hour.
import type { Task } from '#core/contract/index.ts';
import { parseTime } from './time.ts';

export type Stage = 'pinned' | 'new' | 'active' | 'aging' | 'last-hour';

/** The stages in the order in which they are listed. */
export const STAGES: readonly Stage[] = ['pinned', 'new', 'active', 'aging', 'last-hour'];

export const STAGE_LABEL: Record<Stage, string> = {
  pinned: 'Pinned',
  new: 'New',
  active: 'Active',
  aging: 'Aging',
  'last-hour': 'Last hour',
};

const HOUR_MS = 60 * 60_000;

type Life = Pick<Task, 'createdAt' | 'expiresAt' | 'pinned'>;

/** Pinned, else the last hour, else by age; half of its life makes a task Aging, whatever its lifetime. */
export function stageOf(task: Life, now: number): Stage {
  if (task.pinned) return 'pinned';
  const created = parseTime(task.createdAt) ?? now;
  const expires = parseTime(task.expiresAt) ?? Infinity;
  if (expires - now <= HOUR_MS) return 'last-hour';
  const age = now - created;
  if (age < HOUR_MS) return 'new';
  return age < (expires - created) / 2 ? 'active' : 'aging';
}

/** The share of its life that is left, 1 to 0. */
export function lifeLeft(task: Life, now: number): number {
  const created = parseTime(task.createdAt);
  const expires = parseTime(task.expiresAt);
  if (created === null || expires === null || expires <= created) return 0;
  return Math.min(1, Math.max(0, (expires - now) / (expires - created)));
}
