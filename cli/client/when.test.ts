import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationText, minutesOf, readMinutes, readWhen, shortTimeText } from './when.ts';

describe('a duration', () => {
  it.each([
    ['30m', 30],
    ['2h', 120],
    ['1d', 1440],
    ['1h30m', 90],
    ['1h 30min', 90],
    [' 7D ', 10_080],
    ['tomorrow', null],
    ['2', null],
    ['2h later', null],
    ['', null],
  ])('%j is %j minutes', (text, minutes) => {
    expect(minutesOf(text)).toBe(minutes);
  });

  it.each(['0m', '8d', '168h1m', '5', '-1h', 'soon', '1.5h'])(
    '%j is refused with what it must be',
    (text) => {
      expect(() => readMinutes(text, '--expires')).toThrow('--expires must be a time such as 30m');
    },
  );

  it('is read back as it is put together', () => {
    const parts = fc.tuple(fc.nat(6), fc.nat(23), fc.nat(59));
    fc.assert(fc.property(parts, ([d, h, m]) => minutesOf(`${d}d${h}h${m}m`) === d * 1440 + h * 60 + m));
  });

  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1000, '1 s'],
    [125_000, '2 min 5 s'],
    [120_000, '2 min'],
    [3_600_000 + 5000, '1 h'],
    [90_000_000, '1 d 1 h'],
  ])('of %i ms reads %j', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});

/** A time zone, when it is now, and a text that is read then. */
type Reading = readonly [zone: string, now: string, text: string];

/** A thread of a process that runs has the zone of its start: another process reads the texts. */
function readThere(readings: readonly Reading[]): string[] {
  const script = `
    import { readWhen } from '${import.meta.dirname}/when.ts';
    const untils = [];
    for (const [zone, now, text] of ${JSON.stringify(readings)}) {
      process.env.TZ = zone;
      untils.push(await readWhen(text, new Date(now)).then(({ until }) => until, ({ message }) => message));
    }
    console.log(JSON.stringify(untils));
  `;
  const args = ['--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as string[];
}

describe('a time to come', () => {
  const now = new Date(2026, 10, 21, 9, 30);

  it.each([
    ['2h', { minutes: 120 }],
    ['tomorrow 08:00', { until: new Date(2026, 10, 22, 8).toISOString() }],
    ['18:00', { until: new Date(2026, 10, 21, 18).toISOString() }],
    ['08:00', { until: new Date(2026, 10, 22, 8).toISOString() }],
    ['2026-11-22T18:00:00Z', { until: '2026-11-22T18:00:00.000Z' }],
  ])('%j is understood', async (text, when) => {
    expect(await readWhen(text, now)).toEqual(when);
  });

  it('that is some time from now is exact where clocks change', () => {
    const changes = [
      ['Europe/Berlin', '2026-03-29T00:30:00Z'],
      ['Europe/Berlin', '2026-10-25T00:30:00Z'],
      ['Australia/Lord_Howe', '2026-10-03T15:10:00Z'],
    ] as const;
    const texts = ['in half an hour', 'in an hour', '90 minutes from now', 'in 3 hours', 'in 2 days'];
    const readings = changes.flatMap(([zone, at]) => texts.map((text): Reading => [zone, at, text]));
    const untils = readThere(readings);
    const minutes = readings.map(
      ([, at], index) => (Date.parse(untils[index] ?? '') - Date.parse(at)) / 60_000,
    );
    expect(minutes).toEqual(changes.flatMap(() => [30, 60, 90, 180, 2880]));
  });

  it('is by the clocks on the wall of then', () => {
    const expected = [
      // Of a time that clocks show twice, the one to come: the first, the second, that of the next day.
      ['Europe/Berlin', '2026-10-25T00:10:00Z', '02:30', '2026-10-25T00:30:00Z'],
      ['Europe/Berlin', '2026-10-25T01:10:00Z', '02:30', '2026-10-25T01:30:00Z'],
      ['Europe/Berlin', '2026-10-25T01:10:00Z', 'today 02:30', '2026-10-25T01:30:00Z'],
      ['Europe/Berlin', '2026-10-25T01:10:00Z', 'sunday 02:30', '2026-10-25T01:30:00Z'],
      ['Europe/Berlin', '2026-10-25T01:10:00Z', '2026-10-25T02:30', '2026-10-25T01:30:00Z'],
      ['Europe/Berlin', '2026-10-25T01:40:00Z', '02:30', '2026-10-26T01:30:00Z'],
      ['America/Santiago', '2026-04-05T03:10:00Z', '23:30', '2026-04-05T03:30:00Z'],
      ['Australia/Lord_Howe', '2026-04-04T15:05:00Z', '01:45', '2026-04-04T15:15:00Z'],
      // Of one that they leave out, when they do.
      ['Europe/Berlin', '2026-03-28T20:00:00Z', '02:30', '2026-03-29T01:00:00Z'],
      ['Europe/Berlin', '2026-03-29T01:10:00Z', '02:30', '2026-03-30T00:30:00Z'],
      ['Africa/Cairo', '2026-04-23T20:00:00Z', '00:30', '2026-04-23T22:00:00Z'],
      // By the clock of that day, which is another hour of UTC than now.
      ['Europe/Berlin', '2026-10-24T10:00:00Z', 'in 2 days at 9:00', '2026-10-26T08:00:00Z'],
      ['Europe/Berlin', '2027-03-27T10:00:00Z', '9am in 2 days', '2027-03-29T07:00:00Z'],
      ['America/New_York', '2026-10-31T10:00:00Z', 'next week 9:00', '2026-11-07T14:00:00Z'],
      // On the night before one whose last hour clocks leave out.
      ['America/Nuuk', '2026-03-28T01:30:00Z', 'tomorrow 9:00', '2026-03-28T11:00:00Z'],
      ['America/Nuuk', '2026-03-27T01:30:00Z', 'in 2 days at 9:00', '2026-03-28T11:00:00Z'],
      ['America/Nuuk', '2026-03-28T01:30:00Z', 'in 2 days', '2026-03-30T01:30:00Z'],
      ['Europe/Berlin', '2026-10-24T10:00:00Z', 'tomorrow 9:00 UTC', '2026-10-25T09:00:00Z'],
    ] as const;
    const untils = readThere(expected.map(([zone, now, text]) => [zone, now, text]));
    const found = expected.map(([zone, now, text], index) => [zone, now, text, untils[index]]);
    expect(found).toEqual(
      expected.map(([zone, now, text, until]) => [zone, now, text, new Date(until).toISOString()]),
    );
  });

  it.each(['yesterday', 'whenever', 'call mum tomorrow', '2025-01-01', ''])('%j is refused', async (text) => {
    await expect(readWhen(text, now)).rejects.toThrow('is no time to come');
  });
});

it('is shown alike on machines of every language, with the weekday and the zone', () => {
  const script = `
    import { timeText } from '${import.meta.dirname}/when.ts';
    console.log(timeText('2026-11-30T08:00:00.000Z'));
  `;
  const shownWith = (env: Record<string, string>) => {
    const args = ['--input-type=module', '--eval', script];
    return execFileSync(process.execPath, args, { encoding: 'utf8', env }).trimEnd();
  };
  expect(shownWith({ TZ: 'UTC' })).toBe('Mon 2026-11-30 08:00 UTC');
  expect(shownWith({ TZ: 'UTC', LANG: 'C' })).toBe('Mon 2026-11-30 08:00 UTC');
  expect(shownWith({ TZ: 'Europe/Berlin', LC_ALL: 'de_DE.UTF-8' })).toBe('Mon 2026-11-30 09:00 GMT+1');
  expect(shownWith({ TZ: 'America/New_York', LC_ALL: 'ar_EG.UTF-8' })).toBe('Mon 2026-11-30 03:00 EST');
  expect(shortTimeText(new Date(2026, 10, 30, 0, 5).getTime())).toBe('Mon 00:05');
});
