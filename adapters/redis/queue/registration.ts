// Registers each queue before its first submission, so that every worker finds it.
import type { Redis } from 'ioredis';
import { isRegistered, queueName, register, type Partition } from './partitions.ts';

const PAUSE_MS = 1000;

export function createRegistration(redis: Redis, prefix: string) {
  /** By name. */
  const registered = new Set<string>();
  let closed = false;

  // After a reconnection it may be another Redis, or one that lost its data.
  redis.on('ready', () => registered.clear());

  /** The sets may have lost it, with a server. That they cannot be written now stops nothing. */
  function again(partition: Partition): void {
    register(redis, prefix, partition).catch(() => {
      if (closed) return;
      setTimeout(() => again(partition), PAUSE_MS * (1 + Math.random())).unref();
    });
  }

  return {
    /** Whether it was not known to be registered. Rejects when it cannot be. */
    async demand(partition: Partition): Promise<boolean> {
      const name = queueName(partition);
      if (registered.has(name)) return false;
      if (await isRegistered(redis, prefix, partition)) again(partition);
      else await register(redis, prefix, partition);
      registered.add(name);
      return true;
    },

    close(): void {
      closed = true;
    },
  };
}
