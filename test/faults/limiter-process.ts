// A process of its own that asks the shared rate limiter, 8 at once, and prints how many requests were let
// through.
import { Redis } from 'ioredis';
import { createLocalRateLimiter } from '#adapters/memory/rate-limiter.ts';
import { createRedisRateLimiter } from '#adapters/redis/rate-limiter.ts';
import { systemClock } from '#core/system-clock.ts';
import { waitFor } from '#test/program/wait.ts';

const WINDOW = { name: 'minute', limit: 100, seconds: 60 };
const { REDIS_URL: url = '', PREFIX: prefix = '' } = process.env;

let isShared = false;
const log = { info: () => void (isShared = true), warn: () => void (isShared = false) };
const limiter = createRedisRateLimiter({ url, prefix, fallback: createLocalRateLimiter(systemClock), log });
// The other process begins at the same moment.
const meeting = new Redis(url);
await waitFor('the limiter to be connected', () => isShared);
await meeting.incr(`${prefix}:ready`);
await waitFor('the other process', async () => (await meeting.get(`${prefix}:ready`)) === '2');
meeting.disconnect();

let allowed = 0;
let left = 400;
async function ask(): Promise<void> {
  while (left-- > 0) if ((await limiter.take('a', [WINDOW])).allowed) allowed++;
}
await Promise.all(Array.from({ length: 8 }, ask));
process.stdout.write(String(isShared ? allowed : NaN));
await limiter.close();
