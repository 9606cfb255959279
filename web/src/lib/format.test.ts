import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sourceLabel } from './labels.ts';
import { linkify, safeHref } from './linkify.ts';
import { lifeLeft, stageOf } from './stage.ts';
import { formatTags, parseTags } from './tags.ts';
import { firstLine, grouped } from './text.ts';
import { fullTime, pastTime, relativeTime, timeLeft } from './time.ts';

const NOW = Date.parse('2026-11-21T09:00:00.000Z');
const HOUR = 3_600_000;
const at = (ms: number) => new Date(NOW + ms).toISOString();

describe('times', () => {
  test('are relative to now, in whole units', () => {
    expect(relativeTime(at(-20_000), NOW)).toBe('just now');
    expect(relativeTime(at(-60_000), NOW)).toBe('1 minute ago');
    expect(relativeTime(at(-3 * HOUR), NOW)).toBe('3 hours ago');
    expect(relativeTime(NOW - 50 * HOUR, NOW)).toBe('2 days ago');
    expect(relativeTime(at(2 * HOUR), NOW)).toBe('in 2 hours');
  });

  test.each(['', 'yesterday', null, undefined, Number.NaN, Infinity])('%s is an "Unknown time"', (value) => {
    expect(relativeTime(value, NOW)).toBe('Unknown time');
    expect(fullTime(value)).toBe('Unknown time');
  });

  test('in full are en-US with a short month', () => {
    expect(fullTime('2026-11-21T09:05:00')).toBe('Nov 21, 2026, 09:05 AM');
    const format = new Intl.DateTimeFormat('en-US', {
      month: 'short',
      day: 'numeric',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
    });
    // Through every hour, and every month, whatever the zone of the machine.
    for (let ms = NOW; ms < NOW + 400 * 24 * HOUR; ms += 5 * HOUR + 7 * 60_000)
      expect(fullTime(ms)).toBe(format.format(ms).replaceAll('\u202F', ' '));
  });

  test('that are past have a day where it is not today', () => {
    const now = new Date(2026, 2, 1, 0, 10).getTime();
    expect(pastTime(new Date(2026, 2, 1, 0, 5).getTime(), now)).toBe('12:05 AM');
    expect(pastTime(new Date(2026, 1, 28, 23, 55).getTime(), now)).toBe('Feb 28, 2026, 11:55 PM');
    expect(pastTime(new Date(2026, 1, 22, 0, 5).getTime(), now)).toBe('Feb 22, 2026, 12:05 AM');
  });

  test.each([
    [24 * HOUR, '24 h left'],
    [24 * HOUR + 30_000, '24 h left'],
    [24 * HOUR + 61_000, '25 h left'],
    [48 * HOUR + 30_000, '48 h left'],
    [7 * 24 * HOUR + 30_000, '7 d left'],
    [HOUR + 30_000, '1 h left'],
    [22.2 * HOUR, '23 h left'],
    [6 * 24 * HOUR, '6 d left'],
    [HOUR, '60 min left'],
    [11.5 * 60_000, '12 min left'],
    [44_100, '45 s left'],
    [1, '1 s left'],
    [0, ''],
  ])('left: %d ms is "%s"', (left, text) => {
    expect(timeLeft(NOW + left, NOW)).toBe(text);
  });
});

describe('stages', () => {
  const day = (ageMs: number, pinned = false) => ({
    createdAt: at(-ageMs),
    expiresAt: at(24 * HOUR - ageMs),
    pinned,
  });

  test.each([
    [0, 'new'],
    [HOUR - 1, 'new'],
    [HOUR, 'active'],
    [12 * HOUR - 1, 'active'],
    [12 * HOUR, 'aging'],
    [23 * HOUR - 1, 'aging'],
    [23 * HOUR, 'last-hour'],
  ])('at an age of %d ms a task of 24 hours is %s', (age, stage) => {
    expect(stageOf(day(age), NOW)).toBe(stage);
  });

  test('pinned counts before all else', () => {
    expect(stageOf(day(30 * HOUR, true), NOW)).toBe('pinned');
  });

  test('the life left goes from 1 to 0 and no further', () => {
    expect(lifeLeft(day(0), NOW)).toBe(1);
    expect(lifeLeft(day(6 * HOUR), NOW)).toBe(0.75);
    expect(lifeLeft(day(48 * HOUR), NOW)).toBe(0);
  });
});

describe('sources', () => {
  test.each([
    ['api', 'API'],
    ['web', 'Web Interface'],
    ['email', 'Email'],
    ['webhook', 'Webhook'],
    ['integration', 'Integration'],
    ['slack', 'Slack'],
    ['nightly cron', 'Nightly cron'],
    ['', 'Unknown'],
    [null, 'Unknown'],
  ])('%s is called %s', (source, label) => {
    expect(sourceLabel(source)).toBe(label);
  });
});

describe('tags', () => {
  test('are split on commas, trimmed, and empty ones dropped', () => {
    expect(parseTags(' ops, ,nas ,, two words ')).toEqual(['ops', 'nas', 'two words']);
  });

  test('come back as they were', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[^,\s]([^,]*[^,\s])?$/)), (tags) => {
        expect(parseTags(formatTags(tags))).toEqual(tags.filter((tag) => tag.trim() !== ''));
      }),
    );
  });
});

describe('links in text', () => {
  const links = (text: string) => linkify(text).flatMap((part) => (part.kind === 'link' ? [part.text] : []));

  test('leave the punctuation around them out', () => {
    expect(links('(see https://a.example/x).')).toEqual(['https://a.example/x']);
    expect(links('https://a.example/x_(y), https://b.example/?q=1&r=2!')).toEqual([
      'https://a.example/x_(y)',
      'https://b.example/?q=1&r=2',
    ]);
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://a.example', 'http://', 'www.example.com'])(
    '%s is no link',
    (text) => {
      expect(links(text)).toEqual([]);
      expect(safeHref(text)).toBeNull();
    },
  );

  test('are found quickly in whatever is sent', () => {
    const hostile = `http://a${')'.repeat(10_000)}`;
    const from = performance.now();
    expect(links(hostile)).toEqual(['http://a']);
    expect(performance.now() - from).toBeLessThan(200);
  });

  test('lose no character of any text, and lead only to http and https', () => {
    const url = fc
      .tuple(fc.constantFrom('http', 'https'), fc.webAuthority(), fc.string())
      .map(([scheme, host, path]) => `${scheme}://${host}/${encodeURIComponent(path)}`);
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), url, fc.constant('https://')), { maxLength: 8 }),
        (pieces) => {
          const text = pieces.join(' ');
          const parts = linkify(text);
          expect(parts.map((part) => part.text).join('')).toBe(text);
          for (const part of parts) if (part.kind === 'link') expect(part.href).toMatch(/^https?:\/\//);
        },
      ),
    );
  });
});

test('whole numbers are grouped as English does it', () => {
  const format = new Intl.NumberFormat('en-US');
  fc.assert(
    fc.property(fc.maxSafeInteger(), (whole) => {
      expect(grouped(whole)).toBe(format.format(whole));
    }),
  );
});

test('a first line is cut beside an emoji, not through it', () => {
  expect(firstLine('disk 😀😀 full\nmore', 8)).toBe('disk 😀…');
  expect(firstLine('disk 😀😀 full', 7)).toBe('disk…');
  expect(firstLine('disk 😀', 7)).toBe('disk 😀');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 2, max: 20 }), (text, most) => {
      const line = firstLine(text, most);
      expect([line.isWellFormed(), line.length <= most]).toEqual([true, true]);
    }),
  );
});
