// Calls about the server itself: health, readiness, metrics, configuration, the API's description.
import type { FastifyInstance } from 'fastify';
import { systemRoutes } from '#core/contract/index.ts';
import { ERROR_TABLE } from '#core/errors.ts';
import { isoTime } from '../present/time.ts';
import { encoded, type SendEncoded } from '../encoded.ts';
import { linkCommand } from '../link-command.ts';
import { readiness } from '../health/readiness.ts';
import { addRoute, ok } from '../route.ts';
import { PRODUCT } from '../product.ts';
import type { Parts } from '../services/services.ts';

type Deps = Pick<
  Parts,
  'adapters' | 'bus' | 'clock' | 'config' | 'metrics' | 'outages' | 'queue' | 'storage'
>;

export function addSystemRoutes(app: FastifyInstance, deps: Deps): void {
  const { adapters, clock, config, metrics } = deps;
  const servesApi = config.roles.includes('api');
  const health = () => ok({ status: 'ok' as const, serverTime: isoTime(clock.now()) });
  addRoute(app, systemRoutes.health, health);
  addRoute(app, systemRoutes.rootHealth, health);

  addRoute(app, systemRoutes.ready, async (request, reply) => {
    const states = await readiness(deps);
    // Where the API is served, an adapter's fault is reported and stops no other traffic; nor does one with
    // which it still takes messages in, anywhere.
    const reported = adapters.states().filter(({ takesIn }) => servesApi || takesIn === true);
    const optional = new Set(reported.map(({ name }) => name));
    if (states.every((part) => part.ok || optional.has(part.name))) return ok({ parts: states });
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
        signIn: {
          google: config.google !== null,
          email: config.admission.emailSignIn,
          apiKey: true,
          linkCommand: linkCommand(config),
        },
        supportEmail: config.supportEmail,
        guestQueue: config.guestQueue !== null,
        adapters: adapters.list(),
      },
    }),
  );

  // One copy for all requests, which is a tenth of its size when it is compressed.
  let send: SendEncoded | undefined;
  addRoute(app, systemRoutes.openapi, (request, reply) => {
    send ??= encoded(Buffer.from(JSON.stringify(app.swagger())));
    return send(request, reply.type('application/json; charset=utf-8'));
  });
}
