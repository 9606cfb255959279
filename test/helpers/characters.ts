// Made-up text of any Unicode characters, for property tests.
import fc, { type StringSharedConstraints } from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/** Any one code point but surrogates. fast-check's own `binary` first writes a table of all of them: 1 s. */
export const anyCharacter = fc.nat({ max: 0x10ffff - SURROGATES.count }).map(
  (index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count),
  (character) => {
    const point = typeof character === 'string' ? character.codePointAt(0) : undefined;
    if (point === undefined || String.fromCodePoint(point) !== character) throw new Error('Not a character.');
    return point < SURROGATES.first ? point : point - SURROGATES.count;
  },
);

/** Text of any characters, and of the names that objects have of themselves. */
export function anyText(limits: StringSharedConstraints = {}): fc.Arbitrary<string> {
  return fc.string({ ...limits, unit: anyCharacter });
}
