// Passwords: hashed with scrypt (RFC 7914) and a salt of their own, so that a stolen file does not give them away.
import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';

/** 32 MiB and about 60 ms of one core each: OWASP's second recommended setting for scrypt. */
const PARAMETERS = { N: 32_768, r: 8, p: 3 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** Node refuses more than this by default; N=32768, r=8 takes 32 MiB and a little. */
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;

/** The hash to keep, with its parameters: `scrypt$N$r$p$salt$key`, the last two in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, PARAMETERS);
  const { N, r, p } = PARAMETERS;
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Whether the password is the one that was hashed. With null, takes as long and answers false. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const [scheme, N, r, p, salt, key] = (hash ?? (await nobody())).split('$');
  if (scheme !== 'scrypt' || salt === undefined || key === undefined) return false;
  const expected = Buffer.from(key, 'base64url');
  const derived = await derive(password, Buffer.from(salt, 'base64url'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  return derived.length === expected.length && timingSafeEqual(derived, expected) && hash !== null;
}

let nobodysHash: Promise<string> | undefined;

// Somebody unknown is compared with this, so that the time tells nothing.
function nobody(): Promise<string> {
  nobodysHash ??= hashPassword(randomBytes(SALT_BYTES).toString('base64url'));
  return nobodysHash;
}

// The same text may be typed in several Unicode forms (NIST SP 800-63B, 5.1.1.2).
function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((done, fail) => {
    scrypt(
      password.normalize('NFKC'),
      salt,
      KEY_BYTES,
      { ...options, maxmem: MAX_MEMORY_BYTES },
      (error, key) => (error === null ? done(key) : fail(error)),
    );
  });
}
