// Bytes that callers hold in memory: a limit for each caller and one in all.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '#core/domain/network.ts';
import { QinboxError } from '#core/errors.ts';
import { principalKey } from '#core/services/principal.ts';

const RETRY_SECONDS = 2;

export interface Limits {
  perCaller: number;
  inAll: number;
}

/** Bytes that a caller holds until they are released. */
export interface Hold {
  /** Changes how many bytes are held. */
  resize(bytes: number): void;
  /** Twice is fine. */
  release: () => void;
}

/** The bound that was met: of one caller, or of all. */
export type Bound = 'one' | 'all';

export interface Allowance {
  /** Holds the bytes, or returns the bound that forbids it. */
  take(caller: string, bytes: number): Hold | Bound;
  /** Bytes held by all callers. */
  total(): number;
}

/** `makeRoom` is called when all callers hold too much; it returns whether it released anything. */
export function createAllowance(
  { perCaller, inAll }: Limits,
  makeRoom: () => boolean = () => false,
): Allowance {
  const byCaller = new Map<string, number>();
  let total = 0;

  function change(caller: string, by: number): void {
    const held = (byCaller.get(caller) ?? 0) + by;
    total += by;
    if (held === 0) byCaller.delete(caller);
    else byCaller.set(caller, held);
  }

  return {
    take(caller, bytes) {
      if ((byCaller.get(caller) ?? 0) + bytes > perCaller) return 'one';
      while (total + bytes > inAll) if (!makeRoom()) return 'all';
      change(caller, bytes);
      let held = bytes;
      let isReleased = false;
      const resize = (now: number) => {
        if (isReleased) return;
        change(caller, now - held);
        held = now;
      };
      return {
        resize,
        release() {
          resize(0);
          isReleased = true;
        },
      };
    },
    total: () => total,
  };
}

/**
 * Holds bytes for the caller of a request (its key, account or address) until the answer is sent or its
 * connection closed. Returns the error to refuse the request with when a bound forbids it.
 */
export function holdFor(
  allowance: Allowance,
  { principal, ip }: FastifyRequest,
  { raw }: FastifyReply,
  bytes: number,
  { sentence, onRefused }: { sentence: string; onRefused: (bound: Bound) => void },
): Hold | QinboxError {
  const isUnknown = principal === undefined || principal.kind === 'guest';
  const hold = allowance.take(isUnknown ? networkOf(ip) : principalKey(principal), bytes);
  if (typeof hold === 'string') {
    onRefused(hold);
    const options = { retryAfterSeconds: RETRY_SECONDS };
    return hold === 'one'
      ? new QinboxError('RATE_LIMITED', sentence, options)
      : new QinboxError('SERVICE_UNAVAILABLE', undefined, options);
  }
  for (const event of ['finish', 'close']) raw.once(event, hold.release);
  return hold;
}
