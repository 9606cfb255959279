// Identifies the caller, limits its rate and checks its access, before anything else of a request is read.
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Access } from '#core/contract/index.ts';
import { isSameSecret } from '#core/domain/api-key.ts';
import { QinboxError } from '#core/errors.ts';
import { authorise, type Principal, type SignedIn } from '#core/services/principal.ts';
import type { Parts } from '../services/services.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the handler of every route that is not public. */
    principal: Principal;
  }
}

/** Checks the requests of each route by its record. */
export const caller = fp<Pick<Parts, 'access' | 'config'>>(
  async (app, { access, config: { metricsToken } }) => {
    app.decorateRequest('principal');

    app.addHook('onRequest', (request, reply, done) => {
      const record = request.routeOptions.config.record;
      finish(done, () => {
        if (record?.access === 'metrics') checkMetricsToken(request, metricsToken);
        if (record === undefined || (record.limit ?? 'caller') !== 'caller') return;
        return withCaller(request, (principal) => admit(principal, record.access, request, reply));
      });
    });

    // The body may have taken seconds: what was revoked or disabled meanwhile lets nothing in.
    app.addHook('preValidation', (request, _reply, done) => {
      const before = request.principal as Principal | undefined;
      const wanted = request.routeOptions.config.record?.access;
      if (request.body === undefined || wanted === undefined || (before?.kind ?? 'guest') === 'guest')
        return done();
      finish(done, () =>
        withCaller(request, (principal) => {
          request.principal = principal;
          authorise(principal, wanted);
        }),
      );
    });

    function withCaller(
      { headers }: FastifyRequest,
      use: (principal: Principal) => void | Promise<void>,
    ): void | Promise<void> {
      const { authorization, 'x-api-key': apiKey } = headers;
      const principal = access.authenticate({
        authorization,
        apiKey: Array.isArray(apiKey) ? apiKey[0] : apiKey,
      });
      return principal instanceof Promise ? principal.then(use) : use(principal);
    }

    function admit(
      principal: Principal,
      wanted: Access,
      request: FastifyRequest,
      reply: FastifyReply,
    ): void | Promise<void> {
      request.principal = principal;
      // Refusals of signed-in callers are counted as well.
      if (principal.kind === 'guest') authorise(principal, wanted);
      const counted = app.limitCaller(request, reply);
      if (counted instanceof Promise) return counted.then(() => authorise(principal, wanted));
      authorise(principal, wanted);
    }
  },
  { name: 'caller-access', dependencies: ['rate-limit'] },
);

/** Calls `done` once the work is, with its error if it fails; at once where there is nothing to wait for. */
function finish(done: (error?: Error) => void, work: () => void | Promise<void>): void {
  let result: void | Promise<void>;
  try {
    result = work();
  } catch (error) {
    return done(error as Error);
  }
  if (result instanceof Promise) result.then(() => done(), done);
  else done();
}

// Without a configured token, the address answers as if it did not exist.
function checkMetricsToken({ headers }: FastifyRequest, metricsToken: string | null): void {
  if (metricsToken === null)
    throw new QinboxError(
      'NOT_FOUND',
      'Metrics are closed here. The operator opens them with METRICS_TOKEN.',
    );
  const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  if (!isSameSecret(given, metricsToken))
    throw new QinboxError('UNAUTHORIZED', 'Send the METRICS_TOKEN as a bearer token.');
}

/** The caller of a route that guests may not call. */
export function signedIn(request: FastifyRequest): SignedIn {
  if (request.principal.kind === 'guest') throw new QinboxError('UNAUTHORIZED');
  return request.principal;
}

/** The session that calls a route that only sessions may call. */
export function session(request: FastifyRequest): Extract<Principal, { kind: 'session' }> {
  const caller = signedIn(request);
  if (caller.kind !== 'session') throw new QinboxError('FORBIDDEN');
  return caller;
}

/** The owner of the queue that the caller may read; for a guest, the owner of the public queue. */
export function queueOwnerOf(request: FastifyRequest): string {
  const { ownerId } = request.principal;
  if (ownerId === null) throw new QinboxError('UNAUTHORIZED');
  return ownerId;
}
