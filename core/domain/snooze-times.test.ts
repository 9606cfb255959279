// The times that snoozing offers: what the wall clock shows then, in every zone and over its clock changes.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { latestWaking, ownZone, pickedTime, snoozeOptions, tomorrowMorning } from './snooze-times.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

const offered = (now: string, zone: string) =>
  Object.fromEntries(
    snoozeOptions(Date.parse(now), zone).map(({ label, until }) => [label, new Date(until).toISOString()]),
  );

describe('the times to snooze until', () => {
  it('are three hours on, this evening, tomorrow morning, and Monday morning, by the zone', () => {
    expect(offered('2026-11-25T09:00:30Z', 'Europe/Berlin')).toEqual({
      'Later today': '2026-11-25T12:00:00.000Z',
      'This evening': '2026-11-25T17:00:00.000Z',
      'Tomorrow morning': '2026-11-26T07:00:00.000Z',
      'Next week': '2026-11-30T07:00:00.000Z',
    });
    expect(offered('2026-11-25T09:00:00Z', 'Asia/Kathmandu')['This evening']).toBe(
      '2026-11-25T12:15:00.000Z',
    );
  });

  it('are offered in the order in which they come, and three hours on is always the first', () => {
    // In the afternoon, the evening begins before three hours are over.
    expect(Object.keys(offered('2026-11-25T16:00:00Z', 'UTC'))).toEqual([
      'Later today',
      'Tomorrow morning',
      'Next week',
    ]);
    expect(Object.keys(offered('2026-11-29T06:00:00Z', 'UTC'))).toEqual([
      'Later today',
      'This evening',
      'Tomorrow morning',
    ]);
  });

  it('leave out what is sooner, what is too far ahead, and what would be there twice', () => {
    // In the evening; on a Sunday, whose tomorrow is Monday; at 15:00, three hours before the evening.
    expect(Object.keys(offered('2026-11-25T22:30:00Z', 'UTC'))).toEqual([
      'In 3 hours',
      'Tomorrow morning',
      'Next week',
    ]);
    expect(Object.keys(offered('2026-11-29T12:00:00Z', 'UTC'))).not.toContain('Next week');
    expect(Object.keys(offered('2026-11-25T15:00:00Z', 'UTC'))).not.toContain('This evening');
    // On a Monday before eight, the next one is more than seven days away.
    expect(Object.keys(offered('2026-11-30T07:59:00Z', 'UTC'))).not.toContain('Next week');
    expect(offered('2026-11-30T08:00:00Z', 'UTC')['Next week']).toBe('2026-12-07T08:00:00.000Z');
  });

  it.each([
    ['Europe/Berlin', '2027-03-27T12:00:00Z', '2027-03-28T06:00:00.000Z'],
    ['Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T07:00:00.000Z'],
    ['America/New_York', '2027-03-13T20:00:00Z', '2027-03-14T12:00:00.000Z'],
    ['Australia/Lord_Howe', '2027-04-03T01:00:00Z', '2027-04-03T21:30:00.000Z'],
    ['Pacific/Kiritimati', '2026-11-25T09:00:00Z', '2026-11-25T18:00:00.000Z'],
  ])('are exact over the clock change of %s after %s', (zone, now, morning) => {
    expect(offered(now, zone)['Tomorrow morning']).toBe(morning);
  });

  it('show eight and six on the wall clock of every zone, around each clock change of ten years', () => {
    const start = Date.UTC(2026, 0, 1);
    let changes = 0;
    for (const timeZone of Intl.supportedValuesOf('timeZone')) {
      const offset = new Intl.DateTimeFormat('en-US', {
        timeZone,
        timeZoneName: 'longOffset',
        hour: 'numeric',
      });
      const wall = new Intl.DateTimeFormat('en-CA', {
        timeZone,
        dateStyle: 'short',
        timeStyle: 'short',
        hourCycle: 'h23',
      });
      const offsetAt = (time: number) => offset.format(time).replace(/^.*GMT/, '');
      const dayAt = (time: number) => wall.format(time).split(',')[0] ?? '';
      let before = offsetAt(start);
      for (let week = start; week < start + 10 * 365 * DAY; week += 14 * DAY) {
        const after = offsetAt(week + 14 * DAY);
        if (after === before) continue;
        before = after;
        changes++;
        const next = offsetAt(week + 14 * DAY);
        let day = week;
        while (offsetAt(day + DAY) !== next) day += DAY;
        // The hour of the change is within this day.
        for (const now of [day - 12 * HOUR, day, day + 9 * HOUR, day + DAY])
          for (const { label, until } of snoozeOptions(now, timeZone)) {
            const [date, time] = wall.format(until).split(', ');
            if (label === 'This evening') expect([date, time]).toEqual([dayAt(now), '18:00']);
            if (label === 'Tomorrow morning' || label === 'Next week') expect(time, timeZone).toBe('08:00');
            if (label === 'Tomorrow morning')
              expect(Date.parse(`${date}T00:00Z`) - Date.parse(`${dayAt(now)}T00:00Z`), timeZone).toBe(DAY);
            if (label === 'Next week') expect(new Date(`${date}T00:00Z`).getUTCDay()).toBe(1);
            expect(until).toBeGreaterThan(now);
            expect(until).toBeLessThanOrEqual(latestWaking(now));
          }
      }
    }
    expect(changes).toBeGreaterThan(1000);
  });
});

describe('where the zone of the machine is not known', () => {
  afterEach(() => void vi.restoreAllMocks());

  it.each([
    ['Etc/Unknown', 0, 'UTC', '2026-11-25T18:00:00.000Z'],
    ['Etc/Unknown', 180, 'Etc/GMT+3', '2026-11-25T21:00:00.000Z'],
    [undefined, -720, 'Etc/GMT-12', '2026-11-26T06:00:00.000Z'],
    ['Asia/Kathmandu', -345, 'Asia/Kathmandu', '2026-11-25T12:15:00.000Z'],
  ])(
    'but called %s, with clocks %i min behind UTC, the times are those of %s',
    (name, behind, zone, evening) => {
      const { resolvedOptions } = Intl.DateTimeFormat.prototype;
      vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockImplementation(function (
        this: Intl.DateTimeFormat,
      ) {
        return { ...resolvedOptions.call(this), timeZone: name as string };
      });
      vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(behind);
      expect(ownZone()).toBe(zone);
      const offers = snoozeOptions(Date.parse(evening) - 6 * HOUR);
      const { until } = offers.find(({ label }) => label === 'This evening') ?? { until: 0 };
      expect(new Date(until).toISOString()).toBe(evening);
    },
  );
});

describe('a morning', () => {
  it.each([
    // 23:30 is a time that clocks there leave out on the next day.
    ['America/Nuuk', '2026-03-27T23:30:00-02:00', '2026-03-28T08:00:00-02:00'],
    ['Asia/Beirut', '2026-03-28T12:00:00+02:00', '2026-03-29T08:00:00+03:00'],
    ['Australia/Lord_Howe', '2026-04-04T09:00:00+11:00', '2026-04-05T08:00:00+10:30'],
    ['UTC', '2028-02-28T23:59:00Z', '2028-02-29T08:00:00Z'],
  ])('in %s after %s is at eight on the next day', (zone, now, morning) => {
    expect(tomorrowMorning(Date.parse(now), zone)).toBe(Date.parse(morning));
  });
});

describe('a time that is picked', () => {
  it.each([
    ['2026-10-24T18:00', '2026-10-24T12:00:00Z', '2026-10-24T16:00:00Z'],
    ['2026-10-25T18:00', '2026-10-24T12:00:00Z', '2026-10-25T17:00:00Z'],
    // Clocks show it twice: the first time, or the second when the first is over.
    ['2026-10-25T02:30', '2026-10-25T00:10:00Z', '2026-10-25T00:30:00Z'],
    ['2026-10-25T02:30', '2026-10-25T00:40:00Z', '2026-10-25T01:30:00Z'],
    ['2026-10-25T02:30', '2026-10-25T01:10:00Z', '2026-10-25T01:30:00Z'],
    ['2026-10-25T02:30', '2026-10-25T01:40:00Z', '2026-10-25T00:30:00Z'],
    // Clocks leave it out.
    ['2026-03-29T02:30', '2026-03-29T00:00:00Z', '2026-03-29T01:00:00Z'],
    ['2026-03-29T02:30', '2026-03-29T02:00:00Z', '2026-03-29T01:00:00Z'],
  ])('%s at %s is %s', (text, now, moment) => {
    expect(new Date(pickedTime(text, Date.parse(now), 'Europe/Berlin'))).toEqual(new Date(moment));
  });

  it('is half an hour later on Lord Howe Island', () => {
    const picked = pickedTime('2026-04-05T01:45', Date.parse('2026-04-04T15:00:00Z'), 'Australia/Lord_Howe');
    expect(new Date(picked)).toEqual(new Date('2026-04-04T15:15:00Z'));
  });

  it.each(['', 'T18:00', '12026-11-25T18:00', '275760-09-12T23:00'])('is none where %j is none', (text) => {
    expect(pickedTime(text, Date.UTC(2026, 10, 25), 'UTC')).toBeNaN();
  });
});
