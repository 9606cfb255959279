// Quiet hours are exact in every time zone through ten years of changes of clocks, and what may leave leaves.
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { moments, timeZones, type Zone } from '#test/helpers/time-zones.ts';
import type { Priority, PushRules } from '../contract/index.ts';
import { heldUntil } from './quiet-hours.ts';
import { isTimeZone, momentOf, wallTime } from './time-zone.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

type Quiet = NonNullable<PushRules['quiet']>;
const clockOf = (minutes: number) => new Date(minutes * MINUTE).toISOString().slice(11, 16);
const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const rulesOf = (quiet: Quiet | null, doNotDisturbUntil: number | null = null) => ({
  quiet,
  doNotDisturbUntil: doNotDisturbUntil === null ? null : new Date(doNotDisturbUntil).toISOString(),
});
const quietOf = (fields: Partial<Quiet> = {}): Quiet => ({
  from: '22:00',
  to: '07:00',
  zone: 'Europe/Berlin',
  days: EVERY_DAY,
  pass: [],
  ...fields,
});

/** The quiet hours of a zone around a moment, by looking at its clocks minute by minute. */
function hoursAround(zone: Zone, { from, to, days }: Quiet, at: number): { begin: number; end: number }[] {
  const today = Math.floor(zone.wallAt(at) / DAY);
  const [first, last] = [minutesOf(from), minutesOf(to)];
  return [-3, -2, -1, 0, 1, 2, 3]
    .map((ahead) => today + ahead)
    .filter((day) => days.includes(new Date(day * DAY).getUTCDay()))
    .map((day) => ({
      begin: zone.firstAt(day * DAY + first * MINUTE),
      end: zone.firstAt((last > first ? day : day + 1) * DAY + last * MINUTE),
    }));
}

const timesOfDay = fc
  .uniqueArray(fc.nat({ max: 1439 }), { minLength: 2, maxLength: 2 })
  .map(([from = 0, to = 0]) => ({ from: clockOf(from), to: clockOf(to) }));
const someDays = fc.uniqueArray(fc.nat({ max: 6 }), { minLength: 1, maxLength: 7 });
const priority = fc.constantFrom<Priority>('high', 'normal', 'low');

describe('the clocks on a wall', () => {
  it('are read as they are in every zone, through every change of ten years', () => {
    expect(timeZones().length).toBeGreaterThan(400);
    const changes = timeZones().flatMap((zone) => zone.changes.slice(1).map(({ at }) => ({ zone, at })));
    expect(changes.length).toBeGreaterThan(2000);
    for (const { zone, at } of changes)
      for (const ms of [at - 1, at, at + 1, at + 12 * HOUR])
        expect(wallTime(zone.name, ms), zone.name).toBe(zone.wallAt(ms));
  });

  it('show a time first when they are said to: before, in and after what they leave out or show twice', () => {
    // Zones that change alike need no second look.
    const seen = new Set<string>();
    for (const zone of timeZones())
      for (const [index, { at, offset }] of zone.changes.entries()) {
        const before = zone.changes[index - 1]?.offset;
        const name = `${at} ${before} ${offset}`;
        if (before === undefined || seen.has(name)) continue;
        seen.add(name);
        const step = Math.abs(offset - before);
        for (const wall of [-step - MINUTE, -step, -step / 2, -MINUTE, 0, step / 2, step, step + MINUTE])
          expect(momentOf(zone.name, at + before + wall), `${zone.name} ${wall}`).toBe(
            zone.firstAt(at + before + wall),
          );
      }
    expect(seen.size).toBeGreaterThan(300);
  });

  it.each(['', 'Europe/Nowhere', '+02:00', '-01:00', 'UTC+1', '../etc', 'x'.repeat(64)])(
    'are of no zone that is none: %j',
    (zone) => {
      expect(isTimeZone(zone)).toBe(false);
    },
  );

  it('are of every zone, and of their other names', () => {
    for (const zone of [...timeZones().map(({ name }) => name), 'UTC', 'Asia/Kolkata', 'US/Eastern'])
      expect(isTimeZone(zone), zone).toBe(true);
  });

  it('take the memory of one zone where its name is written in many ways', () => {
    const made = vi.spyOn(Intl, 'DateTimeFormat');
    onTestFinished(() => made.mockRestore());
    for (const zone of ['asia/tokyo', 'ASIA/TOKYO', 'Asia/Tokyo', 'asia/Tokyo'])
      expect(isTimeZone(zone), zone).toBe(true);
    expect(made.mock.calls.length).toBeLessThan(2);
  });
});

describe('quiet hours', () => {
  it('hold a push exactly while they are, in every zone, through every change of clocks', () => {
    fc.assert(
      fc.property(moments, timesOfDay, someDays, ({ zone, at }, times, days) => {
        const quiet = quietOf({ ...times, days, zone: zone.name });
        const hours = hoursAround(zone, quiet, at);
        const endAt = (moment: number) =>
          hours.find(({ begin, end }) => begin <= moment && moment < end)?.end;
        let expected = at;
        for (let end = endAt(expected); end !== undefined; end = endAt(expected)) expected = end;
        const held = heldUntil(rulesOf(quiet), null, at);
        expect(held, `${zone.name} ${new Date(at).toISOString()}`).toBe(expected === at ? null : expected);
        // At its end nothing holds it any more, and right before something does.
        if (held === null) return;
        expect(heldUntil(rulesOf(quiet), null, held)).toBeNull();
        expect(heldUntil(rulesOf(quiet), null, held - 1)).toBe(held);
      }),
      { numRuns: 1500 },
    );
  });

  it('begin on the days that were chosen and end the day after, whichever that is', () => {
    const friday = quietOf({ days: [5], zone: 'UTC' });
    const held = (text: string) => heldUntil(rulesOf(friday), null, Date.parse(text));
    const end = Date.parse('2026-11-28T07:00:00Z');
    expect(held('2026-11-27T21:59:59.999Z')).toBeNull();
    expect(held('2026-11-27T22:00:00Z')).toBe(end);
    expect(held('2026-11-28T06:59:59.999Z')).toBe(end);
    expect(held('2026-11-28T07:00:00Z')).toBeNull();
    expect(held('2026-11-28T22:00:00Z')).toBeNull();
  });

  it('last an hour less where clocks go ahead in them, and an hour more where they go back', () => {
    const night = (day: string) => {
      const begin = Date.parse(`${day}T22:00:00+0${day < '2027-06' ? 1 : 2}:00`);
      return ((heldUntil(rulesOf(quietOf()), null, begin) ?? 0) - begin) / HOUR;
    };
    expect([night('2027-03-26'), night('2027-03-27'), night('2027-10-30')]).toEqual([9, 8, 10]);
  });

  it('let what may pass leave, at any time, and hold the others', () => {
    fc.assert(
      fc.property(
        moments,
        timesOfDay,
        fc.uniqueArray(priority),
        priority,
        ({ zone, at }, times, pass, one) => {
          const quiet = quietOf({ ...times, zone: zone.name, pass });
          const held = heldUntil(rulesOf(quiet), one, at);
          expect(held).toBe(pass.includes(one) ? null : heldUntil(rulesOf(quiet), null, at));
        },
      ),
    );
  });

  it('go on after the time until which nobody is to be disturbed, when that ends in them', () => {
    const at = Date.parse('2026-11-23T12:00:00Z');
    const quiet = quietOf({ zone: 'UTC', pass: ['high'] });
    const held = (until: string, one: Priority | null) =>
      heldUntil(rulesOf(quiet, Date.parse(until)), one, at);
    expect(held('2026-11-23T23:00:00Z', null)).toBe(Date.parse('2026-11-24T07:00:00Z'));
    // Do not disturb holds all; what may pass leaves when it is over.
    expect(held('2026-11-23T23:00:00Z', 'high')).toBe(Date.parse('2026-11-23T23:00:00Z'));
    expect(held('2026-11-23T13:00:00Z', null)).toBe(Date.parse('2026-11-23T13:00:00Z'));
    expect(held('2026-11-23T12:00:00Z', null)).toBeNull();
    expect(heldUntil(rulesOf(null), null, at)).toBeNull();
  });
});
