// Waiting for a condition: what tests do in place of sleeping.
import { setTimeout as pause } from 'node:timers/promises';

const MAX_PAUSE_MS = 25;

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
  const deadline = Date.now() + timeoutMs;
  let pauseMs = 5;
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== null && answer !== undefined)
      return answer as Exclude<T, false | null | undefined>;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await pause(pauseMs);
    // Asking more rarely leaves the processor to the program that is waited for.
    pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 1.5);
  }
}
