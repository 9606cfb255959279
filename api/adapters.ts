// Loads the ingestion adapters, ours and the operator's, starts those that this process is for, and lends them what they need.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { Type } from 'typebox';
import { registry } from '#adapters/ingestion/registry.ts';
import { ConfigError, type Config } from '#core/config.ts';
import { hookRoutes, type PartState } from '#core/contract/index.ts';
import type {
  HttpRequest,
  HttpScope,
  IngestionAdapter,
  IntakeKind,
  OwnerTasks,
  RunningAdapter,
} from '#core/ports/adapter.ts';
import { createHandover } from '#core/services/handover.ts';
import type { Parts } from './parts.ts';
import { useApiHeaders } from './plugins/headers.ts';
import { pathOf, responses } from './route.ts';

export type IngestionAdapters = Awaited<ReturnType<typeof loadAdapters>>;

interface Loaded {
  adapter: IngestionAdapter<never>;
  config: Record<string, unknown>;
}

/** Loads every adapter. Throws ConfigError for a file that is none, and for a wrong variable of one. */
export async function loadAdapters(config: Config) {
  const own = await Promise.all(Object.values(registry).map(async (load) => (await load()).default));
  const others = await Promise.all(config.adapterFiles.map(loadFile));
  const all = [...own, ...others] as IngestionAdapter<never>[];
  const loaded: Loaded[] = [];
  for (const adapter of all) {
    if (loaded.some((other) => other.adapter.id === adapter.id))
      throw new ConfigError('QINBOX_ADAPTERS', `must not name a second adapter with the id "${adapter.id}"`);
    const own = config.adapterConfig(adapter);
    if (adapter.isOn?.(own as never) !== false) loaded.push({ adapter, config: own });
  }
  const withIntakes = loaded.flatMap(({ adapter: { id, title, intakes } }) =>
    intakes === undefined ? [] : [{ id, title, kind: intakes }],
  );
  const kindsById = new Map<string, IntakeKind>(withIntakes.map(({ id, kind }) => [id, kind]));
  const running = new Map<string, RunningAdapter>();

  return {
    loaded,
    running,
    kindsById,
    kinds: () => withIntakes,
    kind: (id: string): IntakeKind | undefined => kindsById.get(id),
    list: () => loaded.map(({ adapter: { id, title } }) => ({ id, title })),
    /** `source` of the tasks of each. */
    sources: new Map(loaded.map(({ adapter: { id, source } }) => [id, source])),
    /** What running ones say of themselves, for `/ready`. */
    states: (): PartState[] =>
      [...running].flatMap(([name, adapter]) => {
        const state = adapter.state?.() ?? null;
        return state === null ? [] : [{ name, ...state }];
      }),
  };
}

async function loadFile(file: string): Promise<IngestionAdapter<never>> {
  const refuse = (why: string) => new ConfigError('QINBOX_ADAPTERS', `must name adapters: ${file} ${why}`);
  let module: { default?: Partial<IngestionAdapter<never>> };
  try {
    module = (await import(pathToFileURL(resolve(file)).href)) as typeof module;
  } catch (error) {
    throw refuse(`cannot be loaded (${(error as Error).message.split('\n')[0] ?? ''})`);
  }
  const adapter = module.default;
  if (typeof adapter?.id !== 'string' || typeof adapter.start !== 'function')
    throw refuse('does not default-export defineAdapter({ … })');
  if (!/^[a-z][a-z0-9-]{0,29}$/.test(adapter.id))
    throw refuse(`has the id "${adapter.id}"; it must be a lower-case word of at most 30 characters`);
  return {
    title: adapter.id,
    roles: ['api'],
    source: 'integration',
    configSchema: Type.Object({}),
    environment: {},
    secretFields: [],
    ...adapter,
  } as IngestionAdapter<never>;
}

/** Starts the adapters that this process is for; what it returns stops them. */
export async function startAdapters(app: FastifyInstance, parts: Parts): Promise<() => Promise<void>> {
  const { adapters, bus, clock, config, desk, inbox, log, queue, settings, storage, vault } = parts;
  const mine = adapters.loaded.filter(({ adapter }) =>
    adapter.roles.some((role) => config.roles.includes(role)),
  );
  for (const { adapter, config: own } of mine)
    await app.register(async (scope) => {
      useRawBodies(scope);
      useApiHeaders(scope);
      adapters.running.set(
        adapter.id,
        await adapter.start({
          config: own as never,
          settings,
          clock,
          log: log.child({ adapter: adapter.id }),
          http: httpScope(scope),
          desk,
          store: storage.adapterData,
          vault,
          tasks: ownerTasks(inbox),
          findOwner: async (email) =>
            (await storage.accounts.findUserByEmail(email.trim().toLowerCase()))?.id ?? null,
          submit: createHandover({ queue, clock, adapter }),
          watch: (listener) =>
            bus.subscribe((event) => {
              if (event.kind === 'task') listener({ type: event.type, task: event.task });
            }),
        }),
      );
    });
  return async () => {
    await Promise.all([...adapters.running.values()].map((adapter) => adapter.stop()));
  };
}

function ownerTasks(inbox: Parts['inbox']): OwnerTasks {
  return {
    get: (ownerId, id) => inbox.get(ownerId, id),
    list: (ownerId, { priority, limit, offset }) =>
      inbox.list(ownerId, priority === undefined ? {} : { priority }, limit, offset),
    acknowledge: (ownerId, id) => inbox.acknowledge(ownerId, id),
    restore: (ownerId, id) => inbox.restore(ownerId, id),
    pin: (ownerId, id, pinned) => inbox.pin(ownerId, id, pinned),
  };
}

// Signatures are over the bytes as they came, so nothing here reads them.
function useRawBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/** Calls of adapters that the contract describes. */
const DESCRIBED = new Map([[pathOf(hookRoutes.receive), hookRoutes.receive]]);

function httpScope(scope: FastifyInstance): HttpScope {
  return {
    on({ methods, path, bodyLimit }, handler) {
      const record = DESCRIBED.get(path);
      for (const method of methods as HTTPMethods[]) {
        const described = record !== undefined && record.method === method;
        scope.route({
          method,
          url: path,
          bodyLimit,
          // One answer for GET and HEAD is chosen by the adapter.
          exposeHeadRoute: false,
          ...(described
            ? {
                config: { record, access: record.access, limit: record.limit },
                schema: { params: record.schema.params, response: responses(record) },
              }
            : { schema: { hide: true } }),
          async handler(request, reply) {
            const { status, headers = {}, body } = await handler(toHttpRequest(request));
            reply.code(status).headers(headers);
            if (typeof body === 'string' && headers['content-type'] === undefined)
              reply.type('text/plain; charset=utf-8');
            return reply.send(body ?? null);
          },
        });
      }
    },
  };
}

function toHttpRequest(request: FastifyRequest): HttpRequest {
  const { method, headers, body } = request;
  return {
    method,
    path: request.url.split('?')[0] ?? '',
    params: request.params as Record<string, string>,
    query: flat(request.query as Record<string, unknown>),
    headers: flat(headers),
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    address: request.ip,
    requestId: request.id,
  };
}

function flat(values: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(values))
    if (typeof value === 'string') texts[name] = value;
    else if (Array.isArray(value)) texts[name] = value.join(', ');
  return texts;
}
