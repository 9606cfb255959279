// Waits, for a limited time, until a connection to Redis can be used.
import type { Redis } from 'ioredis';
import { withTimeLimit } from '#core/time-limit.ts';

export interface Readiness {
  /** Rejects when the connection cannot be used within the limit of when it broke. */
  wait(): Promise<void> | void;
  /** Why it cannot be used, as far as is known. */
  fault(): Error;
}

export function createReadiness(redis: Redis, limitMs: number): Readiness {
  const waiting = new Set<() => void>();
  let brokenAt = performance.now();
  let broken = true;
  let lastError: Error = new Error('not connected yet');

  redis.on('error', (error) => {
    lastError = error;
  });
  redis.on('close', () => {
    if (!broken) brokenAt = performance.now();
    broken = true;
  });
  redis.on('ready', () => {
    broken = false;
    for (const resolve of waiting) resolve();
  });

  function waitFor(leftMs: number): Promise<void> {
    if (leftMs <= 0 || redis.status === 'end') return Promise.reject(lastError);
    const ready = Promise.withResolvers<void>();
    waiting.add(ready.resolve);
    return withTimeLimit(leftMs, ready.promise, () => {
      throw lastError;
    }).finally(() => waiting.delete(ready.resolve));
  }

  return {
    wait() {
      if (redis.status === 'ready') return;
      return waitFor((broken ? brokenAt : performance.now()) + limitMs - performance.now());
    },
    fault: () => (broken ? lastError : new Error('no answer in time')),
  };
}
