// Texts that would take the engine seconds to build are refused before they are built.
import { describe, expect, it } from 'vitest';
import { invalid } from '#core/errors.ts';
import { parseBody, parseJson } from './body.ts';
import { structureFault } from './json-structure.ts';

const list = (count: number, item: (index: number) => string) =>
  `[${Array.from({ length: count }, (_, index) => item(index)).join(',')}]`;
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const field = (name: string) => `{"${name}":"some text that makes it long"}`;

describe('what is in a JSON text', () => {
  it.each<[string, string]>([
    ['brackets in a text', `{"a":"${'['.repeat(5000)}\\"${'{'.repeat(5000)}"}`],
    ['a thousand levels', nested(1000)],
    ['half a million objects with the same fields', list(499_999, () => '{"a":1}')],
    ['many fields in a short text', list(40_000, (index) => `{"k${index}":1}`)],
    ['two million values', list(2_000_000, () => '1')],
    ['what is no JSON', ']]]]],,::'],
  ])('may be %s', (_name, text) => {
    expect(structureFault(text)).toBeNull();
  });

  it.each<[string, string, string]>([
    ['more levels', nested(1001), 'must not nest deeper than 1000 levels'],
    ['more objects', list(500_000, () => '{}'), 'must not have over 500000 objects and lists'],
    ['more values', list(2_000_002, () => '1'), 'or 2000000 values'],
    [
      'ever other fields in a long text',
      list(40_000, (index) => field(`k${index}`)),
      'must not have over 30000 different fields',
    ],
  ])('may not be %s', (_name, text, fault) => {
    expect(structureFault(text)).toContain(fault);
  });

  it('is asked before a body is built, and not of a file that the operator names', () => {
    expect(parseJson(Buffer.from(nested(1001)))).toHaveLength(1);
    expect(() => parseBody(Buffer.from(nested(1001)))).toThrow(
      invalid([{ field: '', message: 'the body must not nest deeper than 1000 levels' }]),
    );
  });
});
