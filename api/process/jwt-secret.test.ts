// Whatever is left in the place of the secret: a start has a whole one, the same at each later start, or
// refuses and changes nothing.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTempDir } from '#test/helpers/temp.ts';
import { readJwtSecret } from './jwt-secret.ts';

const leftover = fc.oneof(fc.constant(''), fc.string({ maxLength: 31 }), fc.constant('\n'.repeat(64)));
const whole = fc.stringMatching(/^[\w-]{32,80}$/);

function folderWith(secret: string | null, database: string | null) {
  const folder = createTempDir();
  const [file, data] = [join(folder, 'jwt-secret'), join(folder, 'qinbox.db')];
  if (secret !== null) writeFileSync(file, secret);
  if (database !== null) writeFileSync(data, database);
  return { folder, file, open: () => readJwtSecret(folder, data) };
}

describe('the secret in the data folder', () => {
  it('is made whole, kept for its owner alone, and the same at each start', () => {
    const { folder, file, open } = folderWith(null, null);
    const secret = open();
    expect(secret).toMatch(/^[\w-]{64}$/);
    expect(open()).toBe(secret);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['jwt-secret']);
  });

  it('replaces what was cut off while nothing depends on it', () => {
    fc.assert(
      fc.property(leftover, fc.constantFrom(null, ''), (text, database) => {
        const { folder, file, open } = folderWith(text, database);
        const secret = open();
        expect(secret).toMatch(/^[\w-]{64}$/);
        expect(readFileSync(file, 'utf8')).toBe(secret);
        expect(open()).toBe(secret);
        expect(readdirSync(folder).filter((name) => name !== 'qinbox.db')).toEqual(['jwt-secret']);
      }),
      { numRuns: 50 },
    );
  });

  it('refuses what was cut off beside a database, and leaves it as it is', () => {
    fc.assert(
      fc.property(leftover, (text) => {
        const { file, open } = folderWith(text, 'SQLite format 3');
        expect(open).toThrow(/^DATA_DIR holds a damaged .+jwt-secret; .*remove it/);
        expect(readFileSync(file, 'utf8')).toBe(text);
      }),
      { numRuns: 50 },
    );
  });

  it('never changes one that is whole', () => {
    fc.assert(
      fc.property(whole, fc.constantFrom(null, '', 'SQLite format 3'), (text, database) => {
        const { file, open } = folderWith(`${text}\n`, database);
        expect(open()).toBe(text);
        expect(readFileSync(file, 'utf8')).toBe(`${text}\n`);
      }),
      { numRuns: 50 },
    );
  });
});
