// Waits, for a limited time, until a connection to Redis can be used.
import type { Redis } from 'ioredis';
import { withTimeLimit } from '#core/time-limit.ts';

/** Rejects when the connection cannot be used within `limitMs` of when it broke. */
export function createReadiness(redis: Redis, limitMs: number): () => Promise<void> | void {
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

  function wait(leftMs: number): Promise<void> {
    if (leftMs <= 0 || redis.status === 'end') return Promise.reject(lastError);
    const ready = Promise.withResolvers<void>();
    waiting.add(ready.resolve);
    return withTimeLimit(leftMs, ready.promise, () => {
      throw lastError;
    }).finally(() => waiting.delete(ready.resolve));
  }

  return () => {
    if (redis.status === 'ready') return;
    return wait((broken ? brokenAt : performance.now()) + limitMs - performance.now());
  };
}
