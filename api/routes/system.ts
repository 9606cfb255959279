// What programs and probes ask about the server itself.
import type { FastifyInstance } from 'fastify';
import { systemRoutes, type PartState } from '#core/contract/index.ts';
import { ERROR_TABLE } from '#core/errors.ts';
import type { Parts } from '../parts.ts';
import { isoTime } from '../present.ts';
import { addRoute, ok } from '../route.ts';
import { PRODUCT } from '../product.ts';

/** Adds health, readiness, configuration and the API's own description. */
export function addSystemRoutes(app: FastifyInstance, { clock, config, storage, queue, bus }: Parts): void {
  const health = () => ok({ status: 'ok' as const, serverTime: isoTime(clock.now()) });
  addRoute(app, systemRoutes.health, health);
  addRoute(app, systemRoutes.rootHealth, health);

  addRoute(app, systemRoutes.ready, async (request, reply) => {
    const parts = await Promise.all([
      stateOf('store', () => storage.check()),
      stateOf('queue', () => queue.check()),
      stateOf('events', async () => {
        if (!bus.isConnected()) throw new Error('not connected');
      }),
    ]);
    if (parts.every(({ ok }) => ok)) return ok({ parts });
    return reply.code(503).send({
      success: false,
      error: ERROR_TABLE.SERVICE_UNAVAILABLE.text,
      code: 'SERVICE_UNAVAILABLE',
      requestId: request.id,
      parts,
    });
  });

  addRoute(app, systemRoutes.config, () =>
    ok({
      config: {
        productName: PRODUCT.name,
        version: PRODUCT.version,
        googleClientId: config.google?.clientId ?? null,
        signIn: { google: config.google !== null, email: config.emailSignIn, apiKey: true },
        guestQueue: config.guestQueue !== null,
        adapters: [{ id: 'rest', title: 'REST API' }],
      },
    }),
  );

  addRoute(app, systemRoutes.openapi, () => app.swagger() as unknown as Record<string, unknown>);
}

async function stateOf(name: string, check: () => Promise<void>): Promise<PartState> {
  try {
    await check();
    return { name, ok: true };
  } catch {
    return { name, ok: false, detail: `the ${name} does not answer` };
  }
}
