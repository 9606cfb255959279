// How the queues of an adapter stand, read without their submissions.
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { QueueState } from '#core/ports/submission-queue.ts';
import { listPartitions, type Partition } from './partitions.ts';

/** Of those put off, only so many are asked for their age: the next and the last to be tried. */
const LOOKED_AT = 50;

// At one moment: what moves from one to another in between would be in neither. A full Redis refuses even
// reads within MULTI, but not this. KEYS: those that wait, that are put off, that are active. ARGV: prefix of
// the keys of jobs, and of how many the age is read. Answers the three counts, and when the oldest was added.
const STATE = `#!lua flags=no-writes,allow-oom
local ids = redis.call('LRANGE', KEYS[1], -1, -1)
for _, range in ipairs({ { 0, ARGV[2] - 1 }, { -ARGV[2], -1 } }) do
  for _, id in ipairs(redis.call('ZRANGE', KEYS[2], range[1], range[2])) do ids[#ids + 1] = id end
end
local oldest
for _, id in ipairs(ids) do
  local added = tonumber(redis.call('HGET', ARGV[1] .. id, 'timestamp') or nil)
  if added and (not oldest or added < oldest) then oldest = added end
end
return { redis.call('LLEN', KEYS[1]), redis.call('ZCARD', KEYS[2]), redis.call('LLEN', KEYS[3]), oldest }`;

/** One for each adapter, by name: of all of its queues together. */
export async function readStates(
  redis: Redis,
  prefix: string,
  queueOf: (partition: Partition) => Queue,
): Promise<QueueState[]> {
  const found = [...(await listPartitions(redis, prefix))].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Promise.all(
    found.map(async ([adapter, partitions]) => {
      const parts = await Promise.all(partitions.map((each) => readPart(redis, queueOf(each))));
      return { adapter, ...together(parts) };
    }),
  );
}

function together(parts: readonly Part[]): Part {
  const sum = (valueOf: (part: Part) => number) => parts.reduce((all, part) => all + valueOf(part), 0);
  return {
    waiting: sum((part) => part.waiting),
    active: sum((part) => part.active),
    oldestMs: Math.max(0, ...parts.map((part) => part.oldestMs)),
  };
}

type Part = Omit<QueueState, 'adapter'>;

async function readPart(redis: Redis, queue: Queue): Promise<Part> {
  const keys = ['wait', 'delayed', 'active'].map((name) => queue.toKey(name));
  const answer = await redis.eval(STATE, keys.length, ...keys, queue.toKey(''), LOOKED_AT);
  const [waiting = 0, putOff = 0, active = 0, oldest] = answer as number[];
  return { waiting: waiting + putOff, active, oldestMs: oldest === undefined ? 0 : Date.now() - oldest };
}
