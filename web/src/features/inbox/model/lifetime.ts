// The lifetimes that the form of a new item offers, and how a lifetime is written.
const HOUR = 60;
const DAY = 24 * HOUR;

/** In minutes; 24 hours is the default. */
export const LIFETIMES: readonly number[] = [HOUR, 4 * HOUR, DAY, 3 * DAY, 7 * DAY];

/** For example "30 min", "2 h", "24 h", "3 days". */
export function formatLifetime(minutes: number): string {
  if (minutes % HOUR !== 0) return `${minutes} min`;
  return minutes % DAY !== 0 || minutes <= DAY ? `${minutes / HOUR} h` : `${minutes / DAY} days`;
}
