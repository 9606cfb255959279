// Generated secrets of intakes.
import { randomHex } from '../../../lib/random-id.ts';

/** 160 random bits as 40 hex digits, which every sender's form takes. */
export function randomSecret(): string {
  return randomHex(20);
}
