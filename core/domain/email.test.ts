// Which addresses can be an account's, and that no two of them look alike.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '#test/helpers/characters.ts';
import { readEmail, storedForms } from './email.ts';

describe('an e-mail address', () => {
  it.each([
    ['  Ada@Example.COM\n', 'ada@example.com'],
    ['owner@localhost', 'owner@localhost'],
    ["o'brien+tag@mail.example.co.uk", "o'brien+tag@mail.example.co.uk"],
    ['ann@Bücher.example', 'ann@xn--bcher-kva.example'],
    ['ann@ｅxample.com', 'ann@example.com'],
  ])('%j is kept as %j', (given, email) => {
    expect(readEmail(given)).toEqual({ email });
  });

  it('of a domain that only looks like another is another, and seen to be', () => {
    expect(readEmail('ann@ex\u0430mple.com')).toEqual({ email: 'ann@xn--exmple-4nf.com' });
  });

  it.each([
    'nobody',
    '@example.com',
    'ann@',
    'ann@@example.com',
    'ann@b@example.com',
    'ann@example..com',
    'ann@-example.com',
    'ann@[127.0.0.1]',
    'ann@example.com/path',
    'ann@exämple.com:80',
    'ann@exämple.com/path',
    '"ab"@example.com',
    'ann<b>@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ann@${'a.'.repeat(126)}example.com`,
  ])('%j is refused', (text) => {
    expect(readEmail(text)).toEqual({ fault: 'must be an e-mail address' });
  });

  it.each([
    'ann\u0000@example.com',
    'ann@example.com\u0000',
    'a\u200bnn@example.com',
    'ann@exam\u00adple.com',
    'ann@exam\u200bple.com',
    '\ufeffann@example.com',
    'an\u202en@example.com',
    'an n@example.com',
    'ann@exa mple.com',
    'ann\u00a0@example.com',
  ])('%j, with what nobody sees in it, is refused', (text) => {
    expect(readEmail(text)).toEqual({ fault: expect.stringContaining('unseen characters') });
  });

  it.each(['аnn@example.com', 'jörg@example.com', '\u212aate@example.com', 'ａnn@example.com'])(
    '%j, with letters that others are taken for before the @, is refused',
    (text) => {
      expect(readEmail(text)).toEqual({ fault: expect.stringContaining('before the @') });
    },
  );

  it('is one form for all that is the same, and in it once read, whatever was given', () => {
    const character = fc.oneof(
      fc.constantFrom('a', 'B', '.', '@', '-', 'ä', '\u0430', '\u212a', '\u200b', '\u0000', ' ', '／', '。'),
      anyCharacter,
    );
    const text = fc.array(character, { maxLength: 20 }).map((characters) => characters.join(''));
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          fc.tuple(text, text).map(([local, domain]) => `${local}@${domain}`),
        ),
        (given) => {
          const reading = readEmail(given);
          if ('fault' in reading) return;
          expect(reading.email).toMatch(/^[\x21-\x7e]+$/);
          expect(readEmail(reading.email)).toEqual(reading);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('an account that is stored in the form of before', () => {
  it('is looked for as well', () => {
    expect(storedForms('Jörg@example.com')).toEqual(['jörg@example.com']);
    expect(storedForms('ann@Bücher.example')).toEqual(['ann@xn--bcher-kva.example', 'ann@bücher.example']);
    expect(storedForms('Ann@[10.0.0.1]')).toEqual(['ann@[10.0.0.1]']);
  });

  it('is not found by what only looks like its address', () => {
    expect(storedForms('\u212aate@example.com')).toEqual([]);
    expect(storedForms('ａnn@example.com')).toEqual([]);
    expect(storedForms('\ufeffann@example.com')).toEqual(['\ufeffann@example.com']);
    expect(storedForms(' Ann@example.com')).toEqual(['ann@example.com']);
  });
});
