// How an adapter's queue stands, read without its submissions.
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { QueueState } from '#core/ports/submission-queue.ts';

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

export async function readState(redis: Redis, queue: Queue, adapter: string): Promise<QueueState> {
  const keys = ['wait', 'delayed', 'active'].map((name) => queue.toKey(name));
  const answer = await redis.eval(STATE, keys.length, ...keys, queue.toKey(''), LOOKED_AT);
  const [waiting = 0, putOff = 0, active = 0, oldest] = answer as number[];
  return {
    adapter,
    waiting: waiting + putOff,
    active,
    oldestMs: oldest === undefined ? 0 : Math.max(0, Date.now() - oldest),
  };
}
