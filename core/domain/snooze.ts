// Snoozing hides a live task until a time. Its own time stands still meanwhile: what it has left counts from
// its waking.
import { GRACE_MS } from '../contract/index.ts';

/** What snoozing sets in a task; in milliseconds. */
interface SnoozedTimes {
  readonly snoozedUntil: number | null;
  readonly expiresAt: number;
}

type Sleep = Pick<SnoozedTimes, 'snoozedUntil'> & { readonly acknowledgedAt: number | null };

/** Whether a live task is hidden at `now` because it is snoozed. It wakes at `snoozedUntil`, exactly. */
export function isSnoozed({ acknowledgedAt, snoozedUntil }: Sleep, now: number): boolean {
  return acknowledgedAt === null && snoozedUntil !== null && now < snoozedUntil;
}

/** From when on its time runs: its waking, or `now` when it is awake. */
export function timeRunsFrom({ snoozedUntil }: Pick<SnoozedTimes, 'snoozedUntil'>, now: number): number {
  return Math.max(now, snoozedUntil ?? now);
}

/**
 * The times of a task that is to sleep until a time after `now`, or to wake now (null): it has as long left
 * as before, and one that sleeps at least one hour. Null when it is so already.
 */
export function snoozedTimes(task: SnoozedTimes, until: number | null, now: number): SnoozedTimes | null {
  const { snoozedUntil, expiresAt } = task;
  const left = expiresAt - timeRunsFrom(task, now);
  if (until !== null && until > now)
    return until === snoozedUntil
      ? null
      : { snoozedUntil: until, expiresAt: until + Math.max(left, GRACE_MS) };
  return snoozedUntil === null || snoozedUntil <= now ? null : { snoozedUntil: null, expiresAt: now + left };
}
