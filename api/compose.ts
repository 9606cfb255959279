// Chooses the adapters and puts the parts together. The only file that knows which there are.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino, type Logger } from 'pino';
import { createLocalEventBus } from '#adapters/events/local/adapter.ts';
import { createGoogleIdentity } from '#adapters/identity/google/adapter.ts';
import { createLocalRateLimiter } from '#adapters/limits/local/adapter.ts';
import { createDirectQueue } from '#adapters/queue/direct/adapter.ts';
import { openSqliteStorage } from '#adapters/storage/sqlite/storage.ts';
import { createJwtAccessTokens } from '#adapters/tokens/jose/adapter.ts';
import { ConfigError, type Config } from '#core/config.ts';
import { systemClock, type Clock } from '#core/ports/clock.ts';
import { createAccessControl } from '#core/services/access.ts';
import { createAccounts } from '#core/services/accounts.ts';
import { createApiKeys } from '#core/services/api-keys.ts';
import { createInbox } from '#core/services/inbox.ts';
import { createIngest } from '#core/services/ingest.ts';
import { createRejected } from '#core/services/rejected.ts';
import { startSweeper } from '#core/services/sweeper.ts';
import { createSignIn } from '#core/services/sign-in.ts';
import { createTokens } from '#core/services/tokens.ts';
import type { Parts } from './parts.ts';

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
  /** Whether to take expired tasks out in the background; the CLI does not. */
  sweep?: boolean;
}

/** The log of the program: JSON lines on standard error, secrets struck out. */
function createLog(config: Config): Logger {
  return pino(
    { level: config.logLevel, base: null, redact: { paths: REDACTED, censor: '[redacted]' } },
    pino.destination({ dest: 2, sync: true }),
  );
}

/** Opens the store and puts the parts together. Throws a one-line error when that cannot be done. */
export function compose(config: Config, options: ComposeOptions = {}): Parts {
  const clock = options.clock ?? systemClock;
  const log = options.log ?? createLog(config);
  makeFolder(config.dataDir);
  const secrets = config.jwtSecrets ?? ([ownSecret(config.dataDir)] as const);
  const tokens = createTokens(secrets, createJwtAccessTokens(secrets));
  const storage = openSqliteStorage({ file: join(config.dataDir, 'qinbox.db'), clock });
  const bus = createLocalEventBus();
  const limiter = createLocalRateLimiter();

  const accounts = createAccounts({ accounts: storage.accounts, bus, clock, tokens });
  const apiKeys = createApiKeys({ accounts: storage.accounts, bus, clock });
  const onError = (error: unknown) =>
    log.warn({ err: error }, 'background work failed; it will be tried again');
  const access = createAccessControl({
    accounts,
    store: storage.accounts,
    tokens,
    bus,
    clock,
    guestQueue: config.guestQueue,
    onError,
  });
  const google = config.google === null ? null : createGoogleIdentity(config.google);
  const signIn = createSignIn({ accounts, store: storage.accounts, clock, limiter, google });
  const queue = createDirectQueue();
  const rejected = createRejected({ store: storage.rejected, clock, queue });
  const inbox = createInbox({ tasks: storage.tasks, bus, clock });
  const ingest = createIngest({ tasks: storage.tasks, bus, clock });

  const worker = queue.work({
    carryOut: ingest.carryOut,
    reject: (submission, fault, attempts) => rejected.keep(submission, fault, attempts),
  });
  const sweeper = options.sweep === false ? undefined : startSweeper({ storage, bus, clock, onError });
  // Another process, the CLI say, wrote to the same store: nothing that is remembered or shown may be believed.
  const unwatch = storage.watch(() => {
    bus.publish({ kind: 'access', userId: null });
    bus.publish({ kind: 'reset', ownerId: null });
  });

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    unwatch();
    await sweeper?.stop();
    access.close();
    await worker.stop();
    await queue.close();
    await bus.close();
    await storage.close();
  }

  return {
    config,
    clock,
    log,
    storage,
    bus,
    queue,
    limiter,
    tokens,
    accounts,
    apiKeys,
    access,
    signIn,
    rejected,
    inbox,
    ingest,
    close: () => (closing ??= close()),
  };
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

// Made at the first start and kept beside the data, readable by its owner alone.
function ownSecret(dataDir: string): string {
  const file = join(dataDir, 'jwt-secret');
  try {
    writeFileSync(file, randomBytes(48).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST')
      throw new ConfigError(
        'DATA_DIR',
        `must be a folder that can be written: ${dataDir} (${code ?? 'error'})`,
      );
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length < 32)
    throw new ConfigError(
      'DATA_DIR',
      `holds a damaged ${file}; remove it to have a new one made (everybody must sign in again)`,
    );
  return secret;
}
