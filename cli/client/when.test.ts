import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationText, minutesOf, readMinutes, readWhen } from './when.ts';

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

  it.each([
    ['Europe/Berlin', '2026-03-29T00:30:00Z'],
    ['Europe/Berlin', '2026-10-25T00:30:00Z'],
    ['Australia/Lord_Howe', '2026-10-03T15:10:00Z'],
  ])('that is some time from now is exact where clocks of %s change at %s', async (zone, at) => {
    const texts = ['in half an hour', 'in an hour', '90 minutes from now', 'in 3 hours'];
    const script = `
      import { readWhen } from '${import.meta.dirname}/when.ts';
      const read = async (text) => Date.parse((await readWhen(text, new Date('${at}'))).until);
      console.log(JSON.stringify(await Promise.all(${JSON.stringify(texts)}.map(read))));
    `;
    // A thread of a process that runs has the zone of its start.
    const args = ['--input-type=module', '--eval', script];
    const read = execFileSync(process.execPath, args, { env: { TZ: zone }, encoding: 'utf8' });
    const minutes = (JSON.parse(read) as number[]).map((until) => (until - Date.parse(at)) / 60_000);
    expect(minutes).toEqual([30, 60, 90, 180]);
  });

  it.each(['yesterday', 'whenever', 'call mum tomorrow', '2025-01-01', ''])('%j is refused', async (text) => {
    await expect(readWhen(text, now)).rejects.toThrow('is no time to come');
  });
});
