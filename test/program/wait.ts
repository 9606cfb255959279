// Waiting for a condition: what tests do in place of sleeping.
import { setTimeout as pause } from 'node:timers/promises';

const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [5, 200];

/**
 * Asks until the answer is something; fails after `timeoutMs` with what was waited for. The limit is there
 * for what never comes: it says nothing of how fast anything is, which a test on a shared machine cannot
 * know.
 */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T> | T,
  timeoutMs = 300_000,
): Promise<Exclude<T, false | null | undefined>> {
  const began = performance.now();
  for (;;) {
    const askedAt = performance.now();
    const answer = await ask();
    if (answer !== false && answer !== null && answer !== undefined)
      return answer as Exclude<T, false | null | undefined>;
    const now = performance.now();
    if (now > began + timeoutMs) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    // Asking more rarely, the longer it takes, leaves the processor to the program that is waited for.
    const pauseMs = Math.max(MIN_PAUSE_MS, (now - began) / 8, now - askedAt);
    await pause(Math.min(MAX_PAUSE_MS, pauseMs));
  }
}
