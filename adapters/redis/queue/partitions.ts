// The queues of a way in: its owners are divided among them by hash, so that on a Redis Cluster its
// submissions are on several servers. How many there are may differ between processes, and change: every
// queue that a submission ever went to is registered, and worked on by every worker.
import type { Redis } from 'ioredis';
import { hashOf } from '../hash.ts';

export interface Partition {
  adapter: string;
  /** From 0. */
  number: number;
}

/** Which of this many queues of the way in the owner's submissions go to. */
export function partitionOf(adapter: string, ownerId: string, count: number): Partition {
  return { adapter, number: count === 1 ? 0 : hashOf(ownerId) % count };
}

/** All of this many queues of the way in. */
export function partitionsOf(adapter: string, count: number): Partition[] {
  return Array.from({ length: count }, (_, number) => ({ adapter, number }));
}

/** In braces, so that all keys of a queue are on one server of a cluster. The first has the plain name. */
export function queueName({ adapter, number }: Partition): string {
  return number === 0 ? `{${encodeURIComponent(adapter)}}` : `{${memberOf(adapter, number)}}`;
}

/** The set of the adapters that ever submitted: each has a first queue. */
const adaptersKey = (prefix: string): string => `${prefix}:adapters`;
/** The set of the other queues. Programs that know of one queue a way read only the set of adapters. */
const partitionsKey = (prefix: string): string => `${prefix}:partitions`;
const memberOf = (adapter: string, number: number): string => `${encodeURIComponent(adapter)}/${number}`;

export async function register(redis: Redis, prefix: string, partition: Partition): Promise<void> {
  const { adapter, number } = partition;
  if (number > 0) await redis.sadd(partitionsKey(prefix), memberOf(adapter, number));
  await redis.sadd(adaptersKey(prefix), adapter);
  await redis.set(registeredKey(prefix, partition), '1');
}

/** Is there once the queue is registered: on its own server, as the sets may be on one that is away. */
const registeredKey = (prefix: string, partition: Partition): string =>
  `${prefix}:${queueName(partition)}:registered`;

/** Whether the queue was registered, as its own server has it. */
export async function isRegistered(redis: Redis, prefix: string, partition: Partition): Promise<boolean> {
  return (await redis.exists(registeredKey(prefix, partition))) > 0;
}

/** The queues that are registered: the first of each adapter, and the others, each from a set of its own. */
export function readSets(redis: Redis, prefix: string): Promise<Partition[]>[] {
  return [
    redis
      .smembers(adaptersKey(prefix))
      .then((adapters) => adapters.map((adapter) => ({ adapter, number: 0 }))),
    redis.smembers(partitionsKey(prefix)).then((members) => members.map(partitionIn)),
  ];
}

function partitionIn(member: string): Partition {
  const [adapter = '', number] = member.split('/');
  return { adapter: decodeURIComponent(adapter), number: Number(number) };
}

/**
 * The part of a bound over all of a way's queues that one of them has: all parts of the `count` queues that
 * are submitted to are the bound together. One that is left of a larger number may carry out one at a time.
 */
export function shareOf(total: number, { number }: Partition, count: number): number {
  if (number >= count) return 1;
  return Math.max(1, Math.floor(total / count) + (number < total % count ? 1 : 0));
}
