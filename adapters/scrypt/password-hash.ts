// Passwords, hashed with scrypt (RFC 7914) and a salt each. Slow on the calling thread: call it from a thread
// that nothing else waits for.
import { randomBytes, scryptSync, timingSafeEqual, type ScryptOptions } from 'node:crypto';

/** What one hash costs: 128 · N · r bytes of memory, and time that grows with N · r · p. */
export interface HashCost {
  N: number;
  r: number;
  p: number;
}

/** 32 MiB and 0.1 to 0.2 s of one core each: OWASP's second recommended setting for scrypt. */
export const RECOMMENDED_COST: HashCost = { N: 32_768, r: 8, p: 3 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** Node refuses more than this by default; N=32768, r=8 takes 32 MiB and a little. */
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;

/** The hash to keep, with its parameters: `scrypt$N$r$p$salt$key`, the last two in base64url. */
export function hashPassword(password: string, cost = RECOMMENDED_COST): string {
  const salt = randomBytes(SALT_BYTES);
  const key = derive(password, salt, cost);
  const { N, r, p } = cost;
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Whether the password is the one that was hashed. With null takes as long as `cost` and answers false. */
export function verifyPassword(password: string, hash: string | null, cost = RECOMMENDED_COST): boolean {
  if (hash === null) {
    derive(password, Buffer.alloc(SALT_BYTES), cost);
    return false;
  }
  const [scheme, N, r, p, salt, key] = hash.split('$');
  if (scheme !== 'scrypt' || salt === undefined || key === undefined) return false;
  const expected = Buffer.from(key, 'base64url');
  const options = { N: Number(N), r: Number(r), p: Number(p) };
  const derived = derive(password, Buffer.from(salt, 'base64url'), options);
  return derived.length === expected.length && timingSafeEqual(derived, expected);
}

// The same text may be typed in several Unicode forms (NIST SP 800-63B, 5.1.1.2).
function derive(password: string, salt: Buffer, options: ScryptOptions): Buffer {
  return scryptSync(password.normalize('NFKC'), salt, KEY_BYTES, { ...options, maxmem: MAX_MEMORY_BYTES });
}
