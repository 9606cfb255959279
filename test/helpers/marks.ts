// Marks in the line that a task is made of, and what is left of it: one table for all who read them.
import type { Priority } from '#core/contract/index.ts';

type Line = readonly [text: string, rest: string, tags: readonly string[], priority: Priority | undefined];

/** In mail, in Slack and in the web app. */
export const COMMON_MARKS: readonly Line[] = [
  ['Pay rent #home !high', 'Pay rent', ['home'], 'high'],
  ['#ops disk full on db1', 'disk full on db1', ['ops'], undefined],
  ['!low call Bob #ops', 'call Bob', ['ops'], 'low'],
  ['!urgent #a/b #ümläut_1 go', 'go', ['a/b', 'ümläut_1'], 'high'],
  ['back to !Normal', 'back to', [], 'normal'],
  ['#42 and #1a', '#42 and #1a', [], undefined],
  ['C# and a#b and !highway and wow!high', 'C# and a#b and !highway and wow!high', [], undefined],
  ['see https://example.com/#part!high', 'see https://example.com/#part!high', [], undefined],
  ['a ! b # c', 'a ! b # c', [], undefined],
];

/** In subjects of mails and in the web app: with punctuation around them, and numbers of tickets. */
export const SUBJECT_MARKS: readonly Line[] = [
  ['Call Jo !low, then Kim', 'Call Jo, then Kim', [], 'low'],
  ['twice #a #a !low !normal', 'twice', ['a'], 'normal'],
  ['#only !high', '', ['only'], 'high'],
  ['PR #42 and #INC0012345 and #GH-77', 'PR #42 and #INC0012345 and #GH-77', [], undefined],
  ['Done #yes. Really!', 'Done. Really!', ['yes'], undefined],
  ['(for #v1.2) at last', '(for) at last', ['v1.2'], undefined],
  [`long #${'x'.repeat(50)}`, 'long', ['x'.repeat(50)], undefined],
  [`too long #${'x'.repeat(51)}`, `too long #${'x'.repeat(51)}`, [], undefined],
];
