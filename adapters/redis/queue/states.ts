// How the queues of an adapter stand, read without their submissions.
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { QueueState } from '#core/ports/submission-queue.ts';
import { withTimeLimit } from '#core/time-limit.ts';
import { queueName, type Partition } from './partitions.ts';
import type { QueueList } from './queue-list.ts';

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

export interface StateReader {
  /** Rejects when nothing answers. Those who ask while it is read have the same answer. */
  read(): Promise<QueueState[]>;
}

/**
 * Reads the states of adapters, by name: of all queues of each together. A server of a cluster that does
 * not answer is waited for `limitMs`, once: all that is known is asked for at the same time.
 */
export function createStateReader(
  redis: Redis,
  list: QueueList,
  queueOf: (partition: Partition) => Queue,
  limitMs: number,
): StateReader {
  let reading: Promise<QueueState[]> | undefined;

  async function readAll(): Promise<QueueState[]> {
    const parts = new Map<string, Promise<Part | null>>();
    function partOf(partition: Partition): Promise<Part | null> {
      const name = queueName(partition);
      const begun = parts.get(name);
      if (begun !== undefined) return begun;
      const part = withTimeLimit(limitMs, readPart(redis, queueOf(partition))).catch(() => null);
      parts.set(name, part);
      return part;
    }
    const before = list.known();
    for (const partition of [...before.listed, ...before.assumed]) void partOf(partition);
    const { listed, assumed, faults } = await list.read();
    const answers = await Promise.all(
      [...listed, ...assumed].map(async (each) => ({ adapter: each.adapter, part: await partOf(each) })),
    );
    const [fault] = faults;
    if (fault !== undefined && answers.every(({ part }) => part === null)) throw fault;
    const lists = fault === undefined ? 0 : 1;
    return [...Map.groupBy(answers, ({ adapter }) => adapter)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([adapter, own]) => {
        const answered = own.flatMap(({ part }) => (part === null ? [] : [part]));
        return { adapter, ...together(answered), unanswered: own.length - answered.length + lists };
      });
  }

  return {
    read: () => (reading ??= readAll().finally(() => (reading = undefined))),
  };
}

function together(parts: readonly Part[]): Part {
  const sum = (valueOf: (part: Part) => number) => parts.reduce((all, part) => all + valueOf(part), 0);
  return {
    waiting: sum((part) => part.waiting),
    active: sum((part) => part.active),
    oldestMs: Math.max(0, ...parts.map((part) => part.oldestMs)),
  };
}

type Part = Omit<QueueState, 'adapter' | 'unanswered'>;

async function readPart(redis: Redis, queue: Queue): Promise<Part> {
  const keys = ['wait', 'delayed', 'active'].map((name) => queue.toKey(name));
  const answer = await redis.eval(STATE, keys.length, ...keys, queue.toKey(''), LOOKED_AT);
  const [waiting = 0, putOff = 0, active = 0, oldest] = answer as number[];
  return { waiting: waiting + putOff, active, oldestMs: oldest === undefined ? 0 : Date.now() - oldest };
}
