// A process of its own that asks the shared rate limiter, 8 at once, and prints how many requests were let through.
import { createLocalRateLimiter } from '#adapters/limits/local/adapter.ts';
import { createRedisRateLimiter } from '#adapters/limits/redis/adapter.ts';

const WINDOW = { name: 'minute', limit: 100, seconds: 60 };
const { REDIS_URL: url = '', PREFIX: prefix = '' } = process.env;

const limiter = createRedisRateLimiter({ url, prefix, fallback: createLocalRateLimiter() });
let allowed = 0;
let left = 400;
async function ask(): Promise<void> {
  while (left-- > 0) if ((await limiter.take('a', [WINDOW], Date.now())).allowed) allowed++;
}
await Promise.all(Array.from({ length: 8 }, ask));
process.stdout.write(String(limiter.isShared() ? allowed : NaN));
await limiter.close();
