// Every time zone of this system with its changes of clocks over ten years, found by looking at its clocks,
// for tests of what goes by the clocks on a wall.
import fc from 'fast-check';

const DAY = 24 * 3_600_000;
const MINUTE = 60_000;
/** The ten years. */
const FROM = Date.UTC(2026, 0, 1);
const TO = Date.UTC(2036, 0, 1);

/** A zone is ahead of UTC by `offset` from `at` on, in milliseconds. */
interface Change {
  at: number;
  offset: number;
}

export interface Zone {
  name: string;
  /** In order; the first is at the beginning of the ten years. */
  changes: readonly Change[];
  /** What its clocks show at a moment, as milliseconds of UTC. */
  wallAt(at: number): number;
  /** The first moment, in whole minutes, from which on its clocks have shown this time or a later one. */
  firstAt(wall: number): number;
}

function offsetReader(name: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' });
  return (at) => {
    const text = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign = '+', hours = '0', minutes = '0'] = /^GMT(?:([+-])(\d\d):(\d\d))?$/.exec(text) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE;
  };
}

function zoneOf(name: string): Zone {
  const offsetAt = offsetReader(name);
  const changes: Change[] = [{ at: FROM - 10 * DAY, offset: offsetAt(FROM - 10 * DAY) }];
  // No two changes are nearer than this in those years.
  const step = 5 * DAY;
  for (let at = FROM - 10 * DAY; at < TO + 10 * DAY; at += step) {
    const offset = offsetAt(at + step);
    if (offset === changes.at(-1)?.offset) continue;
    let [low, high] = [at, at + step];
    while (high - low > MINUTE) {
      const middle = low + Math.floor((high - low) / MINUTE / 2) * MINUTE;
      if (offsetAt(middle) === offset) high = middle;
      else low = middle;
    }
    changes.push({ at: high, offset });
  }
  const wallAt = (at: number) => at + (changes.findLast((change) => change.at <= at)?.offset ?? 0);
  return {
    name,
    changes,
    wallAt,
    firstAt(wall) {
      for (let at = wall - 30 * 60 * MINUTE; ; at += MINUTE) if (wallAt(at) >= wall) return at;
    },
  };
}

let all: readonly Zone[] | undefined;

/** All zones. Takes a second or two the first time. */
export function timeZones(): readonly Zone[] {
  all ??= Intl.supportedValuesOf('timeZone').map(zoneOf);
  return all;
}

/** Zones, and moments of which every second one is within two days of a change of clocks. */
export const moments = fc
  .record({ zone: fc.nat(), change: fc.nat(), near: fc.boolean(), ms: fc.integer({ min: -DAY, max: DAY }) })
  .chain(({ zone: index, change, near, ms }) => {
    const zone = timeZones()[index % timeZones().length] as Zone;
    const at = zone.changes[change % zone.changes.length]?.at ?? FROM;
    const random = fc.integer({ min: FROM, max: TO });
    return fc.record({ zone: fc.constant(zone), at: near && at > FROM ? fc.constant(at + ms) : random });
  });
