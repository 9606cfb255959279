// Hashes passwords and proves them. It is slow on purpose, so nobody else may wait for it and few may wait
// for it at a time.

/** Who asks, so that nobody takes all the places. */
export interface Attempt {
  /** The address that is signed in to, normalised. */
  account: string;
  /** Where the attempt comes from; see networkOf. */
  network: string;
  /**
   * Whether somebody from there has proven this account's password before: served first, with places of its
   * own.
   */
  isKnown: boolean;
}

/**
 * Every method throws SERVICE_UNAVAILABLE or RATE_LIMITED, with Retry-After, when too many wait, and costs
 * nothing then.
 */
export interface PasswordHasher {
  /** The hash to keep. */
  hash(password: string, attempt: Attempt): Promise<string>;
  /** Whether the password is the one that was hashed. With null takes as long, and answers false. */
  verify(password: string, hash: string | null, attempt: Attempt): Promise<boolean>;
  /** Refuses what waits and lets go of everything. Twice is fine. */
  close(): Promise<void>;
}
