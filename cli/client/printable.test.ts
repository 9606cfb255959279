import fc from 'fast-check';
import { expect, it } from 'vitest';
import { escaped, printable } from './printable.ts';

it('JSON that is printed is the same value, and has nothing that commands a terminal', () => {
  const texts = fc.array(fc.string({ unit: 'binary' }), { minLength: 1 });
  fc.assert(
    fc.property(texts, fc.constantFrom('\u009b2J', '\u202e', '\u007f', '\u001b]0;'), (given, hostile) => {
      const value = [...given, hostile];
      const text = escaped(JSON.stringify(value));
      expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
  expect(escaped('one\n\ttwo\r\u001b[2J')).toBe('one\n\ttwo\\u000d\\u001b[2J');
});

it('what is printed has no control character left', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/\p{Cc}/u.test(printable(text))));
});
