// Builds the services on the adapters that were chosen, and starts the background work.
import { createIdSource } from '#core/domain/ids.ts';
import { createAccessControl } from '#core/services/access.ts';
import { createAccountDeletion } from '#core/services/account/deletion.ts';
import { createAccounts } from '#core/services/accounts.ts';
import { createApiKeys } from '#core/services/api-keys.ts';
import { createDeliveryLog } from '#core/services/delivery-log.ts';
import { createEncryption } from '#core/services/encryption.ts';
import { createInbox } from '#core/services/inbox.ts';
import { createIntakeCache } from '#core/services/intakes/cache.ts';
import { createIntakeEncryption } from '#core/services/intakes/encryption.ts';
import { createIntakePreviews } from '#core/services/intakes/preview.ts';
import { createIntakeService } from '#core/services/intakes/intake-service.ts';
import { createIntakes } from '#core/services/intakes/intakes.ts';
import { createOwners, type HasOwner } from '#core/services/owners.ts';
import { createQueueFeed } from '#core/services/feed/queue-feed.ts';
import { withQuotaGate } from '#core/services/quota-gate.ts';
import { createScheduledDeliveries } from '#core/services/scheduled-deliveries.ts';
import { createRechecks } from '#core/services/rechecks.ts';
import { createRejected } from '#core/services/rejected.ts';
import { createSearches } from '#core/services/searches.ts';
import { createSignIn } from '#core/services/sign-in.ts';
import { createSubmissions } from '#core/services/submissions.ts';
import { createTokens } from '#core/services/session-tokens.ts';
import { createViews } from '#core/services/views.ts';
import { createUsers } from '#core/services/users.ts';
import { createAccountFileServices } from './account-files.ts';
import { startBackground } from '../process/background.ts';
import type { Backends, Context, Environment } from './context.ts';
import { checkForm } from '../intake-forms.ts';
import { createObserver } from './submission-observer.ts';
import { createLiveHub } from '../live/hub.ts';
import { traceStorage } from '../tracing/storage.ts';
import { createFollowUpServices } from './follow-ups.ts';
import { createPushServices } from './push.ts';
import { tellingOfSilent } from '../health/silent-queues.ts';
import { withMailCount } from './mail-count.ts';
import { createMetrics } from '../health/metrics.ts';
import { withoutOutages } from '../health/outages.ts';
import { createWebhookServices } from './webhooks.ts';

/** How long after its id was chosen a task of the queue may be stored, as a rule. */
const QUEUE_DELAY_MS = 10_000;

/** The program without its HTTP server. */
export type Parts = ReturnType<typeof createServices>;

export function createServices(backends: Backends, environment: Environment) {
  const { bus, limiter, processes, adapters, outgoing, mailer, passwords } = backends;
  const { config, clock, log, outages, tracing } = environment;
  const quiet = withoutOutages(log, outages);
  const onError = (error: unknown) =>
    quiet.warn({ err: error }, 'background work failed; it will be tried again');
  const metrics = createMetrics(() => clock.monotonic(), config.metricsToken !== null);
  const storage = metrics.timed(traceStorage(backends.storage, tracing));
  const context: Context = {
    ...backends,
    storage,
    mailer: withMailCount(mailer, metrics.meter),
    metrics,
    ...environment,
    nextId: createIdSource(),
    encryption: createEncryption(environment.secrets),
    onError,
  };
  const accounts = createAccountServices(context);
  const pushes = createPushServices(context, accounts.accounts);
  const owners = createOwners({ accounts: storage.accounts, bus, clock });
  const tasks = createTaskServices({ ...context, ...pushes, hasOwner: owners.hasOwner });
  const intakes = createIntakeServices(context, { ...accounts, ...tasks });
  const webhooks = createWebhookServices(context, { ...accounts, ...tasks });
  const { handlers, ...followUps } = createFollowUpServices(context, { ...accounts, ...tasks, ...pushes });
  const own = { ...accounts, ...intakes, ...pushes, ...followUps, ...webhooks };
  const files = createAccountFileServices(context, own);
  const { maxSocketsPerOwner } = config;
  const { stillAllowed } = accounts.access;
  const rechecks = createRechecks({ bus, stillAllowed, onError });
  const live = createLiveHub({ bus, clock, rechecks, maxSocketsPerOwner });
  const feed = createQueueFeed({
    tasks: storage.tasks,
    bus,
    clock,
    rechecks,
    maxPerOwner: maxSocketsPerOwner,
    lateMs: config.production === null ? 0 : QUEUE_DELAY_MS,
    onError,
  });
  tasks.metrics.watch(tasks.queue, tasks.rejected, () => live.size() + feed.size());
  outages.watch({ store: () => storage.check(), queue: () => backends.queue.check() });
  const background = startBackground(context, { ...tasks, ...pushes, ...accounts });
  const runner = webhooks.start(handlers);
  if (environment.background) {
    intakes.scheduled.start();
    const about = { ...environment.about, startedAt: clock.now() };
    const { tasksCreated } = tasks.metrics;
    processes.announce(() => ({
      ...about,
      liveConnections: live.size() + feed.size(),
      tasksCreated: tasksCreated(),
    }));
  }

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    await processes.close();
    await background.stopSweeping();
    await runner?.stop();
    await intakes.scheduled.stop();
    accounts.access.close();
    owners.close();
    intakes.intakeCache.close();
    await background.stopWorker();
    await tasks.deliveries.flush();
    await pushes.push.close();
    rechecks.close();
    live.close();
    feed.close();
    outages.close();
    for (const backend of [outgoing, mailer, passwords, tasks.queue, bus, limiter, storage, tracing])
      await backend?.close();
  }

  return {
    config,
    clock,
    log,
    outages,
    tracing,
    storage,
    bus,
    limiter,
    processes,
    adapters,
    ...accounts,
    ...tasks,
    ...intakes,
    ...pushes,
    webhooks: webhooks.webhooks,
    ...followUps,
    ...files,
    live,
    feed,
    sweepLagMs: background.sweepLagMs,
    /** Ends what was started, in the order that loses nothing. Twice is fine. */
    close: () => (closing ??= close()),
  };
}

function createAccountServices({ storage, bus, clock, nextId, config, onError, ...context }: Context) {
  const { limiter, passwords, google } = context;
  const { admission, guestQueue } = config;
  const store = storage.accounts;
  const tokens = createTokens(context.secrets, context.accessTokens);
  const accounts = createAccounts({
    accounts: store,
    intakes: storage.intakes,
    adapterData: storage.adapterData,
    push: storage.push,
    webhooks: storage.webhooks,
    followUps: storage.followUps,
    work: storage.work,
    accessRecords: context.adapters.accessRecords,
    bus,
    clock,
    nextId,
    tokens,
    admission,
  });
  const users = createUsers({ accounts, store, bus, clock });
  const { ownerData } = storage;
  return {
    tokens,
    accounts,
    users,
    deletion: createAccountDeletion({ store, ownerData, accounts, users, bus, clock, guestQueue }),
    apiKeys: createApiKeys({ accounts: store, push: storage.push, bus, clock, nextId }),
    views: createViews({ accounts: store, clock, nextId }),
    access: createAccessControl({ accounts, store, tokens, bus, clock, guestQueue, onError }),
    signIn: createSignIn({ accounts, store, clock, limiter, passwords, google, admission, guestQueue }),
  };
}

function createTaskServices({
  storage,
  bus,
  clock,
  nextId,
  config,
  log,
  outages,
  metrics,
  tracing: { tracer },
  onError,
  push,
  hasOwner,
  ...context
}: Context & PushServices & { hasOwner: HasOwner }) {
  const isQueued = config.production !== null;
  const { tasks } = storage;
  // Without a queue, the store itself refuses what exceeds a quota.
  const queue = isQueued
    ? tellingOfSilent(withQuotaGate(context.queue, storage.tasks), log, outages)
    : context.queue;
  const deliveries = createDeliveryLog({ intakes: storage.intakes, clock, nextId, onError });
  const observer = createObserver(log, outages, metrics, isQueued ? deliveries : null);
  const submissions = createSubmissions({
    tasks,
    hasOwner,
    queue,
    bus: push.hearing(bus, 'sender'),
    clock,
    nextId,
    observer,
    tracer,
  });
  return {
    queue,
    metrics,
    deliveries,
    submissions,
    rejected: createRejected({ store: storage.rejected, submissions, clock, nextId }),
    inbox: createInbox({
      tasks: storage.tasks,
      bus: push.hearing(bus, 'person'),
      clock,
      searches: createSearches(),
    }),
  };
}

type PushServices = ReturnType<typeof createPushServices>;
type TaskServices = ReturnType<typeof createTaskServices>;

function createIntakeServices(
  { storage, bus, limiter, clock, config, encryption, nextId, adapters, onError }: Context,
  { accounts, deliveries, submissions }: ReturnType<typeof createAccountServices> & TaskServices,
) {
  const { sources, kindsById: kinds } = adapters;
  const store = storage.intakes;
  const intakeEncryption = createIntakeEncryption(encryption, clock);
  const intakeCache = createIntakeCache({
    intakes: store,
    accounts: storage.accounts,
    mayUse: accounts.mayUse,
    bus,
    clock,
    open: intakeEncryption.open,
  });
  const withSecrets = { store, encryption: intakeEncryption, checkForm };
  const intakes = createIntakes({ ...withSecrets, bus, clock, nextId, kinds });
  const parts = { deliveries, submissions, limiter, clock, sources, scheduled: () => scheduled };
  const intakeService = createIntakeService({ intakes: intakeCache, ...parts });
  const scheduled = createScheduledDeliveries({
    store: storage.adapterData,
    adapters: [...kinds.keys()],
    clock,
    isShared: config.production !== null,
    async deliver({ intakeId, ownerId, ...waiting }, replayKey) {
      const record = await store.get(ownerId, intakeId);
      if (record !== null)
        await intakeService.deliver({ ...waiting, intake: intakeEncryption.open(record), replayKey });
    },
    onError,
  });
  const intakePreviews = createIntakePreviews({ ...withSecrets, intakes, intakeService, sources });
  return { encryption, intakeCache, intakeEncryption, intakes, intakeService, intakePreviews, scheduled };
}
