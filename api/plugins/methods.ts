// Answers a known address with a method it does not take: 405 and what it takes (RFC 9110, 15.5.6), never 404.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { QinboxError } from '#core/errors.ts';
import { setApiHeaders } from './headers.ts';

/** Watches all routes that are added to `app` from now on, and refuses what none of them takes: before a body is read or a caller is asked for. */
export function refuseOtherMethods(app: FastifyInstance): void {
  const taken = new Map<string, Set<string>>();
  /** The addresses that have parameters. */
  const patterns = new Map<RegExp, Set<string>>();

  app.addHook('onRoute', ({ url, method }) => {
    // The preflight of CORS: an answer for every address, which says nothing of any.
    if (url.includes('*')) return;
    const methods = taken.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    if (!taken.has(url) && url.includes(':')) patterns.set(toPattern(url), methods);
    taken.set(url, methods);
  });

  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const path = pathOf(request);
    const methods = taken.get(path) ?? [...patterns].find(([pattern]) => pattern.test(path))?.[1];
    // There may be a page that says that there is nothing; for other methods, the body is not worth reading.
    if (methods === undefined && (request.method === 'GET' || request.method === 'HEAD')) return done();
    setApiHeaders(request, reply);
    if (methods === undefined) return done(nothingAt(request));
    const allow = [...methods].join(', ');
    reply.header('allow', allow);
    done(
      new QinboxError('METHOD_NOT_ALLOWED', `${request.method} is not possible here. Possible: ${allow}.`),
    );
  });
}

/** The error for an address that nobody knows. */
export function nothingAt(request: FastifyRequest): QinboxError {
  const path = pathOf(request).slice(0, 200);
  return new QinboxError('NOT_FOUND', `There is nothing at ${request.method} ${path}.`);
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?')[0] as string;
}

function toPattern(url: string): RegExp {
  const parts = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${parts.join('/')}$`);
}
