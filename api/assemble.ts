// Puts services together on the adapters that were chosen, and starts what works in the background.
import type { Logger } from 'pino';
import { QinboxError } from '#core/errors.ts';
import type { Config } from '#core/config.ts';
import type { AccessTokens } from '#core/ports/access-tokens.ts';
import { createIdSource } from '#core/domain/ids.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { EventBus } from '#core/ports/event-bus.ts';
import type { IdentityProvider } from '#core/ports/identity.ts';
import type { SubmissionQueue } from '#core/ports/submission-queue.ts';
import type { PasswordHasher } from '#core/ports/password-hasher.ts';
import type { RateLimiter } from '#core/ports/rate-limiter.ts';
import type { Storage } from '#core/ports/storage.ts';
import { createAccessControl } from '#core/services/access.ts';
import { createAccounts } from '#core/services/accounts.ts';
import { createApiKeys } from '#core/services/api-keys.ts';
import { createInbox } from '#core/services/inbox.ts';
import { createDeliveryLog } from '#core/services/delivery-log.ts';
import { createIntakeService } from '#core/services/intake-service.ts';
import { createSubmissions, type SubmissionObserver } from '#core/services/submissions.ts';
import { createIntakeCache } from '#core/services/intake-cache.ts';
import { createIntakes } from '#core/services/intakes.ts';
import { withQuotaGate } from '#core/services/quota-gate.ts';
import { createRejected } from '#core/services/rejected.ts';
import { createSearches } from '#core/services/searches.ts';
import { startSweeper } from '#core/services/sweeper.ts';
import { createSignIn } from '#core/services/sign-in.ts';
import { createTokens } from '#core/services/tokens.ts';
import { createIntakePreviews } from '#core/services/intake-preview.ts';
import { createEncryption } from '#core/services/encryption.ts';
import type { IngestionAdapters } from './adapter-host/load.ts';
import { checkForm } from './intake-forms.ts';
import { createLiveHub } from './live/hub.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import type { Parts } from './parts.ts';

/** What stands behind the ports. */
export interface Adapters {
  storage: Storage;
  bus: EventBus;
  queue: SubmissionQueue;
  limiter: RateLimiter;
  passwords: PasswordHasher;
  accessTokens: AccessTokens;
  google: IdentityProvider | null;
  ingestion: IngestionAdapters;
}

interface Surroundings {
  config: Config;
  clock: Clock;
  log: Logger;
  /** Secrets that tokens are made and recognised with; see createTokens. */
  secrets: readonly [string, ...string[]];
  /** Whether to work in the background: carry out what is queued, take expired tasks out. */
  background: boolean;
}

/** The parts of the program; `close` ends them and the adapters. */
export function assemble(adapters: Adapters, surroundings: Surroundings): Parts {
  const { storage, bus, limiter, passwords, google } = adapters;
  const { config, clock, log, background } = surroundings;
  // Where submissions do not wait, the store itself tells the sender.
  const queue = config.production === null ? adapters.queue : withQuotaGate(adapters.queue, storage.tasks);
  const tokens = createTokens(surroundings.secrets, adapters.accessTokens);
  const { admission } = config;
  const nextId = createIdSource();
  const accounts = createAccounts({
    accounts: storage.accounts,
    intakes: storage.intakes,
    adapterData: storage.adapterData,
    accessRecords: adapters.ingestion.accessRecords,
    bus,
    clock,
    nextId,
    tokens,
    admission,
  });
  const apiKeys = createApiKeys({ accounts: storage.accounts, bus, clock, nextId });
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
  const signIn = createSignIn({
    accounts,
    store: storage.accounts,
    clock,
    limiter,
    passwords,
    google,
    admission,
    guestQueue: config.guestQueue,
  });
  const inbox = createInbox({ tasks: storage.tasks, bus, clock, searches: createSearches() });
  const metrics = createMetrics(() => clock.monotonic(), config.metricsToken !== null);
  const { ingestion } = adapters;
  const { sources } = ingestion;
  const encryption = createEncryption(surroundings.secrets);
  const intakeCache = createIntakeCache({
    intakes: storage.intakes,
    accounts: storage.accounts,
    mayUse: accounts.mayUse,
    bus,
    clock,
    encryption,
  });
  const deliveries = createDeliveryLog({ intakes: storage.intakes, clock, nextId, onError });
  const observers = [observe(log, metrics)];
  // Where submissions wait in a queue, only whoever carries one out knows what became of its delivery.
  if (config.production !== null)
    observers.push({ carriedOut: (...done) => deliveries.noteOutcome(...done), failed() {} });
  const submissions = createSubmissions({
    tasks: storage.tasks,
    queue,
    bus,
    clock,
    nextId,
    observer: toAll(observers),
  });
  const rejected = createRejected({ store: storage.rejected, submissions, clock, nextId });
  const intakeService = createIntakeService({
    access: intakeCache,
    deliveries,
    submissions,
    limiter,
    clock,
    sources,
  });
  const intakes = createIntakes({
    store: storage.intakes,
    access: intakeCache,
    bus,
    clock,
    nextId,
    kinds: ingestion.kindsById,
    checkForm,
  });
  const intakePreviews = createIntakePreviews({
    intakes,
    store: storage.intakes,
    access: intakeCache,
    intakeService,
    checkForm,
    sources,
  });
  const settings = {
    publicUrl: config.publicUrl ?? `http://localhost:${config.port}`,
    smtpDomain: config.smtpDomain,
  };
  const live = createLiveHub({
    bus,
    stillAllowed: (principal) => access.stillAllowed(principal),
    maxSocketsPerOwner: config.maxSocketsPerOwner,
    onError,
  });
  metrics.watch(queue, rejected, () => live.size());

  // Where there is no queue of its own, whoever submits also carries out.
  const works = config.production === null || (background && config.roles.includes('worker'));
  const worker = works
    ? queue.work({
        carryOut: submissions.carryOut,
        reject: rejected.add,
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
    intakeCache.close();
    await worker?.stop();
    await deliveries.flush();
    live.close();
    await passwords.close();
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
    submissions,
    live,
    metrics,
    encryption,
    adapters: ingestion,
    settings,
    intakes,
    intakeCache,
    intakePreviews,
    intakeService,
    deliveries,
    close: () => (closing ??= close()),
  };
}

function toAll(observers: readonly SubmissionObserver[]): SubmissionObserver {
  return {
    carriedOut: (submission, outcome) => {
      for (const observer of observers) observer.carriedOut(submission, outcome);
    },
    failed: (submission, fault) => {
      for (const observer of observers) observer.failed(submission, fault);
    },
  };
}

// Whoever carries a submission out logs it under the id of the request that brought it.
function observe(log: Logger, { ingest }: Metrics): SubmissionObserver {
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
      // A full queue is its owner's affair, who is told: whoever keeps sending to it would fill the log.
      const level = fault instanceof QinboxError && fault.code === 'QUOTA_EXCEEDED' ? 'debug' : 'warn';
      log[level]({ reqId: requestId, adapter, err: fault }, 'a submission was not carried out');
    },
  };
}
