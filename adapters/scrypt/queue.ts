// The short queue of the thread that hashes, with shares for accounts and networks. Known callers come first.
import { QinboxError } from '#core/errors.ts';
import type { Attempt } from '#core/ports/password-hasher.ts';

/** Places in all. A hash takes 0.1 to 0.2 s of a core: the last one waits for a second or two. */
const MAX_WAITING = 8;
/** Further places, for those who are known. */
const MAX_WAITING_KNOWN = 4;
/** Places of one network, and of one account for all networks where it is not known. */
const MAX_SHARE = 2;
/** About as long as all who wait take. */
const RETRY_SECONDS = 2;

export interface Waiting {
  attempt: Attempt;
  work: HashWork;
  resolve(result: string | boolean): void;
  reject(error: unknown): void;
}

export type HashWork =
  | { kind: 'hash'; password: string }
  | { kind: 'verify'; password: string; hash: string | null };

export function createHashQueue() {
  const known: Waiting[] = [];
  const others: Waiting[] = [];

  function checkRoom({ account, network, isKnown }: Attempt): void {
    const line = isKnown ? known : others;
    const isFull = line.length >= (isKnown ? MAX_WAITING_KNOWN : MAX_WAITING);
    const inLine = (same: (attempt: Attempt) => boolean) =>
      line.filter(({ attempt }) => same(attempt)).length >= MAX_SHARE;
    if (inLine((other) => other.network === network) || inLine((other) => other.account === account))
      throw new QinboxError('RATE_LIMITED', 'Too many attempts at once. Try again in a moment.', {
        retryAfterSeconds: RETRY_SECONDS,
      });
    if (isFull)
      throw new QinboxError(
        'SERVICE_UNAVAILABLE',
        'Too many people are signing in right now. Try again in a moment.',
        { retryAfterSeconds: RETRY_SECONDS },
      );
  }

  return {
    /** Throws SERVICE_UNAVAILABLE when it is full, RATE_LIMITED when the account or network has its share. */
    add(waiting: Waiting): void {
      checkRoom(waiting.attempt);
      (waiting.attempt.isKnown ? known : others).push(waiting);
    },
    /** Removes and returns the next one. */
    shift: () => known.shift() ?? others.shift(),
  };
}
