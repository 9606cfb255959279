// Identifiers: random enough never to be guessed, sortable by the time they were made, safe in a URL.
import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = ALPHABET.length;
const TIME_CHARACTERS = 8;
const SEQUENCE_CHARACTERS = 3;
const SEQUENCE_LIMIT = BASE ** SEQUENCE_CHARACTERS;

let pool = randomBytes(4096);
let used = 0;

/** `count` characters of base62, uniform, from the system's generator (about 5.95 bits each). */
export function randomCharacters(count: number): string {
  let text = '';
  while (text.length < count) {
    if (used === pool.length) {
      pool = randomBytes(pool.length);
      used = 0;
    }
    const byte = pool[used++] as number;
    if (byte < BASE * 4) text += ALPHABET[byte % BASE];
  }
  return text;
}

/** A whole number in base62, filled with zeros at the left to `width`; text order is number order. */
export function base62(value: number, width: number): string {
  let text = '';
  for (let rest = value; text.length < width; rest = Math.floor(rest / BASE))
    text = ALPHABET[rest % BASE] + text;
  return text;
}

/** The number that {@link base62} wrote. */
export function base62Value(text: string): number {
  let value = 0;
  for (const character of text) value = value * BASE + ALPHABET.indexOf(character);
  return value;
}

/** What an id was made of: milliseconds, the place among those of one source in them, and a random number. */
export function partsOfId(id: string): { time: number; sequence: number; random: number } {
  const text = id.slice(id.indexOf('_') + 1);
  const sequenceEnd = TIME_CHARACTERS + SEQUENCE_CHARACTERS;
  return {
    time: base62Value(text.slice(0, TIME_CHARACTERS)),
    sequence: base62Value(text.slice(TIME_CHARACTERS, sequenceEnd)),
    random: base62Value(text.slice(sequenceEnd, sequenceEnd + 2)),
  };
}

/** Makes an id: `prefix`, then 22 characters of base62. `now` in milliseconds. */
export type IdSource = (prefix: string, now: number) => string;

/**
 * Ids that sort in the order in which one source made them, even within a millisecond and when the clock
 * steps back: 8 characters of time, 3 of sequence, 11 random ones (65 bits). A process has one source.
 */
export function createIdSource(): IdSource {
  let last = 0;
  let sequence = 0;
  return (prefix, now) => {
    if (now > last) {
      last = now;
      sequence = 0;
    } else if (++sequence === SEQUENCE_LIMIT) {
      last++;
      sequence = 0;
    }
    return (
      prefix + base62(last, TIME_CHARACTERS) + base62(sequence, SEQUENCE_CHARACTERS) + randomCharacters(11)
    );
  };
}
