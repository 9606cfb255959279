// Starts the ingestion adapters of this process's roles, and gives them their context.
import type { FastifyInstance } from 'fastify';
import { ConfigError } from '#core/config-error.ts';
import { isProven } from '#core/domain/account.ts';
import { QinboxError } from '#core/errors.ts';
import type { RunningAdapter } from '#core/ports/adapter/adapter.ts';
import type { OwnerTasks } from '#core/ports/adapter/context.ts';
import type { AdapterSettings, IntakeService } from '#core/ports/adapter/intake.ts';
import type { Log } from '#core/ports/log.ts';
import { createAdapterSubmissions } from '#core/services/adapter-submissions.ts';
import { withoutOutages } from '../health/outages.ts';
import type { Parts } from '../services/services.ts';
import { apiHeaders } from '../plugins/headers.ts';
import { httpScope, useRawBodies, type SocketRoute } from './http.ts';
import { createReaders } from './readers.ts';
import { addSockets } from './sockets.ts';
import { withinLimits } from './store.ts';

type Deps = Pick<
  Parts,
  | 'access'
  | 'accounts'
  | 'adapters'
  | 'bus'
  | 'clock'
  | 'config'
  | 'encryption'
  | 'feed'
  | 'inbox'
  | 'intakes'
  | 'intakeService'
  | 'limiter'
  | 'log'
  | 'metrics'
  | 'outages'
  | 'scheduled'
  | 'storage'
  | 'submissions'
> & { settings: AdapterSettings };

/** Starts the adapters of this process's roles; the returned function stops them. */
export async function startAdapters(app: FastifyInstance, deps: Deps): Promise<() => Promise<void>> {
  const { accounts, adapters, config, storage } = deps;
  const { bus, clock, encryption, inbox, intakeService, log, outages, settings, submissions } = deps;
  const mine = adapters.on.filter(({ adapter }) => adapter.roles.some((role) => config.roles.includes(role)));
  const readers = createReaders(deps);
  /** A disabled account is closed to adapters as it is to sessions and keys. */
  async function mustBeActive(ownerId: string): Promise<void> {
    const owner = await storage.accounts.getUser(ownerId);
    if (owner === null || !accounts.mayUse(owner))
      throw new QinboxError('FORBIDDEN', 'The account of this inbox has been disabled.');
  }
  for (const { adapter, config: ownConfig } of mine)
    await app.register(async (scope) => {
      const submit = createAdapterSubmissions(submissions, adapter);
      const sockets: SocketRoute[] = [];
      useRawBodies(scope);
      await scope.register(apiHeaders);
      const own = withoutOutages(log.child({ adapter: adapter.id }), outages);
      const running = await started(own, () =>
        adapter.start({
          config: ownConfig as never,
          settings,
          clock,
          meter: deps.metrics.meter,
          log: own,
          http: httpScope(scope, sockets),
          intakeService: intakesOf(adapter.id, intakeService),
          store: withinLimits(storage.adapterData),
          encryption,
          readers,
          tasks: ownerTasks(inbox, mustBeActive),
          findOwner: async (email) => {
            const user = await accounts.find(email);
            return user !== null && accounts.mayUse(user) && isProven(user) ? user.id : null;
          },
          async submit(submission) {
            await mustBeActive(submission.ownerId);
            return submit(submission);
          },
          watch(listener) {
            const everybody = bus.watch(null);
            const unsubscribe = bus.subscribe((event) => {
              if (event.kind === 'task') listener({ type: event.type, task: event.task });
            });
            return () => {
              unsubscribe();
              everybody.end();
            };
          },
        }),
      );
      adapters.running.set(adapter.id, running);
      if (sockets.length > 0) await scope.register((nested) => addSockets(nested, sockets));
    });
  // Before the server waits for its connections.
  app.addHook('preClose', async () => deps.feed.close());
  return async () => {
    await Promise.all(
      [...adapters.running].map(([adapter, running]) =>
        // What one of them fails in must not leave the others and the store open.
        running.stop().catch((error: unknown) => log.error({ adapter, err: error }, 'did not stop')),
      ),
    );
  };
}

/** An adapter that cannot start stops no other way in. A wrong variable still ends the start. */
async function started(
  log: Log,
  start: () => RunningAdapter | Promise<RunningAdapter>,
): Promise<RunningAdapter> {
  try {
    return await start();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    log.error({ err: error }, 'the adapter could not be started');
    return {
      state: () => ({ ok: false, detail: 'could not be started; the log says why' }),
      stop: () => Promise.resolve(),
    };
  }
}

/** A token is good for the adapter of its intake alone: another one would not hold it to its rules. */
function intakesOf(adapter: string, intakeService: IntakeService): IntakeService {
  return {
    ...intakeService,
    async find(token) {
      const intake = await intakeService.find(token);
      return intake?.adapter === adapter ? intake : null;
    },
  };
}

function ownerTasks(inbox: Parts['inbox'], mustBeActive: (ownerId: string) => Promise<void>): OwnerTasks {
  const allowed = async <T>(ownerId: string, work: () => Promise<T>): Promise<T> => {
    await mustBeActive(ownerId);
    return work();
  };
  return {
    get: (ownerId, id) => allowed(ownerId, () => inbox.get(ownerId, id)),
    list: (ownerId, { priority, limit, offset }) =>
      allowed(ownerId, () =>
        inbox.list({ ownerId, filter: priority === undefined ? {} : { priority }, limit, offset }),
      ),
    acknowledge: (ownerId, id) => allowed(ownerId, () => inbox.acknowledge({ ownerId, id })),
    restore: (ownerId, id) => allowed(ownerId, () => inbox.restore({ ownerId, id })),
    pin: (ownerId, id, pinned) => allowed(ownerId, () => inbox.pin({ ownerId, id }, pinned)),
    snooze: (ownerId, id, until) => allowed(ownerId, () => inbox.snooze({ ownerId, id }, until)),
    listById: (range) => allowed(range.ownerId, () => inbox.listById(range)),
    acknowledgeMany: (ownerId, ids) =>
      allowed(ownerId, async () => void (await inbox.acknowledgeMany(ownerId, ids))),
  };
}
