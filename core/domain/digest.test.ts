// The digest comes once on each day, exactly when clocks show its hour, in every time zone.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WORK_TTL_MS } from '#core/ports/work-store.ts';
import { draft } from '#test/helpers/records.ts';
import { moments } from '#test/helpers/time-zones.ts';
import {
  dayAfter,
  digestText,
  digestWork,
  latestDigest,
  linesOf,
  nextDigest,
  type Digest,
} from './digest.ts';
import { newTask } from './task.ts';
import { nextAttempt } from './work.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 21, 9);

describe('the hour of the digest', () => {
  it('is exact in every zone, through every change of clocks of ten years', () => {
    fc.assert(
      fc.property(moments, fc.nat({ max: 1439 }), ({ zone, at }, minutes) => {
        const time = new Date(minutes * MINUTE).toISOString().slice(11, 16);
        const next = nextDigest({ time, zone: zone.name }, at);
        const today = Math.floor(zone.wallAt(at) / DAY);
        const expected = [-2, -1, 0, 1, 2]
          .map((ahead) => zone.firstAt((today + ahead) * DAY + minutes * MINUTE))
          .find((moment) => moment > at);
        expect(next, `${zone.name} ${new Date(at).toISOString()} ${time}`).toBe(expected);
      }),
      { numRuns: 1500 },
    );
  });

  it('was the last time at the latest of its moments until now, and the next day begins after it', () => {
    fc.assert(
      fc.property(moments, fc.nat({ max: 1439 }), ({ zone, at }, minutes) => {
        const digest = { time: new Date(minutes * MINUTE).toISOString().slice(11, 16), zone: zone.name };
        const latest = latestDigest(digest, at);
        expect(latest).toBeLessThanOrEqual(at);
        expect(nextDigest(digest, latest)).toBeGreaterThan(at);
        expect(nextDigest(digest, latest - 1)).toBe(latest);
        const begins = dayAfter(zone.name, at);
        const day = (moment: number) => Math.floor(zone.wallAt(moment) / DAY);
        expect(day(begins)).toBeGreaterThan(day(at));
        expect(begins).toBeGreaterThan(at);
        expect(day(begins - 1)).toBeLessThan(day(begins));
      }),
      { numRuns: 500 },
    );
  });

  it('comes once on each day of a year, also on those with 23 and 25 hours', () => {
    const digest = { time: '02:30', zone: 'Europe/Berlin' };
    const days = new Set<string>();
    let at = Date.parse('2027-01-01T00:00:00+01:00');
    for (let count = 0; count < 365; count++) {
      at = nextDigest(digest, at);
      const shown = new Date(at).toLocaleDateString('sv', { timeZone: digest.zone });
      expect(days.has(shown)).toBe(false);
      days.add(shown);
    }
    expect(days.size).toBe(365);
    expect([...days].at(-1)).toBe('2027-12-31');
  });
});

describe('a digest', () => {
  const digest: Digest = { time: '08:00', zone: 'UTC', to: ['task', 'mail'] };
  const due = Date.UTC(2026, 10, 22, 8);
  const expired = (content: string, metadata = {}, at = NOW) => ({
    type: 'task.expired' as const,
    before: null,
    task: newTask(draft({ content, metadata }), `task_${content.length}`, 'user_1', NOW),
    at,
  });

  it('has a line of each task that expired, and is due once each way', () => {
    const work = [expired('Disk full\non nas'), expired('x', {}, NOW + HOUR)].flatMap((event) =>
      digestWork(digest, event),
    );
    expect(linesOf(work, due)).toEqual([
      { text: 'Disk full', priority: 'normal', from: 'api', expiredAt: NOW },
      { text: 'x', priority: 'normal', from: 'api', expiredAt: NOW + HOUR },
    ]);
    expect(linesOf(work, due + DAY)).toEqual([]);
    const ways = work.filter(({ status }) => status === 'waiting');
    expect(new Set(ways.map(({ id }) => id))).toEqual(new Set([`${due} task`, `${due} mail`]));
    for (const { dueAt } of ways) expect(dueAt).toBe(due);
  });

  it('keeps its lines for as long as it is tried, and a day longer', () => {
    const work = digestWork(digest, expired('x'));
    const tried = work.find(({ status }) => status === 'waiting');
    if (tried === undefined) throw new Error('no digest waits');
    let at = due;
    for (let attempts = 1, next: number | null = due; next !== null; attempts++) {
      at = next;
      next = nextAttempt({ ...tried, attempts }, { now: at, random: 1 });
    }
    expect(at).toBeGreaterThanOrEqual(due + 3 * DAY);
    const stored = work.filter(({ endedAt }) => endedAt === null || endedAt + WORK_TTL_MS > at);
    expect(linesOf(stored, due)).toHaveLength(1);
  });

  it('has no line of a digest, of what did not expire, or while it is off', () => {
    expect(digestWork(digest, expired('x', { digest: true }))).toEqual([]);
    expect(digestWork(digest, { ...expired('x'), type: 'task.acknowledged' })).toEqual([]);
    expect(digestWork(null, expired('x'))).toEqual([]);
  });

  it('says how many, and the latest fifty', () => {
    const line = (n: number) => ({ text: `t${n}`, priority: 'low', from: 'api', expiredAt: n });
    expect(digestText([line(1)])).toEqual({ title: '1 task expired unseen', body: '- t1 (api)' });
    const { title, body } = digestText(Array.from({ length: 60 }, (_, n) => line(n)));
    expect(title).toBe('60 tasks expired unseen');
    expect(body.split('\n')).toHaveLength(51);
    expect(body).toMatch(/^- t10 \(api\)\n[^]*- t59 \(api\)\nand 10 before them$/);
    expect(digestText(Array.from({ length: 1000 }, (_, n) => line(n))).title).toBe(
      '1000 tasks or more expired unseen',
    );
  });
});
