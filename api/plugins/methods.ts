// Answers a wrong method at a known address with 405 and the right ones (RFC 9110, 15.5.6), never with 404.
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { nothingAt, QinboxError } from '#core/errors.ts';
import { setApiHeaders } from './headers.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Adds an address that a route for many answers to GET and HEAD. */
    addReadableAddress(url: string): void;
  }
}

/** Refuses other methods of the routes added from now on, before a body is read or a caller identified. */
export const otherMethods = fp(
  async (app) => {
    const allowed = new Map<string, Set<string>>();
    /** The same for addresses with parameters. */
    const patterns = new Map<RegExp, Set<string>>();

    app.decorate('addReadableAddress', (url: string) => void allowed.set(url, new Set(['GET', 'HEAD'])));
    app.addHook('onRoute', ({ url, method }) => {
      // The preflight of CORS answers for every address.
      if (url.includes('*') || isForAnyWord(url)) return;
      const methods = allowed.get(url) ?? new Set();
      for (const name of [method].flat()) methods.add(name);
      if (!allowed.has(url) && url.includes(':')) patterns.set(toPattern(url), methods);
      allowed.set(url, methods);
    });

    app.addHook('onRequest', (request, reply, done) => {
      const mayBeAnyWord = isForAnyWord(request.routeOptions.url);
      if (!request.is404 && !mayBeAnyWord) return done();
      const path = pathOf(request);
      const methods = allowed.get(path) ?? [...patterns].find(([pattern]) => pattern.test(path))?.[1];
      if (mayBeAnyWord && methods === undefined) return done();
      // A GET may be answered with a page; for other methods, the body is not worth reading.
      if (methods === undefined && (request.method === 'GET' || request.method === 'HEAD')) return done();
      setApiHeaders(request, reply);
      if (methods === undefined) return done(nothingHere(request));
      const allow = [...methods].join(', ');
      reply.header('allow', allow);
      done(
        new QinboxError('METHOD_NOT_ALLOWED', `${request.method} is not possible here. Possible: ${allow}.`),
      );
    });
  },
  { name: 'other-methods', dependencies: ['error-bodies'] },
);

/** Whether a route takes every first word: it hides no other address. */
function isForAnyWord(url: string | undefined): boolean {
  return url?.startsWith('/:') === true;
}

/** The error for an unknown address. */
export function nothingHere(request: FastifyRequest): QinboxError {
  return nothingAt(request.method, pathOf(request));
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?')[0] as string;
}

/** Matches the paths of a route, whose parameters are whole words. */
export function toPattern(url: string): RegExp {
  const parts = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${parts.join('/')}$`);
}
