// What a subject says to the inbox, and what it only says to people.
import { expect, test } from 'vitest';
import { COMMON_MARKS, SUBJECT_MARKS } from '#test/helpers/marks.ts';
import { collapsePrefixes, readMarks } from './subject.ts';

test.each([...COMMON_MARKS, ...SUBJECT_MARKS, ['!important: go', ': go', [], 'high'] as const])(
  'the marks of %j',
  (subject, text, tags, priority) => {
    expect(readMarks(subject)).toEqual({ text, tags, ...(priority === undefined ? {} : { priority }) });
  },
);

test.each([
  ['Re: Re: RE: Fwd: X', 'Re: X'],
  ['AW: WG: Angebot', 'Re: Angebot'],
  ['Fwd: Re: X', 'Fwd: X'],
  ['[Fwd: Re: X]', 'Fwd: X'],
  ['SV: VS: Odp: X', 'Re: X'],
  ['回复：转发：你好', 'Re: 你好'],
  ['Re[2]: X', 'Re: X'],
  ['Re: [list] Re: [list] X', 'Re: [list] X'],
  ['[list] Re: X', 'Re: [list] X'],
  ['R: Riunione', 'Re: Riunione'],
  ['Results: all green', 'Results: all green'],
  ['i: lower-case', 'i: lower-case'],
  ['Re:', 'Re:'],
  ['', ''],
])('the prefixes of %j collapse to %j', (subject, expected) => {
  expect(collapsePrefixes(subject)).toBe(expected);
});
