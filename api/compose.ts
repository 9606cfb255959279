// Puts the parts together: backends, services, what works in the background.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino, type Logger } from 'pino';
import { createGoogleIdentity } from '#adapters/identity/google/adapter.ts';
import { createJwtAccessTokens } from '#adapters/tokens/jose/adapter.ts';
import { ConfigError, type Config } from '#core/config.ts';
import { systemClock, type Clock } from '#core/ports/clock.ts';
import { createAccessControl } from '#core/services/access.ts';
import { createAccounts } from '#core/services/accounts.ts';
import { createApiKeys } from '#core/services/api-keys.ts';
import { createInbox } from '#core/services/inbox.ts';
import { createIngest, type IngestObserver } from '#core/services/ingest.ts';
import { createRejected } from '#core/services/rejected.ts';
import { startSweeper } from '#core/services/sweeper.ts';
import { createSignIn } from '#core/services/sign-in.ts';
import { createTokens } from '#core/services/tokens.ts';
import { openBackends } from './backends.ts';
import { createLiveHub } from './live/hub.ts';
import { createMetrics, type Metrics } from './metrics.ts';
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

/** Opens the store and puts the parts together. Throws a one-line error when that cannot be done. */
export async function compose(config: Config, options: ComposeOptions = {}): Promise<Parts> {
  const { background = true } = options;
  const clock = options.clock ?? systemClock;
  const log = options.log ?? createLog(config);
  if (config.production === null) makeFolder(config.dataDir);
  const secrets = config.jwtSecrets ?? ([ownSecret(config.dataDir)] as const);
  const tokens = createTokens(secrets, createJwtAccessTokens(secrets));
  const { storage, bus, queue, limiter } = await openBackends(config, clock, log);

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
  const rejected = createRejected({ store: storage.rejected, clock, queue });
  const inbox = createInbox({ tasks: storage.tasks, bus, clock });
  const metrics = createMetrics(() => clock.now());
  const ingest = createIngest({ tasks: storage.tasks, bus, clock, observer: observe(log, metrics) });
  const live = createLiveHub({ bus, stillAllowed: (principal) => access.stillAllowed(principal), onError });
  metrics.watch(queue, rejected, live.size);

  // Where there is no queue of its own, whoever submits also carries out.
  const works = config.production === null || (background && config.roles.includes('worker'));
  const worker = works
    ? queue.work({
        carryOut: ingest.carryOut,
        reject: (submission, fault, attempts) => rejected.keep(submission, fault, attempts),
      })
    : undefined;
  const sweeper = background && works ? startSweeper({ storage, bus, clock, onError }) : undefined;
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
    await worker?.stop();
    live.close();
    await queue.close();
    await bus.close();
    await limiter.close();
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
    live,
    metrics,
    close: () => (closing ??= close()),
  };
}

// Whoever carries a submission out logs it under the id of the request that brought it.
function observe(log: Logger, { ingest }: Metrics): IngestObserver {
  return {
    carriedOut(submission, outcome) {
      ingest.carriedOut(submission, outcome);
      const { requestId, adapter } = submission;
      if (log.isLevelEnabled('debug'))
        log.debug({ reqId: requestId, adapter, outcome: outcome.kind }, 'carried out');
    },
    failed(submission, fault) {
      ingest.failed(submission, fault);
      const { requestId, adapter } = submission;
      log.warn({ reqId: requestId, adapter, err: fault }, 'a submission was not carried out');
    },
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
