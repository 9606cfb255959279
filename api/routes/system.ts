// What programs and probes ask about the server itself.
import type { FastifyInstance } from 'fastify';
import { systemRoutes } from '#core/contract/index.ts';
import { ERROR_TABLE } from '#core/errors.ts';
import type { Parts } from '../parts.ts';
import { isoTime } from '../present.ts';
import { readiness } from '../readiness.ts';
import { addRoute, ok } from '../route.ts';
import { PRODUCT } from '../product.ts';

/** Adds health, readiness, configuration and the API's own description. */
export function addSystemRoutes(app: FastifyInstance, parts: Parts): void {
  const { adapters, clock, config, metrics } = parts;
  const servesApi = config.roles.includes('api');
  const health = () => ok({ status: 'ok' as const, serverTime: isoTime(clock.now()) });
  addRoute(app, systemRoutes.health, health);
  addRoute(app, systemRoutes.rootHealth, health);

  addRoute(app, systemRoutes.ready, async (request, reply) => {
    const states = await readiness(parts);
    // Where the API is served, a mail port that is taken, say, is told of and keeps no other traffic away.
    const spared = new Set(servesApi ? adapters.states().map(({ name }) => name) : []);
    if (states.every((part) => part.ok || spared.has(part.name))) return ok({ parts: states });
    return reply.code(503).send({
      success: false,
      error: ERROR_TABLE.SERVICE_UNAVAILABLE.text,
      code: 'SERVICE_UNAVAILABLE',
      requestId: request.id,
      parts: states,
    });
  });

  addRoute(app, systemRoutes.metrics, async (_request, reply) => {
    const { text, contentType } = await metrics.read();
    return reply.type(contentType).send(text);
  });

  addRoute(app, systemRoutes.config, () =>
    ok({
      config: {
        productName: PRODUCT.name,
        version: PRODUCT.version,
        googleClientId: config.google?.clientId ?? null,
        signIn: { google: config.google !== null, email: config.admission.emailSignIn, apiKey: true },
        supportEmail: config.supportEmail,
        guestQueue: config.guestQueue !== null,
        adapters: parts.adapters.list(),
      },
    }),
  );

  // The same for all, so that many who ask share one copy.
  let document: Buffer | undefined;
  addRoute(app, systemRoutes.openapi, (_request, reply) => {
    document ??= Buffer.from(JSON.stringify(app.swagger()));
    return reply.type('application/json; charset=utf-8').send(document);
  });
}
