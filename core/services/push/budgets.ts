// How many pushes of single tasks an owner gets: a few at once, then one in a while. More come as a summary,
// so that a flood of tasks is no flood of notifications.
import type { Clock } from '#core/ports/clock.ts';
import { createCache } from '#core/services/cache.ts';

const AT_ONCE = 20;
const EVERY_MS = 3000;
const MAX_OWNERS = 10_000;

export function createOwnerBudgets(clock: Pick<Clock, 'monotonic'>) {
  const budgets = createCache<{ left: number; at: number }>(MAX_OWNERS);
  return {
    /** Whether the owner may get one more, which is counted. */
    take(ownerId: string): boolean {
      const at = clock.monotonic();
      const before = budgets.get(ownerId) ?? { left: AT_ONCE, at };
      const left = Math.min(AT_ONCE, before.left + (at - before.at) / EVERY_MS);
      budgets.set(ownerId, { left: left < 1 ? left : left - 1, at });
      return left >= 1;
    },
  };
}
