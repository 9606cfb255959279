// The secret part of an intake's address: short and of one case, because mail servers may change the case of
// a local part and cut it after 64 characters.
import { createHash, randomBytes } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const BYTES = 16;
const SHORT_CHARACTERS = 14;

/** 26 characters of base32 in lower case (RFC 4648's alphabet without padding): 128 random bits. */
export function createIntakeToken(): string {
  return base32(randomBytes(BYTES));
}

/**
 * `A` and 14 characters, 70 bits: what clients of Gotify take for a token. Made from the token, so that it is
 * shown without being stored.
 */
export function shortTokenOf(token: string): string {
  const digest = createHash('sha256').update(`short:${token}`).digest();
  return `A${base32(digest).slice(0, SHORT_CHARACTERS)}`;
}

function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET.charAt((value >> bits) & 31);
    }
  }
  return text + ALPHABET.charAt((value << (5 - bits)) & 31);
}

/** Whether a text has the form of a short token, whatever its case. */
export function isShortTokenForm(text: string): boolean {
  return /^a[a-z2-7]{14}$/i.test(text);
}

/** Whether a text, lower-cased, has the form of a token. */
export function isTokenForm(text: string): boolean {
  return /^[a-z2-7]{26}$/.test(text.toLowerCase());
}
