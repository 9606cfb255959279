// Chooses the adapters of the server, for the embedded and the production size.
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createGoogleIdentity } from '#adapters/google/identity.ts';
import { createJwtAccessTokens } from '#adapters/jwt/access-tokens.ts';
import { createLocalEventBus } from '#adapters/memory/event-bus.ts';
import { createDirectQueue } from '#adapters/memory/queue.ts';
import { createLocalProcesses } from '#adapters/memory/processes.ts';
import { createLocalRateLimiter } from '#adapters/memory/rate-limiter.ts';
import { createScryptHasher } from '#adapters/scrypt/password-hasher.ts';
import { createOutgoing } from '#adapters/outgoing/outgoing.ts';
import { openSqliteStorage } from '#adapters/sqlite/storage.ts';
import { createWebPushSender } from '#adapters/webpush/sender.ts';
import { ConfigError } from '#core/config-error.ts';
import { makeFolder } from '#core/make-folder.ts';
import type { Config } from '#core/config.ts';
import { createMailCheck } from '#core/domain/mail-relay.ts';
import { createAddressCheck, isOutside } from '#core/domain/outside.ts';
import type { Clock } from '#core/ports/clock.ts';
import { systemClock } from '#core/system-clock.ts';
import type { Log } from '#core/ports/log.ts';
import type { Mailer } from '#core/ports/mailer.ts';
import type { PasswordHasher } from '#core/ports/password-hasher.ts';
import { loadAdapters, type IngestionAdapters } from './adapter-host/load.ts';
import type { Adapter } from './adapter-host/public.ts';
import { readJwtSecret } from './process/jwt-secret.ts';
import { createLog } from './process/log.ts';
import { PRODUCT } from './product.ts';
import { startTracing } from './tracing/tracing.ts';
import { createOutages, onceAState } from './health/outages.ts';
import type { Backends } from './services/context.ts';
import { createServices, type Parts } from './services/services.ts';

interface ComposeOptions {
  clock?: Clock;
  /** Hashes at the recommended cost unless given. */
  passwords?: PasswordHasher;
  log?: Logger;
  /** Ingestion adapters beside those that the configuration names. */
  adapters?: readonly Adapter<never>[];
  /** Whether to carry out queued submissions and to remove expired tasks. The CLI does not. */
  background?: boolean;
}

type SizedBackends = Pick<Backends, 'storage' | 'bus' | 'queue' | 'limiter' | 'processes'>;

/** Opens the adapters and builds the services on them. Throws a one-line error when that cannot be done. */
export async function compose(config: Config, options: ComposeOptions = {}): Promise<Parts> {
  const instance = `${hostname()}-${process.pid}`;
  const about = { version: PRODUCT.version, instance, role: config.roles.join(',') };
  const tracing = await startTracing(config.tracing, about);
  const { clock = systemClock, background = true } = options;
  const log = options.log ?? (await createLog(config, instance, tracing));
  const { passwords = createScryptHasher() } = options;
  if (config.production === null) makeDataFolder(config.dataDir);
  // Before the database is opened: a damaged secret is replaced only while no database depends on it.
  const secrets = config.jwtSecrets ?? ([readJwtSecret(config.dataDir, databaseIn(config))] as const);
  const outages = createOutages(log);
  const connections = onceAState(log, outages);
  tracing.onFault((error) => connections.warn({ err: error }, 'traces cannot be sent'));
  const outgoing = createOutgoing({ mayReach: createAddressCheck(config.outgoingAllow) ?? isOutside });
  const adapters = await loadAdapters(config, options.adapters);
  const backends: Backends = {
    ...(config.production === null
      ? openEmbedded(config, clock, log, background)
      : await openProduction(config.production, config, clock, connections, adapters)),
    accessTokens: createJwtAccessTokens(secrets),
    passwords,
    google: config.google === null ? null : createGoogleIdentity(config.google),
    adapters,
    outgoing,
    pushSender: createWebPushSender(outgoing, clock),
    mailer: await openMailer(config.mail, log),
  };
  return createServices(backends, { config, clock, log, outages, tracing, about, secrets, background });
}

function openEmbedded(config: Config, clock: Clock, log: Logger, server: boolean): SizedBackends {
  return {
    storage: openSqliteStorage({ file: databaseIn(config), quota: config.quota, clock, log, server }),
    bus: createLocalEventBus(),
    queue: createDirectQueue(),
    limiter: createLocalRateLimiter(clock),
    processes: createLocalProcesses(),
  };
}

const INDEXES_WAITED_FOR =
  'another process builds the indexes of MongoDB; this one starts when they are there';

// The drivers are imported only here: they take longer to load than the embedded size takes to start.
async function openProduction(
  { mongoUrl, redisUrl: url }: NonNullable<Config['production']>,
  { quota, queue }: Config,
  clock: Clock,
  log: Log,
  adapters: IngestionAdapters,
): Promise<SizedBackends> {
  const [
    { openMongoStorage },
    { createBullQueue },
    { createRedisEventBus },
    { createRedisProcesses },
    { createRedisRateLimiter },
  ] = await Promise.all([
    import('#adapters/mongodb/storage.ts'),
    import('#adapters/redis/queue/queue.ts'),
    import('#adapters/redis/event-bus.ts'),
    import('#adapters/redis/processes.ts'),
    import('#adapters/redis/rate-limiter.ts'),
  ]);
  return {
    storage: await openMongoStorage({
      url: mongoUrl,
      clock,
      quota,
      onWait: () => log.info({}, INDEXES_WAITED_FOR),
    }),
    bus: createRedisEventBus({ url, log }),
    processes: createRedisProcesses({ url, log }),
    queue: createBullQueue({
      url,
      log,
      totalConcurrency: queue.concurrency,
      partitions: queue.partitions,
      adapters: adapters.list().map(({ id }) => id),
    }),
    limiter: createRedisRateLimiter({ url, fallback: createLocalRateLimiter(clock), log }),
  };
}

// Imported only where there is a relay: most servers need no client for mail.
async function openMailer(mail: Config['mail'], log: Log): Promise<Mailer | null> {
  if (mail === null) return null;
  const { relay, from, to } = mail;
  const { createSmtpMailer } = await import('#adapters/mail-out/mailer.ts');
  return createSmtpMailer({ relay, from, mayMail: createMailCheck(to) ?? (() => false), log });
}

function databaseIn({ dataDir }: Config): string {
  return join(dataDir, 'qinbox.db');
}

function makeDataFolder(dataDir: string): void {
  try {
    makeFolder(dataDir, 0o700);
  } catch (error) {
    throw new ConfigError(
      'DATA_DIR',
      `must be a folder that can be written: ${dataDir} (${(error as NodeJS.ErrnoException).code ?? 'error'})`,
    );
  }
}
