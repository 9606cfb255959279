import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_EXPIRY_MINUTES, MAX_TAG_CHARACTERS, MAX_TAGS } from '#core/contract/limits.ts';
import { COMMON_MARKS, SUBJECT_MARKS } from '#test/helpers/marks.ts';
import { parseQuickAdd, plainIn, withoutMarks, type Mark, type QuickAddContext } from './quick-add.ts';

const tagsOf = (marks: readonly Mark[]) => marks.flatMap((mark) => (mark.kind === 'tag' ? [mark.tag] : []));
const priorityOf = (marks: readonly Mark[]) => marks.find((mark) => mark.kind === 'priority')?.priority;
const minutesOf = (marks: readonly Mark[]) => marks.find((mark) => mark.kind === 'time')?.minutes;

test.each([...COMMON_MARKS, ...SUBJECT_MARKS])(
  '%j has the marks that it has in a mail',
  (message, text, tags, priority) => {
    const parsed = parseQuickAdd(message);
    expect([parsed.text, tagsOf(parsed.marks), priorityOf(parsed.marks)]).toEqual([text, tags, priority]);
  },
);

test.each([
  ['call Jo ~30m', 'call Jo', 30],
  ['~2h call Jo', 'call Jo', 120],
  ['renew ~3d, then rest', 'renew, then rest', 4320],
  ['someday ~1w', 'someday', 10_080],
  ['the last counts ~1h ~1m', 'the last counts', 1],
  ['~7d is the longest', 'is the longest', 10_080],
])('%j lives for a time', (message, text, minutes) => {
  const parsed = parseQuickAdd(message);
  expect([parsed.text, minutesOf(parsed.marks)]).toEqual([text, minutes]);
});

test.each([
  'too long ~8d and ~2w and ~99999h',
  'no time ~0m and ~h and ~2 and ~2y and ~2.5h',
  'about ~2M users, ~/notes, a~2h and ~2hours',
  'color: red !important',
  'https://example.com/~2h#ops and http://example.com/ #1',
  'mail a#b.example and #!high',
  '#ops!high and !high~2h',
])('%j has no marks', (message) => {
  expect(parseQuickAdd(message)).toEqual({ text: message, marks: [] });
});

test.each([
  ['fix it #ops\nsecond line', 'fix it\nsecond line'],
  ['fix it\n#ops !high\nsecond line', 'fix it\nsecond line'],
  ['fix it\n\nsecond #ops line\n\n!low', 'fix it\n\nsecond line'],
  ['- one\n  - two #ops\n  #x three', '- one\n  - two\n  three'],
  ['left  alone  \n#x done', 'left  alone  \ndone'],
])('the lines of %j stay lines', (message, text) => {
  expect(parseQuickAdd(message).text).toBe(text);
});

describe('marks', () => {
  test('are listed each once, in the order of the text, as they were typed', () => {
    expect(parseQuickAdd('!low #a x #a ~1h !HIGH #b').marks).toEqual([
      { kind: 'tag', tag: 'a', typed: '#a' },
      { kind: 'time', minutes: 60, typed: '~1h' },
      { kind: 'priority', priority: 'high', typed: '!HIGH' },
      { kind: 'tag', tag: 'b', typed: '#b' },
    ]);
  });

  test('that are to stay are text, and the one before counts', () => {
    const { text, marks } = parseQuickAdd('go !low #a !high', { plain: ['!high', '#a'] });
    expect([text, marks.map(({ typed }) => typed)]).toEqual(['go #a !high', ['!low']]);
  });

  test('that are to stay are forgotten once they are not in the text any more', () => {
    expect(plainIn('go #a, !high', ['#a', '!high', '#b', '~2h'])).toEqual(['#a', '!high']);
  });

  test('make at most 20 tags together with those that there are; the others stay in the text', () => {
    const many = Array.from({ length: 22 }, (_, index) => `#${'abcdefghijklmnopqrstuv'.charAt(index)}x`);
    const all = parseQuickAdd(`go ${many.join(' ')}`);
    expect([all.text, tagsOf(all.marks).length]).toEqual(['go #ux #vx', 20]);
    const given = Array.from({ length: 19 }, (_, index) => `given ${index}`);
    const { text, marks } = parseQuickAdd('go #given #ops #given', { tags: [...given] });
    expect([text, tagsOf(marks)]).toEqual(['go #ops', ['given']]);
  });

  test('of one kind can be taken out alone', () => {
    expect(withoutMarks('go !low #a !high', 'priority', {})).toBe('go #a');
    expect(withoutMarks('go !low #a ', 'time', {})).toBe('go !low #a ');
  });
});

describe('any message', () => {
  const piece = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom('#', '!', '~', ' ', ' ', '\n', ',', '.', ')', ':', '\t', '\u00A0'),
    },
    { weight: 3, arbitrary: fc.constantFrom('#ops', '!high', '!low', '~2h', '~30m', '~9d', '#42', '#GH-77') },
    { weight: 1, arbitrary: fc.constantFrom('a', 'high', '2h', '#é', '\uFFFF', '👩‍🚀', '\uD800', '__proto__') },
    { weight: 1, arbitrary: fc.string({ maxLength: 5 }) },
  );
  const message = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
  const context = fc.record({
    plain: fc.subarray(['#ops', '!high', '~2h']),
    tags: fc.constantFrom(
      [],
      ['ops'],
      Array.from({ length: 19 }, (_, at) => `t${at}`),
    ),
  });
  const letters = (text: string) => text.replaceAll(/\s/g, '');

  /** Whether `rest` is `all` without some of the marks, and without nothing else but white space. */
  function isWithoutMarks(all: string, rest: string, marks: ReadonlySet<string>): boolean {
    const left = letters(rest);
    // How far `left` may be read: each word stays, or goes as far as one of the marks that it begins with.
    let ends = new Set([0]);
    for (const word of all.split(/\s+/)) {
      const begun = [...marks].filter((mark) => word.startsWith(mark));
      const stays = [word, ...begun.map((mark) => word.slice(mark.length))];
      ends = new Set(
        [...ends].flatMap((end) =>
          stays.filter((each) => left.startsWith(each, end)).map((each) => end + each.length),
        ),
      );
    }
    return ends.has(left.length);
  }

  const check = (text: string, { plain = [], tags = [] }: QuickAddContext) => {
    const parsed = parseQuickAdd(text, { plain, tags });
    const typed = new Set([
      ...parsed.marks.map((mark) => mark.typed),
      // Those that do not count, for another came after them.
      ...(text.match(/!(high|low)|~(2h|30m)/gi) ?? []),
    ]);
    for (const each of plain) typed.delete(each);
    expect(isWithoutMarks(text, parsed.text, typed)).toBe(true);
    for (const mark of parsed.marks) {
      expect(text).toContain(mark.typed);
      if (mark.kind === 'tag') expect(Array.from(mark.tag).length).toBeLessThanOrEqual(MAX_TAG_CHARACTERS);
      if (mark.kind === 'time') expect(mark.minutes).toBeGreaterThanOrEqual(1);
      if (mark.kind === 'time') expect(mark.minutes).toBeLessThanOrEqual(MAX_EXPIRY_MINUTES);
    }
    const all = new Set([...tags, ...tagsOf(parsed.marks)]);
    expect(all.size).toBeLessThanOrEqual(MAX_TAGS);
    // Saved and read once more, it says the same.
    expect(parseQuickAdd(parsed.text, { plain, tags: [...all] })).toEqual({ text: parsed.text, marks: [] });
  };

  test('is read without a fault, keeps every word that is no mark, and has no marks left after that', () => {
    fc.assert(fc.property(message, context, check), { numRuns: 3000 });
  });

  test('is read in no time, however long it is', () => {
    const long = '#a !high ~2h x!#~ '.repeat(20_000);
    const start = performance.now();
    parseQuickAdd(long);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
