// Answers a known address with a method it does not take: 405 and what it takes (RFC 9110, 15.5.6), never 404.
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { QinboxError } from '#core/errors.ts';

const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Watches the routes of `app`; the function it returns adds the refusals, after all of them are there. */
export function watchMethods(app: FastifyInstance): () => void {
  const taken = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = taken.get(url) ?? new Set();
    for (const name of Array.isArray(method) ? method : [method]) methods.add(name);
    taken.set(url, methods);
  });
  return () => {
    for (const [url, methods] of [...taken]) {
      const allow = [...methods].join(', ');
      const refused = METHODS.filter((method) => !methods.has(method));
      if (refused.length === 0) continue;
      app.route({
        method: refused,
        url,
        schema: { hide: true },
        // Before a body is read or a caller is asked for.
        onRequest(request, reply, done) {
          reply.header('allow', allow);
          done(
            new QinboxError(
              'METHOD_NOT_ALLOWED',
              `${request.method} is not possible here. Possible: ${allow}.`,
            ),
          );
        },
        handler() {},
      });
    }
  };
}
