// Bounds searches, which look at each live task of an owner: one in flight and a few waiting for each owner,
// some over all owners, and a time limit. A search over a bound is refused at once.
import { QinboxError } from '../errors.ts';

export interface SearchLimits {
  /** Of one owner, the one under way included. */
  perOwner: number;
  /** Under way at a time, each of another owner. */
  inFlight: number;
  /** Over all owners, those that wait included. */
  inAll: number;
  /** From asking to the answer. */
  timeMs: number;
}

/** The bounds of one process. */
export const SEARCH_LIMITS: SearchLimits = { perOwner: 5, inFlight: 4, inAll: 32, timeMs: 8000 };

interface Waiting {
  ownerId: string;
  begin: () => void;
}

export interface Searches {
  /**
   * Runs `work` in its turn and answers its result. `work` must end soon after its signal is aborted: when
   * the time is up, or `hungUp` is aborted. RATE_LIMITED when this owner has too many; SERVICE_UNAVAILABLE
   * when all together have, or after the time.
   */
  run<T>(ownerId: string, work: (signal: AbortSignal) => Promise<T>, hungUp?: AbortSignal): Promise<T>;
}

export function createSearches(limits: SearchLimits = SEARCH_LIMITS): Searches {
  /** How many each owner has, under way or waiting. */
  const owned = new Map<string, number>();
  /** Owners of those under way. */
  const busy = new Set<string>();
  let inAll = 0;
  let waiting: Waiting[] = [];

  function admit(ownerId: string): void {
    const mine = owned.get(ownerId) ?? 0;
    if (mine >= limits.perOwner) throw tooManyOfOwner();
    if (inAll >= limits.inAll) throw tooManyInAll();
    owned.set(ownerId, mine + 1);
    inAll++;
  }

  function leave(ownerId: string): void {
    const mine = (owned.get(ownerId) ?? 1) - 1;
    if (mine === 0) owned.delete(ownerId);
    else owned.set(ownerId, mine);
    inAll--;
  }

  /** Lets those begin whose turn it is: the first that waits of an owner who has none under way. */
  function next(): void {
    while (busy.size < limits.inFlight) {
      const first = waiting.find(({ ownerId }) => !busy.has(ownerId));
      if (first === undefined) return;
      waiting = waiting.filter((other) => other !== first);
      busy.add(first.ownerId);
      first.begin();
    }
  }

  /** Resolves when it is this owner's turn, or rejects when the signal is aborted before that. */
  function turn(ownerId: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const mine: Waiting = {
        ownerId,
        begin() {
          signal.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      function giveUp(): void {
        waiting = waiting.filter((other) => other !== mine);
        reject(signal.reason as Error);
      }
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.push(mine);
      next();
    });
  }

  async function inTurn<T>(
    ownerId: string,
    work: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    await turn(ownerId, signal);
    try {
      return await work(signal);
    } finally {
      busy.delete(ownerId);
      next();
    }
  }

  return {
    async run(ownerId, work, hungUp) {
      if (hungUp?.aborted === true) throw nobodyWaits();
      admit(ownerId);
      const end = new AbortController();
      const timer = setTimeout(() => end.abort(tookTooLong(limits.timeMs)), limits.timeMs);
      const leaveOff = () => end.abort(nobodyWaits());
      hungUp?.addEventListener('abort', leaveOff, { once: true });
      try {
        return await inTurn(ownerId, work, end.signal);
      } finally {
        clearTimeout(timer);
        hungUp?.removeEventListener('abort', leaveOff);
        leave(ownerId);
      }
    },
  };
}

function tooManyOfOwner(): QinboxError {
  return new QinboxError(
    'RATE_LIMITED',
    'Too many searches of this queue are under way. Wait for their answers, or try again in a second.',
    { retryAfterSeconds: 1 },
  );
}

function tooManyInAll(): QinboxError {
  return new QinboxError('SERVICE_UNAVAILABLE', 'Too many searches are under way. Try again in a moment.', {
    retryAfterSeconds: 2,
  });
}

function tookTooLong(timeMs: number): QinboxError {
  return new QinboxError(
    'SERVICE_UNAVAILABLE',
    `The search did not end within ${timeMs / 1000} seconds: the queue is very long, or many search just now. Try again in a moment.`,
    { retryAfterSeconds: 5 },
  );
}

/** Nobody reads this: the connection is gone. */
function nobodyWaits(): QinboxError {
  return new QinboxError('REQUEST_TIMEOUT', 'The caller went away before the search had ended.');
}
