// What a subject says to the inbox, and what it only says to people.
import { expect, test } from 'vitest';
import { collapsePrefixes, readMarks } from './subject.ts';

test.each([
  ['Pay rent #home !high', 'Pay rent', ['home'], 'high'],
  ['#ops disk full on db1', 'disk full on db1', ['ops'], undefined],
  ['Call Jo !low, then Kim', 'Call Jo, then Kim', [], 'low'],
  ['!urgent #a/b #ümläut_1 go', 'go', ['a/b', 'ümläut_1'], 'high'],
  ['twice #a #a !low !normal', 'twice', ['a'], 'normal'],
  ['#only !high', '', ['only'], 'high'],
  ['PR #42 and #INC0012345 and #GH-77', 'PR #42 and #INC0012345 and #GH-77', [], undefined],
  ['C# and a#b and !highway and wow!high', 'C# and a#b and !highway and wow!high', [], undefined],
  ['Done #yes. Really!', 'Done. Really!', ['yes'], undefined],
])('the marks of %j', (subject, text, tags, priority) => {
  expect(readMarks(subject)).toEqual({ text, tags, ...(priority === undefined ? {} : { priority }) });
});

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
