// How an adapter's queue stands, read without its submissions.
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { QueueState } from '#core/ports/submission-queue.ts';

/** Of those put off, only so many are asked for their age: the next and the last to be tried. */
const LOOKED_AT = 50;

export async function readState(redis: Redis, queue: Queue, adapter: string): Promise<QueueState> {
  const wait = queue.toKey('wait');
  const delayed = queue.toKey('delayed');
  // At one moment: what moves from one to another in between would be in neither.
  const counts = await redis.multi().llen(wait).zcard(delayed).llen(queue.toKey('active')).exec();
  const [waiting = 0, putOff = 0, active = 0] = (counts ?? []).map(([fault, count]) => {
    if (fault !== null) throw fault;
    return Number(count);
  });
  const [first, next, last] = await Promise.all([
    redis.lrange(wait, -1, -1),
    redis.zrange(delayed, '0', `${LOOKED_AT - 1}`),
    redis.zrange(delayed, `-${LOOKED_AT}`, '-1'),
  ]);
  const ids = new Set([...first, ...next, ...last]);
  const times = await Promise.all([...ids].map((id) => redis.hget(queue.toKey(id), 'timestamp')));
  const oldest = Math.min(...times.filter((time) => time !== null).map(Number));
  return {
    adapter,
    waiting: waiting + putOff,
    active,
    oldestMs: Number.isFinite(oldest) ? Math.max(0, Date.now() - oldest) : 0,
  };
}
