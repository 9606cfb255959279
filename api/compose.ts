// Chooses the adapters, for the embedded and for the production size. The only file that knows which there are.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pino, type Logger } from 'pino';
import { createLocalEventBus } from '#adapters/memory/event-bus.ts';
import { createGoogleIdentity } from '#adapters/google/identity.ts';
import { createLocalRateLimiter } from '#adapters/memory/rate-limiter.ts';
import { createScryptHasher } from '#adapters/scrypt/password-hasher.ts';
import { createDirectQueue } from '#adapters/memory/queue.ts';
import { openSqliteStorage } from '#adapters/sqlite/storage.ts';
import { createJwtAccessTokens } from '#adapters/jwt/access-tokens.ts';
import { ConfigError, type Config } from '#core/config.ts';
import { systemClock, type Clock } from '#core/ports/clock.ts';
import { loadAdapters } from './adapter-host/load.ts';
import { assemble, type Adapters } from './assemble.ts';
import { ownSecret } from './own-secret.ts';
import type { Parts } from './parts.ts';

type Backends = Pick<Adapters, 'storage' | 'bus' | 'queue' | 'limiter'>;

/** Every secret that could find its way into a log line. */
const REDACTED = [
  'req.headers.authorization',
  'req.headers["x-api-key"]',
  'req.headers.cookie',
  'token',
  'refreshToken',
  'password',
  'key',
  'secret',
];

interface ComposeOptions {
  clock?: Clock;
  log?: Logger;
  /** Whether to work in the background: carry out what is queued, take expired tasks out. The CLI does not. */
  background?: boolean;
}

/** The log of the program: JSON lines on standard error, secrets struck out. */
function createLog(config: Config): Logger {
  return pino(
    { level: config.logLevel, base: null, redact: { paths: REDACTED, censor: '[redacted]' } },
    pino.destination({ dest: 2, sync: true }),
  );
}

/** Opens the adapters and puts the parts together. Throws a one-line error when that cannot be done. */
export async function compose(config: Config, options: ComposeOptions = {}): Promise<Parts> {
  const { clock = systemClock, log = createLog(config), background = true } = options;
  if (config.production === null) makeFolder(config.dataDir);
  // Before the database is there: whether one is says whether anything depends on the secret.
  const secrets = config.jwtSecrets ?? ([ownSecret(config.dataDir, databaseIn(config))] as const);
  const adapters: Adapters = {
    ...(config.production === null
      ? openEmbedded(config, { clock, log, server: background })
      : await openProduction(config.production, config, { clock, log })),
    accessTokens: createJwtAccessTokens(secrets),
    passwords: createScryptHasher(),
    google: config.google === null ? null : createGoogleIdentity(config.google),
    ingestion: await loadAdapters(config),
  };
  return assemble(adapters, { config, clock, log, secrets, background });
}

function openEmbedded(config: Config, options: { clock: Clock; log: Logger; server: boolean }): Backends {
  return {
    storage: openSqliteStorage({ file: databaseIn(config), quota: config.quota, ...options }),
    bus: createLocalEventBus(),
    queue: createDirectQueue(),
    limiter: createLocalRateLimiter(options.clock),
  };
}

// Loaded only where they are used: the drivers take longer to load than the embedded size takes to start.
async function openProduction(
  { mongoUrl, redisUrl }: NonNullable<Config['production']>,
  { quota }: Config,
  { clock, log }: { clock: Clock; log: Logger },
): Promise<Backends> {
  const [{ openMongoStorage }, { createBullQueue }, { createRedisEventBus }, { createRedisRateLimiter }] =
    await Promise.all([
      import('#adapters/mongodb/storage.ts'),
      import('#adapters/redis/queue/queue.ts'),
      import('#adapters/redis/event-bus.ts'),
      import('#adapters/redis/rate-limiter.ts'),
    ]);
  return {
    storage: await openMongoStorage({ url: mongoUrl, clock, quota }),
    bus: createRedisEventBus({ url: redisUrl, log }),
    queue: createBullQueue({ url: redisUrl, log }),
    limiter: createRedisRateLimiter({ url: redisUrl, fallback: createLocalRateLimiter(clock), log }),
  };
}

function databaseIn({ dataDir }: Config): string {
  return join(dataDir, 'qinbox.db');
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ConfigError(
      'DATA_DIR',
      `must be a folder that can be written: ${dataDir} (${(error as NodeJS.ErrnoException).code ?? 'error'})`,
    );
  }
}
