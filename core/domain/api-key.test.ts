// The form of API keys: a typo is told from a key that does not exist, and nothing but the hash and a hint is
// kept.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createApiKeySecret, hashSecret, isApiKeyForm, keyHint, KEY_PREFIX } from './api-key.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('an API key', () => {
  it('is qi_ and 40 characters of base62, never twice the same', () => {
    const keys = Array.from({ length: 1000 }, () => createApiKeySecret());
    for (const key of keys) {
      expect(key).toMatch(/^qi_[0-9A-Za-z]{40}$/);
      expect(isApiKeyForm(key)).toBe(true);
    }
    expect(new Set(keys).size).toBe(1000);
  });

  it('is not taken for one after any single wrong character', () => {
    for (const key of [createApiKeySecret(), createApiKeySecret()]) {
      let typos = 0;
      for (let at = KEY_PREFIX.length; at < key.length; at++)
        for (const wrong of ALPHABET) {
          if (wrong === key[at]) continue;
          typos++;
          if (isApiKeyForm(key.slice(0, at) + wrong + key.slice(at + 1)))
            throw new Error(`at ${at}: ${wrong}`);
        }
      expect(typos).toBe(40 * 61);
    }
  });

  it('is not taken for one after two neighbours changed places', () => {
    const key = createApiKeySecret();
    for (let at = KEY_PREFIX.length; at + 1 < key.length; at++) {
      const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
      expect(isApiKeyForm(swapped)).toBe(swapped === key);
    }
  });

  it('is nothing cut off, longer, in other letters or around other text', () => {
    const key = createApiKeySecret();
    for (const text of [
      '',
      KEY_PREFIX,
      key.slice(0, -1),
      `${key}0`,
      ` ${key}`,
      `${key}\n`,
      key.replace('qi_', 'QI_'),
    ])
      expect(isApiKeyForm(text)).toBe(false);
    fc.assert(fc.property(fc.string(), (text) => !isApiKeyForm(text)));
  });

  it('shows its first 8 and last 4 characters', () => {
    expect(keyHint('qi_abcdefghijklmnop')).toEqual({ prefix: 'qi_abcde', last4: 'mnop' });
  });
});

describe('a stored secret', () => {
  it('is its SHA-256 in hex (FIPS 180-4 example)', () => {
    expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
