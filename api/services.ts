// Builds the services on the adapters that were chosen, and starts the background work.
import type { Logger } from 'pino';
import type { Config } from '#core/config.ts';
import { createIdSource, type IdSource } from '#core/domain/ids.ts';
import { QinboxError } from '#core/errors.ts';
import type { AccessTokens } from '#core/ports/access-tokens.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { EventBus } from '#core/ports/event-bus.ts';
import type { IdentityProvider } from '#core/ports/identity.ts';
import type { PasswordHasher } from '#core/ports/password-hasher.ts';
import type { RateLimiter } from '#core/ports/rate-limiter.ts';
import type { Storage } from '#core/ports/storage.ts';
import type { SubmissionQueue } from '#core/ports/submission-queue.ts';
import { createAccessControl } from '#core/services/access.ts';
import { createAccounts } from '#core/services/accounts.ts';
import { createApiKeys } from '#core/services/api-keys.ts';
import { createDeliveryLog, type DeliveryLog } from '#core/services/delivery-log.ts';
import { createEncryption } from '#core/services/encryption.ts';
import { createInbox } from '#core/services/inbox.ts';
import { createIntakeCache } from '#core/services/intake-cache.ts';
import { createIntakeEncryption } from '#core/services/intake-encryption.ts';
import { createIntakePreviews } from '#core/services/intake-preview.ts';
import { createIntakeService } from '#core/services/intake-service.ts';
import { createIntakes } from '#core/services/intakes.ts';
import { withQuotaGate } from '#core/services/quota-gate.ts';
import { createRejected } from '#core/services/rejected.ts';
import { createSearches } from '#core/services/searches.ts';
import { createSignIn } from '#core/services/sign-in.ts';
import { createSubmissions, type SubmissionObserver } from '#core/services/submissions.ts';
import { startSweeper } from '#core/services/sweeper.ts';
import { createTokens } from '#core/services/session-tokens.ts';
import type { IngestionAdapters } from './adapter-host/load.ts';
import { checkForm } from './intake-forms.ts';
import { createLiveHub } from './live/hub.ts';
import { createMetrics, type Metrics } from './metrics.ts';

/** What stands behind the ports. */
export interface Backends {
  storage: Storage;
  bus: EventBus;
  queue: SubmissionQueue;
  limiter: RateLimiter;
  passwords: PasswordHasher;
  accessTokens: AccessTokens;
  google: IdentityProvider | null;
  /** The ingestion adapters, loaded. */
  adapters: IngestionAdapters;
}

export interface Environment {
  config: Config;
  clock: Clock;
  log: Logger;
  /** The first signs tokens and encrypts, all verify and decrypt. */
  secrets: readonly [string, ...string[]];
  /** Whether to carry out queued submissions and to remove expired tasks. */
  background: boolean;
}

interface Common {
  nextId: IdSource;
  /** Reports a failure of background work. */
  onError: (error: unknown) => void;
}

/** The program without its HTTP server. */
export type Parts = ReturnType<typeof createServices>;

export function createServices(backends: Backends, environment: Environment) {
  const { storage, bus, limiter, adapters } = backends;
  const { config, clock, log } = environment;
  const common: Common = {
    nextId: createIdSource(),
    onError: (error) => log.warn({ err: error }, 'background work failed; it will be tried again'),
  };
  const accounts = createAccountServices(backends, environment, common);
  const tasks = createTaskServices(backends, environment, common);
  const intakes = createIntakeServices(backends, environment, common, { ...accounts, ...tasks });
  const live = createLiveHub({
    bus,
    stillAllowed: (principal) => accounts.access.stillAllowed(principal),
    maxSocketsPerOwner: config.maxSocketsPerOwner,
    onError: common.onError,
  });
  tasks.metrics.watch(tasks.queue, tasks.rejected, () => live.size());
  const background = startBackground(backends, environment, common, tasks);

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    await background.stopSweeper();
    accounts.access.close();
    intakes.intakeCache.close();
    await background.stopWorker();
    await tasks.deliveries.flush();
    live.close();
    for (const backend of [backends.passwords, tasks.queue, bus, limiter, storage]) await backend.close();
  }

  return {
    config,
    clock,
    log,
    storage,
    bus,
    limiter,
    adapters,
    ...accounts,
    ...tasks,
    ...intakes,
    live,
    /** Ends what was started, in the order that loses nothing. Twice is fine. */
    close: () => (closing ??= close()),
  };
}

function createAccountServices(backends: Backends, environment: Environment, { nextId, onError }: Common) {
  const { storage, bus, limiter, passwords, google, accessTokens, adapters } = backends;
  const { clock, secrets } = environment;
  const { admission, guestQueue } = environment.config;
  const store = storage.accounts;
  const tokens = createTokens(secrets, accessTokens);
  const accounts = createAccounts({
    accounts: store,
    intakes: storage.intakes,
    adapterData: storage.adapterData,
    accessRecords: adapters.accessRecords,
    bus,
    clock,
    nextId,
    tokens,
    admission,
  });
  return {
    tokens,
    accounts,
    apiKeys: createApiKeys({ accounts: store, bus, clock, nextId }),
    access: createAccessControl({ accounts, store, tokens, bus, clock, guestQueue, onError }),
    signIn: createSignIn({ accounts, store, clock, limiter, passwords, google, admission, guestQueue }),
  };
}

function createTaskServices(backends: Backends, environment: Environment, { nextId, onError }: Common) {
  const { storage, bus } = backends;
  const { config, clock, log } = environment;
  const isQueued = config.production !== null;
  // Without a queue, the store itself refuses what exceeds a quota.
  const queue = isQueued ? withQuotaGate(backends.queue, storage.tasks) : backends.queue;
  const metrics = createMetrics(() => clock.monotonic(), config.metricsToken !== null);
  const deliveries = createDeliveryLog({ intakes: storage.intakes, clock, nextId, onError });
  const observer = createObserver(log, metrics, isQueued ? deliveries : null);
  const submissions = createSubmissions({ tasks: storage.tasks, queue, bus, clock, nextId, observer });
  return {
    queue,
    metrics,
    deliveries,
    submissions,
    rejected: createRejected({ store: storage.rejected, submissions, clock, nextId }),
    inbox: createInbox({ tasks: storage.tasks, bus, clock, searches: createSearches() }),
  };
}

type TaskServices = ReturnType<typeof createTaskServices>;

function createIntakeServices(
  { storage, bus, limiter, adapters: { sources, kindsById } }: Backends,
  { clock, secrets }: Environment,
  { nextId }: Common,
  { accounts, deliveries, submissions }: ReturnType<typeof createAccountServices> & TaskServices,
) {
  const store = storage.intakes;
  const encryption = createEncryption(secrets);
  const { mayUse } = accounts;
  const intakeEncryption = createIntakeEncryption(encryption, clock);
  const cache = createIntakeCache({
    intakes: store,
    accounts: storage.accounts,
    mayUse,
    bus,
    clock,
    open: intakeEncryption.open,
  });
  const kinds = kindsById;
  const intakes = createIntakes({
    store,
    encryption: intakeEncryption,
    bus,
    clock,
    nextId,
    kinds,
    checkForm,
  });
  const intakeService = createIntakeService({
    intakes: cache,
    deliveries,
    submissions,
    limiter,
    clock,
    sources,
  });
  return {
    encryption,
    intakeCache: cache,
    intakeEncryption,
    intakes,
    intakeService,
    intakePreviews: createIntakePreviews({
      intakes,
      store,
      encryption: intakeEncryption,
      intakeService,
      checkForm,
      sources,
    }),
  };
}

/** Starts the worker and the sweeper where this process has them; passes on what other processes write. */
function startBackground(
  { storage, bus }: Backends,
  { config, clock, background }: Environment,
  { onError }: Common,
  { queue, submissions, rejected }: TaskServices,
) {
  // Without a queue, every process carries out its own submissions.
  const works = config.production === null || (background && config.roles.includes('worker'));
  const worker = works ? queue.work({ carryOut: submissions.carryOut, reject: rejected.add }) : undefined;
  const sweeper = background && works ? startSweeper({ storage, bus, clock, onError }) : undefined;
  // After a write of another process to the same store, such as the CLI, caches and screens are stale.
  const unwatch = storage.watch(() => {
    bus.publish({ kind: 'access', userId: null });
    bus.publish({ kind: 'reset', ownerId: null });
  });
  return {
    async stopSweeper() {
      unwatch();
      await sweeper?.stop();
    },
    stopWorker: () => worker?.stop(),
  };
}

/** Measures and logs submissions. With `deliveries`, also notes the outcome of queued ones in their log. */
function createObserver(log: Logger, metrics: Metrics, deliveries: DeliveryLog | null): SubmissionObserver {
  return {
    carriedOut(submission, outcome) {
      metrics.submissions.carriedOut(submission, outcome);
      const { requestId, adapter } = submission;
      if (log.isLevelEnabled('debug'))
        log.debug({ reqId: requestId, adapter, outcome: outcome.kind }, 'carried out');
      deliveries?.noteOutcome(submission, outcome);
    },
    failed(submission, fault) {
      metrics.submissions.failed(submission, fault);
      const { requestId, adapter } = submission;
      // A full queue is no fault of the server, and a sender that goes on would fill the log.
      const level = fault instanceof QinboxError && fault.code === 'QUOTA_EXCEEDED' ? 'debug' : 'warn';
      log[level]({ reqId: requestId, adapter, err: fault }, 'a submission was not carried out');
    },
  };
}
