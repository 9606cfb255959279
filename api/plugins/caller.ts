// Who is calling, may they, and not too often: asked once, before anything else of a request is read.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access, LimitKind } from '#core/contract/index.ts';
import { QinboxError } from '#core/errors.ts';
import type { RateVerdict, RateWindow, WindowState } from '#core/ports/rate-limiter.ts';
import { isSameSecret } from '#core/domain/api-key.ts';
import { networkOf } from '#core/domain/network.ts';
import { authorise, principalKey, type Principal, type SignedIn } from '#core/services/principal.ts';
import type { Parts } from '../parts.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the handler of every route that is not public. */
    principal: Principal;
  }
  interface FastifyContextConfig {
    access?: Access;
    limit?: LimitKind;
  }
}

const SIGN_IN: RateWindow = { name: 'minute', limit: 10, seconds: 60 };
const REFRESH: RateWindow = { name: 'minute', limit: 60, seconds: 60 };

interface LimitPolicy {
  windows: readonly RateWindow[];
  /** The value of `RateLimit-Policy` (IETF draft-ietf-httpapi-ratelimit-headers-11). */
  header: string;
}

function policy(...windows: RateWindow[]): LimitPolicy {
  return {
    windows,
    header: windows.map(({ name, limit, seconds }) => `"${name}";q=${limit};w=${seconds}`).join(','),
  };
}

/** Checks access and rate limits of each route by its `config`. */
export function useCaller(app: FastifyInstance, { access, limiter, config }: Parts): void {
  const keyPolicy = policy(
    { name: 'minute', limit: config.ratePerMinute, seconds: 60 },
    { name: 'hour', limit: config.ratePerHour, seconds: 3600 },
  );
  const sessionPolicy = policy({ name: 'minute', limit: config.sessionRatePerMinute, seconds: 60 });
  const addressPolicies = { 'sign-in': policy(SIGN_IN), refresh: policy(REFRESH) };

  app.decorateRequest('principal');

  app.addHook('onRequest', (request, reply, done) => {
    const wanted = request.routeOptions.config.access;
    const kind = request.routeOptions.config.limit ?? 'caller';
    try {
      if (wanted === 'metrics') openMetrics(request);
      if (wanted === undefined || kind === 'none') return done();
      if (kind !== 'caller')
        return settle(count(`${kind}:${networkOf(request.ip)}`, addressPolicies[kind], reply), done);
      const { authorization, 'x-api-key': apiKey } = request.headers;
      const caller = access.authenticate({
        authorization,
        apiKey: Array.isArray(apiKey) ? apiKey[0] : apiKey,
      });
      if (caller instanceof Promise) caller.then((principal) => settle(admit(principal), done)).catch(done);
      else settle(admit(caller), done);
    } catch (error) {
      done(error as Error);
    }

    function admit(principal: Principal): void | Promise<void> {
      request.principal = principal;
      // Counted before the scope is looked at, so that refusals are limited as well.
      if (principal.kind === 'guest') {
        authorise(principal, wanted as Access);
        return count(`guest:${networkOf(request.ip)}`, sessionPolicy, reply);
      }
      const counted = count(
        principalKey(principal),
        principal.kind === 'key' ? keyPolicy : sessionPolicy,
        reply,
      );
      if (counted instanceof Promise) return counted.then(() => authorise(principal, wanted as Access));
      authorise(principal, wanted as Access);
    }
  });

  // A closed door looks like none at all.
  function openMetrics({ headers }: FastifyRequest): void {
    if (config.metricsToken === null)
      throw new QinboxError(
        'NOT_FOUND',
        'Metrics are closed here. The operator opens them with METRICS_TOKEN.',
      );
    const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
    if (!isSameSecret(given, config.metricsToken))
      throw new QinboxError('UNAUTHORIZED', 'Send the METRICS_TOKEN as a bearer token.');
  }

  function count(
    bucket: string,
    { windows, header }: LimitPolicy,
    reply: FastifyReply,
  ): void | Promise<void> {
    const verdict = limiter.take(bucket, windows);
    return verdict instanceof Promise
      ? verdict.then((v) => announce(v, header, reply))
      : announce(verdict, header, reply);
  }
}

function settle(result: void | Promise<void>, done: (error?: Error) => void): void {
  if (result instanceof Promise) result.then(() => done(), done);
  else done();
}

/** Tells of the window nearest to its end in every answer, and refuses when one is full. */
function announce({ allowed, states }: RateVerdict, policyHeader: string, reply: FastifyReply): void {
  const nearest = states.reduce((a, b) =>
    b.remaining < a.remaining || (b.remaining === a.remaining && b.resetMs > a.resetMs) ? b : a,
  );
  const seconds = Math.max(1, Math.ceil(nearest.resetMs / 1000));
  reply.header('x-ratelimit-limit', nearest.window.limit);
  reply.header('x-ratelimit-remaining', nearest.remaining);
  reply.header('x-ratelimit-reset', seconds);
  reply.header('ratelimit-policy', policyHeader);
  reply.header('ratelimit', rateLimitItem(nearest, seconds));
  if (!allowed) {
    const full = states.filter(({ remaining }) => remaining <= 0).map(({ resetMs }) => resetMs);
    throw new QinboxError('RATE_LIMITED', undefined, {
      retryAfterSeconds: Math.max(1, Math.ceil(Math.max(...full) / 1000)),
    });
  }
}

function rateLimitItem({ window, remaining }: WindowState, seconds: number): string {
  return `"${window.name}";r=${remaining};t=${seconds}`;
}

/** The caller of a route that guests may not make. */
export function signedIn(request: FastifyRequest): SignedIn {
  if (request.principal.kind === 'guest') throw new QinboxError('UNAUTHORIZED');
  return request.principal;
}

/** The session that calls, of a route that only sessions may call. */
export function session(request: FastifyRequest): Extract<Principal, { kind: 'session' }> {
  const caller = signedIn(request);
  if (caller.kind !== 'session') throw new QinboxError('FORBIDDEN');
  return caller;
}

/** Whose queue the caller may read. */
export function ownerOf(request: FastifyRequest): string {
  const { ownerId } = request.principal;
  if (ownerId === null) throw new QinboxError('UNAUTHORIZED');
  return ownerId;
}
