// Ends what a caller holds open (a live socket, a subscription) at the moment its API key expires.
import type { Clock } from '../ports/clock.ts';
import type { SignedIn } from './principal.ts';

/** The wall clock may step meanwhile: it is looked at again at least this often. */
const CHECK_MS = 60_000;

/**
 * Calls `end` once, when the key of `principal` expires: never before that time, and never for a caller whose
 * access has no such end. Returns what stops the waiting.
 */
export function atExpiry(clock: Clock, principal: SignedIn, end: () => void): () => void {
  const at = principal.kind === 'key' ? principal.expiresAt : null;
  if (at === null) return () => {};
  let timer: NodeJS.Timeout;
  const wait = (leftMs: number) => {
    timer = setTimeout(() => check(), Math.min(Math.max(0, leftMs), CHECK_MS)).unref();
  };
  function check(): void {
    const leftMs = (at as number) - clock.now();
    if (leftMs <= 0) end();
    else wait(leftMs);
  }
  wait(at - clock.now());
  return () => clearTimeout(timer);
}
