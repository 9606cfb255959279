// The form of an API key: `qi_`, 34 random characters, 6 that check them. Only its hash is stored.
import { hash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { base62, randomCharacters } from './ids.ts';

/** What every key begins with. */
export const KEY_PREFIX = 'qi_';
const RANDOM_CHARACTERS = 34;
const CHECK_CHARACTERS = 6;
const FORM = /^qi_[0-9A-Za-z]{40}$/;

/** A new key: 34 characters of base62 are 202 bits; the last 6 are their CRC-32, as GitHub's tokens have. */
export function createApiKeySecret(): string {
  const random = randomCharacters(RANDOM_CHARACTERS);
  return KEY_PREFIX + random + checksum(random);
}

/** Whether the text has a key's form and checksum; says nothing of whether such a key exists. */
export function isApiKeyForm(text: string): boolean {
  if (!FORM.test(text)) return false;
  const random = text.slice(KEY_PREFIX.length, -CHECK_CHARACTERS);
  return text.endsWith(checksum(random));
}

/** SHA-256 in hex, for storing and finding. Over 200 random bits need no slow hash. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/** The parts of a key that lists may show: its first 8 and last 4 characters. */
export function keyHint(key: string): { prefix: string; last4: string } {
  return { prefix: key.slice(0, 8), last4: key.slice(-4) };
}

function checksum(random: string): string {
  return base62(crc32(random), CHECK_CHARACTERS);
}

/** Compares two secrets in a time that tells nothing of where they differ. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(a)), Buffer.from(hashSecret(b)));
}
