// What a text search finds: the text in either case, as it is and not as a pattern, in the texts that count.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTextSearch, lowerAscii, patternOf, plainPartOf, type SearchedTexts } from './text-search.ts';

const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 8 });
const texts = (fields: Partial<SearchedTexts> = {}): SearchedTexts => ({
  content: '',
  tags: [],
  source: '',
  metadata: {},
  intake: null,
  ...fields,
});

describe('a text search', () => {
  it('finds every text within another, and nothing in none', () => {
    fc.assert(
      fc.property(text, text, text, (before, wanted, after) => {
        const find = createTextSearch(wanted);
        expect(find(texts({ content: before + wanted + after }))).toBe(true);
        expect(find(texts({ metadata: { from: wanted, body: 1 } }))).toBe(true);
        expect(find(texts({ metadata: { subject: wanted, intake: wanted } }))).toBe(false);
      }),
    );
  });

  it('finds what is the same but for the case of A to Z, and nothing that differs in more', () => {
    const ascii = fc.string({
      unit: fc.constantFrom('a', 'A', 'z', 'Z', '0', '.', '*', '[', '\\'),
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(ascii, ascii, (wanted, content) => {
        const isIn = content.toLowerCase().includes(wanted.toLowerCase());
        expect(createTextSearch(wanted)(texts({ content }))).toBe(isIn);
      }),
    );
  });

  it.each([
    ['ÄRGER', 'ärger', true],
    ['жук', 'ЖУК', true],
    ['ß', 'SS', false],
    ['k', '\u212A', false],
    ['İ', 'i', false],
    ['σ', 'Σ', true],
  ])('for %s in %s answers %s', (wanted, content, found) => {
    expect(createTextSearch(wanted)(texts({ content }))).toBe(found);
  });
});

it('the plain part of a text is in whatever the text is found in', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('a', 'B', 'é', 'É', 'ß', '🛟', '"', '\\', '\n', 'ſ', '\u212A'),
        minLength: 1,
      }),
      (wanted) => {
        const plain = plainPartOf(wanted);
        for (const content of [wanted, wanted.toLowerCase(), wanted.toUpperCase()])
          if (new RegExp(patternOf(wanted), 'u').test(content)) expect(lowerAscii(content)).toContain(plain);
      },
    ),
  );
});
