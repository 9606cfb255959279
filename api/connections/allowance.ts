// Memory that callers hold: so many bytes for each of them, and so many in all.
import type { FastifyRequest } from 'fastify';
import { networkOf } from '#core/domain/network.ts';
import { QinboxError } from '#core/errors.ts';
import { principalKey } from '#core/services/principal.ts';

const RETRY_SECONDS = 2;

export interface Limits {
  perCaller: number;
  inAll: number;
}

/** What one caller holds until it is released. */
export interface Hold {
  /** How many bytes it is. */
  resize(bytes: number): void;
  /** Twice is fine. */
  release(): void;
}

/** Whose bound was met. */
export type Bound = 'one' | 'all';

export interface Allowance {
  /** What is held from now on, or which bound forbids it. */
  take(caller: string, bytes: number): Hold | Bound;
  /** Bytes that are held. */
  total(): number;
}

/** `makeRoom` is asked when all hold too much, and says whether it got something released. */
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
      return createHold(bytes, (by) => change(caller, by));
    },
    total: () => total,
  };
}

function createHold(bytes: number, change: (by: number) => void): Hold {
  let held = bytes;
  let isReleased = false;
  const resize = (now: number) => {
    if (isReleased) return;
    change(now - held);
    held = now;
  };
  return {
    resize,
    release() {
      resize(0);
      isReleased = true;
    },
  };
}

/** Takes for whoever makes the request: its key, its account, or its address. */
export function holdFor(
  allowance: Allowance,
  { principal, ip }: FastifyRequest,
  bytes: number,
):
  | { kind: 'held'; hold: Hold }
  | { kind: 'refused'; bound: Bound; error: (sentence: string) => QinboxError } {
  const isUnknown = principal === undefined || principal.kind === 'guest';
  const hold = allowance.take(isUnknown ? networkOf(ip) : principalKey(principal), bytes);
  if (typeof hold !== 'string') return { kind: 'held', hold };
  const options = { retryAfterSeconds: RETRY_SECONDS };
  return {
    kind: 'refused',
    bound: hold,
    error: (sentence) =>
      hold === 'one'
        ? new QinboxError('RATE_LIMITED', sentence, options)
        : new QinboxError('SERVICE_UNAVAILABLE', undefined, options),
  };
}
