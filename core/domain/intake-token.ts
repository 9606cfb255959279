// The secret part of an intake's address: short and of one case, because mail servers may change the case of
// a local part and cut it after 64 characters.
import { randomBytes } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const BYTES = 16;

/** 26 characters of base32 in lower case (RFC 4648's alphabet without padding): 128 random bits. */
export function createIntakeToken(): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of randomBytes(BYTES)) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET.charAt((value >> bits) & 31);
    }
  }
  return text + ALPHABET.charAt((value << (5 - bits)) & 31);
}

/** Whether a text, lower-cased, has the form of a token. */
export function isTokenForm(text: string): boolean {
  return /^[a-z2-7]{26}$/.test(text.toLowerCase());
}
