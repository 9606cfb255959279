// Hashes and verifies passwords: slow on purpose, so no other work and few callers may wait for it.

/** Who asks, so that nobody takes all the places. */
export interface Attempt {
  /** The address that is signed in to, normalised. */
  account: string;
  /** Where the attempt comes from; see networkOf. */
  network: string;
  /** Whether this account's password was proven from there before: served first, with places of its own. */
  isKnown: boolean;
}

/** Throws SERVICE_UNAVAILABLE or RATE_LIMITED, with Retry-After, at no cost, when too many wait. */
export interface PasswordHasher {
  /** The hash to keep. */
  hash(password: string, attempt: Attempt): Promise<string>;
  /** Whether the password is the one that was hashed. With null takes as long, and answers false. */
  verify(password: string, hash: string | null, attempt: Attempt): Promise<boolean>;
  /** Refuses what waits and lets go of everything. Twice is fine. */
  close(): Promise<void>;
}
