// Limits requests: by address and session with @fastify/rate-limit, by API key with two windows. Both count
// in the RateLimiter port and answer with the same headers. See docs/decisions/0009-rate-limits.md.
import rateLimit, { type FastifyRateLimitStore, type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Config } from '#core/config.ts';
import { networkOf } from '#core/domain/network.ts';
import { QinboxError } from '#core/errors.ts';
import type { RateLimiter, RateVerdict, RateWindow, WindowState } from '#core/ports/rate-limiter.ts';
import { principalKey } from '#core/services/principal.ts';
import type { Parts } from '../services/services.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a request of `request.principal`, says so in the answer's headers, and throws RATE_LIMITED. */
    limitCaller(request: FastifyRequest, reply: FastifyReply): void | Promise<void>;
  }
}

const MINUTE_MS = 60_000;
/** Requests a minute from one address, by the `limit` of a route's record. */
const PER_ADDRESS = { 'sign-in': 10, refresh: 60 };

/** Limits the routes that are added from now on, by the `limit` of their records. */
export const rateLimits = fp<Pick<Parts, 'limiter' | 'config'>>(
  async (app, { limiter, config }) => {
    app.addHook('onRoute', (route) => {
      const limit = route.config?.record?.limit;
      if (route.config === undefined || (limit !== 'sign-in' && limit !== 'refresh')) return;
      const keyGenerator = ({ ip }: FastifyRequest) => `${limit}:${networkOf(ip)}`;
      route.config.rateLimit = { max: PER_ADDRESS[limit], keyGenerator };
      route.onSend = addDraftHeaders;
    });
    await app.register(rateLimit, {
      global: false,
      timeWindow: MINUTE_MS,
      store: storeOn(limiter),
      errorResponseBuilder: (_request, { ttl }) => rateLimited(ttl),
    });
    const countSession = app.createRateLimit({
      max: config.sessionRatePerMinute,
      keyGenerator: ({ principal, ip }) =>
        principal.kind === 'guest' ? `guest:${networkOf(ip)}` : principalKey(principal),
    });
    const windows = keyWindows(config);
    const keyPolicy = windows.map(policyOf).join(',');

    async function limitSession(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const counted = await countSession(request);
      if (counted.isAllowed) return;
      const { max: limit, remaining, ttl, isExceeded } = counted;
      const window = { name: 'minute', limit, seconds: 60 };
      setHeaders(reply, policyOf(window), { window, remaining, resetMs: ttl });
      if (isExceeded) throw rateLimited(ttl);
    }

    app.decorate('limitCaller', (request, reply) => {
      if (request.principal.kind !== 'key') return limitSession(request, reply);
      // Without a promise where the port answers without one: this is the path of most requests.
      const verdict = limiter.take(principalKey(request.principal), windows);
      return verdict instanceof Promise
        ? verdict.then((counted) => announce(reply, keyPolicy, counted))
        : announce(reply, keyPolicy, verdict);
    });
  },
  { name: 'rate-limit' },
);

/** A store of the plugin that counts in the port. */
function storeOn(limiter: RateLimiter): FastifyRateLimitStoreCtor {
  return class implements FastifyRateLimitStore {
    incr(
      key: string,
      callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
      timeWindow: number,
      max: number,
    ): void {
      const window = { name: 'minute', limit: max, seconds: timeWindow / 1000 };
      const count = async () => toCount(await limiter.take(key, [window]));
      count().then((counted) => callback(null, counted), callback);
    }

    child(): FastifyRateLimitStore {
      return this;
    }
  };
}

// The port does not count a request that it refuses; the plugin knows a refusal by a count above the limit.
function toCount({ allowed, states }: RateVerdict): { current: number; ttl: number } {
  const { window, remaining, resetMs } = states[0] as WindowState;
  return { current: allowed ? window.limit - remaining : window.limit + 1, ttl: Math.max(1, resetMs) };
}

/** The window nearest to its limit goes into the headers; a full one refuses the request. */
function announce(reply: FastifyReply, policy: string, { allowed, states }: RateVerdict): void {
  const nearest = states.reduce((a, b) =>
    b.remaining < a.remaining || (b.remaining === a.remaining && b.resetMs > a.resetMs) ? b : a,
  );
  setHeaders(reply, policy, nearest);
  if (!allowed) throw refusalOf(states);
}

/** Of a key whose windows these are. */
export function refusalOf(states: readonly WindowState[]): QinboxError {
  const full = states.filter(({ remaining }) => remaining <= 0).map(({ resetMs }) => resetMs);
  return rateLimited(Math.max(...full));
}

/** The windows in which the requests of one API key are counted. */
export function keyWindows({ ratePerMinute, ratePerHour }: Config): RateWindow[] {
  return [
    { name: 'minute', limit: ratePerMinute, seconds: 60 },
    { name: 'hour', limit: ratePerHour, seconds: 3600 },
  ];
}

function setHeaders(reply: FastifyReply, policy: string, { window, remaining, resetMs }: WindowState): void {
  const seconds = secondsOf(resetMs);
  // Text that V8 does not keep: what it makes of a number otherwise lives long enough for the old generation,
  // and was a third of all that got there.
  const left = remaining.toFixed(0);
  reply.header('x-ratelimit-limit', window.limit);
  reply.header('x-ratelimit-remaining', left);
  reply.header('x-ratelimit-reset', seconds);
  reply.header('ratelimit-policy', policy);
  reply.header('ratelimit', `"${window.name}";r=${left};t=${seconds}`);
}

/** Adds to the headers of the plugin those of IETF draft-ietf-httpapi-ratelimit-headers-11. */
function addDraftHeaders(
  _request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    String(reply.getHeader(`x-ratelimit-${name}`)),
  );
  reply.header('ratelimit-policy', policyOf({ name: 'minute', limit: Number(limit), seconds: 60 }));
  reply.header('ratelimit', `"minute";r=${remaining};t=${reset}`);
  done(null, payload);
}

function policyOf({ name, limit, seconds }: RateWindow): string {
  return `"${name}";q=${limit};w=${seconds}`;
}

/** The error for a caller who is to wait this long. */
export function rateLimited(waitMs: number): QinboxError {
  return new QinboxError('RATE_LIMITED', undefined, { retryAfterSeconds: secondsOf(waitMs) });
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
