import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Facets } from '#core/contract/index.ts';
import { completionsFor, unfinishedFrom } from './completions.ts';
import { describeFilter, describeQuery } from './describe-filter.ts';
import { NO_FILTER } from './page.ts';
import { begunToken, parseSearch, toggleToken, tokenOf } from './search.ts';

const NONE = { text: '', tags: [], source: null, intake: null, priority: null };

describe('what is typed into the search field', () => {
  test.each([
    ['pump failed', { text: 'pump failed' }],
    ['#ops', { tags: ['ops'] }],
    ['  #ops   pump  #nas-2 ', { text: 'pump', tags: ['ops', 'nas-2'] }],
    ['#"two words" x', { text: 'x', tags: ['two words'] }],
    ['tag:ops #ops', { tags: ['ops'] }],
    ['source:email', { source: 'email' }],
    ['source:"Web Interface"', { source: 'web' }],
    ['source:Cron', { source: 'Cron' }],
    ['intake:"Prod alerts" disk', { text: 'disk', intake: 'Prod alerts' }],
    ['priority:h', { priority: 'high' }],
    ['Priority:LOW', { priority: 'low' }],
    ['priority:urgent', {}],
    // Being typed: filters nothing yet.
    ['# source: priority: intake:"', {}],
    ['pump #', { text: 'pump' }],
    // No tokens.
    ['a#b C# 50%', { text: 'a#b C# 50%' }],
    ['https://a.example/#x', { text: 'https://a.example/#x' }],
    ['see mysource:x', { text: 'see mysource:x' }],
  ])('%j', (typed, expected) => {
    expect(parseSearch(typed)).toEqual({ ...NONE, ...expected });
  });

  test('is never refused, and words that are no token stay', () => {
    const word = fc.stringMatching(/^[a-z0-9äß.,!?%-]{1,8}$/);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), fc.string(), (words, noise) => {
        expect(parseSearch(words.join(' ')).text).toBe(words.join(' '));
        expect(() => parseSearch(noise)).not.toThrow();
      }),
    );
  });

  test('a token that is added filters by its value, and a second time no more', () => {
    const value = fc.stringMatching(/^[A-Za-z0-9äß_ .-]{1,12}$/).filter((text) => text.trim() === text);
    fc.assert(
      fc.property(
        fc.constantFrom('tag' as const, 'intake' as const),
        value,
        fc.constantFrom('', 'pump', '#other pump'),
        (kind, name, before) => {
          fc.pre(name.toLowerCase() !== 'other');
          const added = toggleToken(before, kind, name);
          const search = parseSearch(added);
          expect(kind === 'tag' ? search.tags.at(-1) : search.intake).toBe(name);
          expect(search.text).toBe(parseSearch(before).text);
          expect(toggleToken(added, kind, name)).toBe(before);
        },
      ),
    );
  });

  test('a source, an intake and a priority take the place of the one before', () => {
    expect(toggleToken('pump source:email', 'source', 'webhook')).toBe('pump source:webhook');
    expect(toggleToken('source:"Web Interface" pump', 'source', 'web')).toBe('pump');
    expect(toggleToken('intake:"a b" x', 'intake', 'A B')).toBe('x');
    expect(tokenOf('intake', 'a "b" c')).toBe('intake:"a ""b"" c"');
  });
});

const FACETS: Facets = {
  tags: [
    { value: 'ops', count: 12 },
    { value: 'on call', count: 3 },
    { value: 'billing', count: 1 },
  ],
  sources: [
    { value: 'email', count: 4 },
    { value: 'web', count: 2 },
  ],
  intakes: [{ id: 'int_1', name: 'Ops alerts', count: 5 }],
};

test.each(['a"b', '"q"', 'a" b', '""', 'a""', 'plain', 'on call'])(
  'the token of %j finds just that',
  (tag) => {
    const typed = toggleToken('disk', 'tag', tag);
    expect(parseSearch(`${typed} full`)).toMatchObject({ text: 'disk full', tags: [tag] });
    expect(toggleToken(typed, 'tag', tag)).toBe('disk');
  },
);

describe('completions', () => {
  const offered = (typed: string, caret = typed.length) =>
    completionsFor(typed, caret, FACETS).map(({ label, note }) => `${label} ${note}`.trim());

  test.each([
    ['#', ['#ops 12', '#on call 3', '#billing 1']],
    ['pump #o', ['#ops 12', '#on call 3']],
    ['source:', ['source: Email 4', 'source: Web Interface 2']],
    ['source:int', []],
    ['intake:o', ['intake: Ops alerts 5']],
    ['priority:', ['priority: High', 'priority: Normal', 'priority: Low']],
    ['op', ['#ops 12', 'intake: Ops alerts 5']],
    ['zebra', []],
    ['#ops', []],
    ['pump ', []],
  ])('for %j', (typed, expected) => expect(offered(typed)).toEqual(expected));

  test('of an empty field say how to filter', () => {
    expect(offered('')).toEqual([
      '# a tag',
      'source: where it came from',
      'intake: through which address',
      'priority: high, normal, low',
    ]);
  });

  test.each([
    ['pump #o', 5],
    ['pump #ops', null],
    ['pump #zebra', null],
    ['pump', null],
  ])('of %j: what is unfinished begins at %j', (typed, from) =>
    expect(unfinishedFrom(typed, FACETS)).toBe(from),
  );

  test('take the place of what was begun, and leave what is around it', () => {
    const typed = 'disk #on full';
    const [option] = completionsFor(typed, 'disk #on'.length, FACETS);
    expect([option?.text, option?.caret]).toEqual(['disk #"on call" full', 'disk #"on call" '.length]);
    expect(begunToken('disk #"on c')).toEqual({ kind: 'tag', value: 'on c', start: 5 });
    expect(begunToken('disk full')).toBeNull();
  });
});

describe('a list in words', () => {
  test.each([
    [{ text: 'boiler' }, 'contains “boiler”'],
    [{ text: 'boiler', tags: ['a', 'b'] }, 'contains “boiler” and has #a and #b'],
    [{ tags: ['a'], source: 'email', intake: 'NAS' }, 'has #a, came from Email and came through “NAS”'],
    [{}, ''],
  ])('%j is %j', (filter, words) => expect(describeFilter({ ...NO_FILTER, ...filter })).toBe(words));

  test.each([
    ['', 'all items'],
    ['q=%23ops&order=priority', '#ops · Sort by priority'],
    ['priority=high', 'High priority'],
    ['q=priority%3Ahigh&priority=high', 'priority:high'],
    ['order=nonsense&priority=nonsense', 'all items'],
  ])('the view %j is %j', (query, words) => expect(describeQuery(query)).toBe(words));
});
