// Calls on saved views.
import type { FastifyInstance } from 'fastify';
import { viewRoutes } from '#core/contract/index.ts';
import { signedIn } from '../plugins/caller.ts';
import { addRoute, ok } from '../route.ts';
import type { Parts } from '../services/services.ts';

export function addViewRoutes(app: FastifyInstance, { views }: Pick<Parts, 'views'>): void {
  addRoute(app, viewRoutes.list, async (request) => ok({ views: await views.list(signedIn(request)) }));

  addRoute(app, viewRoutes.create, async (request) =>
    ok({ view: await views.create(signedIn(request), request.body) }),
  );

  addRoute(app, viewRoutes.save, async (request) =>
    ok({ view: await views.save(signedIn(request), request.params.id, request.body) }),
  );

  addRoute(app, viewRoutes.remove, async (request) => {
    await views.remove(signedIn(request), request.params.id);
    return ok();
  });
}
