// Starts the ingestion adapters that this process is for, and lends them what they need.
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { hookRoutes } from '#core/contract/index.ts';
import { isProven } from '#core/domain/account.ts';
import { QinboxError } from '#core/errors.ts';
import type { OwnerTasks } from '#core/ports/adapter/context.ts';
import type { HttpRequest, HttpScope } from '#core/ports/adapter/http.ts';
import { createAdapterSubmissions } from '#core/services/handover.ts';
import type { Parts } from './parts.ts';
import { useApiHeaders } from './plugins/headers.ts';
import { pathOf, responses } from './route.ts';

/** Starts the adapters that this process is for; what it returns stops them. */
export async function startAdapters(app: FastifyInstance, parts: Parts): Promise<() => Promise<void>> {
  const {
    accounts,
    adapters,
    bus,
    clock,
    config,
    intakeService,
    inbox,
    log,
    queue,
    settings,
    storage,
    encryption,
  } = parts;
  const mine = adapters.loaded.filter(({ adapter }) =>
    adapter.roles.some((role) => config.roles.includes(role)),
  );
  /** An account that is closed is closed to chats and ports as it is to sessions and keys. */
  async function mustBeActive(ownerId: string): Promise<void> {
    const owner = await storage.accounts.getUser(ownerId);
    if (owner === null || !accounts.mayUse(owner))
      throw new QinboxError('FORBIDDEN', 'The account of this inbox has been disabled.');
  }
  for (const { adapter, config: own } of mine)
    await app.register(async (scope) => {
      const hand = createAdapterSubmissions({ queue, clock, adapter });
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
          intakeService,
          store: storage.adapterData,
          encryption,
          tasks: ownerTasks(inbox, mustBeActive),
          findOwner: async (email) => {
            const user = await accounts.find(email);
            return user !== null && user.isActive && isProven(user) ? user.id : null;
          },
          async submit(submission) {
            await mustBeActive(submission.ownerId);
            return hand(submission);
          },
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

function ownerTasks(inbox: Parts['inbox'], mustBeActive: (ownerId: string) => Promise<void>): OwnerTasks {
  const allowed = async <T>(ownerId: string, work: () => Promise<T>): Promise<T> => {
    await mustBeActive(ownerId);
    return work();
  };
  return {
    get: (ownerId, id) => allowed(ownerId, () => inbox.get(ownerId, id)),
    list: (ownerId, { priority, limit, offset }) =>
      allowed(ownerId, () => inbox.list(ownerId, priority === undefined ? {} : { priority }, limit, offset)),
    acknowledge: (ownerId, id) => allowed(ownerId, () => inbox.acknowledge({ ownerId, id })),
    restore: (ownerId, id) => allowed(ownerId, () => inbox.restore({ ownerId, id })),
    pin: (ownerId, id, pinned) => allowed(ownerId, () => inbox.pin({ ownerId, id }, pinned)),
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

// Without a prototype: an owner may name any header, and `constructor` is one that nobody sent.
function flat(values: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(values))
    if (typeof value === 'string') texts[name] = value;
    else if (Array.isArray(value)) texts[name] = value.join(', ');
  return texts;
}
