// Chooses the adapters for the two sizes of Qinbox. The only file that knows which there are behind these ports.
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createLocalEventBus } from '#adapters/events/local/adapter.ts';
import { createLocalRateLimiter } from '#adapters/limits/local/adapter.ts';
import { createDirectQueue } from '#adapters/queue/direct/adapter.ts';
import { openSqliteStorage } from '#adapters/storage/sqlite/storage.ts';
import type { Config } from '#core/config.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { EventBus } from '#core/ports/event-bus.ts';
import type { IngestQueue } from '#core/ports/ingest-queue.ts';
import type { RateLimiter } from '#core/ports/rate-limiter.ts';
import type { Storage } from '#core/ports/storage.ts';

export interface Backends {
  storage: Storage;
  bus: EventBus;
  queue: IngestQueue;
  limiter: RateLimiter;
}

/** Opens what the configuration asks for. Throws a one-line error when that cannot be done. */
export async function openBackends(config: Config, clock: Clock, log: Logger): Promise<Backends> {
  return config.production === null
    ? openEmbedded(config, clock, log)
    : openProduction(config.production, clock, log);
}

function openEmbedded(config: Config, clock: Clock, log: Logger): Backends {
  return {
    storage: openSqliteStorage({ file: join(config.dataDir, 'qinbox.db'), clock, log }),
    bus: createLocalEventBus(),
    queue: createDirectQueue(),
    limiter: createLocalRateLimiter(),
  };
}

// Loaded only where they are used: the drivers take longer to load than the embedded size takes to start.
async function openProduction(
  { mongoUrl, redisUrl }: NonNullable<Config['production']>,
  clock: Clock,
  log: Logger,
): Promise<Backends> {
  const [{ openMongoStorage }, { createBullQueue }, { createRedisEventBus }, { createRedisRateLimiter }] =
    await Promise.all([
      import('#adapters/storage/mongodb/storage.ts'),
      import('#adapters/queue/bullmq/adapter.ts'),
      import('#adapters/events/redis/adapter.ts'),
      import('#adapters/limits/redis/adapter.ts'),
    ]);
  return {
    storage: await openMongoStorage({ url: mongoUrl, clock, log }),
    bus: createRedisEventBus({ url: redisUrl, log }),
    queue: createBullQueue({ url: redisUrl, log }),
    limiter: createRedisRateLimiter({ url: redisUrl, fallback: createLocalRateLimiter(), log }),
  };
}
