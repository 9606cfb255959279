// Every call on intakes and their deliveries.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { intakeRoutes } from '#core/contract/index.ts';
import type { Parts } from '../parts.ts';
import { createIntakePresenter } from '../present-intakes.ts';
import { addRoute, ok } from '../route.ts';
import { session, signedIn } from '../plugins/caller.ts';

const ownerOf = (request: FastifyRequest): string => signedIn(request).ownerId;

/** Adds every `/intakes` call. */
export function addIntakeRoutes(app: FastifyInstance, parts: Parts): void {
  const { accounts, intakes, intakePreviews } = parts;
  const present = createIntakePresenter(parts);

  addRoute(app, intakeRoutes.kinds, () => ok({ adapters: present.kinds() }));

  addRoute(app, intakeRoutes.list, async (request) =>
    ok({ intakes: (await intakes.list(ownerOf(request))).map((intake) => present.intake(intake)) }),
  );

  addRoute(app, intakeRoutes.create, async (request) => {
    const { ownerId, sessionId } = session(request);
    const made = await accounts.whileSignedIn(
      sessionId,
      () => intakes.create(ownerId, request.body),
      ({ id }) => intakes.revoke(ownerId, id),
    );
    return ok({ intake: present.intake(made) });
  });

  addRoute(app, intakeRoutes.get, async (request) =>
    ok({ intake: present.intake(await intakes.get(ownerOf(request), request.params.id)) }),
  );

  addRoute(app, intakeRoutes.edit, async (request) =>
    ok({ intake: present.intake(await intakes.edit(ownerOf(request), request.params.id, request.body)) }),
  );

  addRoute(app, intakeRoutes.revoke, async (request) => {
    await intakes.revoke(ownerOf(request), request.params.id);
    return ok();
  });

  addRoute(app, intakeRoutes.rotate, async (request) => {
    const { graceMinutes } = request.body;
    return ok({
      intake: present.intake(await intakes.rotate(ownerOf(request), request.params.id, graceMinutes)),
    });
  });

  addRoute(app, intakeRoutes.test, async (request) => {
    const delivery = await intakePreviews.test(ownerOf(request), request.params.id, request.id);
    return ok({ delivery: present.dispatched(delivery) });
  });

  addRoute(app, intakeRoutes.preview, async (request) => {
    const trial = await intakePreviews.preview(ownerOf(request), request.params.id, request.body);
    return ok({ preview: present.preview(trial) });
  });

  addRoute(app, intakeRoutes.deliveries, async (request) => {
    const deliveries = await intakePreviews.deliveries(ownerOf(request), request.params.id);
    return ok({ deliveries: deliveries.map(present.delivery) });
  });

  addRoute(app, intakeRoutes.delivery, async (request) => {
    const { id, deliveryId } = request.params;
    const delivery = await intakePreviews.delivery(ownerOf(request), id, deliveryId);
    return ok({ delivery: present.delivery(delivery), request: delivery.request });
  });

  addRoute(app, intakeRoutes.replay, async (request) => {
    const { id, deliveryId } = request.params;
    const delivery = await intakePreviews.replay(ownerOf(request), id, deliveryId, request.id);
    return ok({ delivery: present.dispatched(delivery) });
  });
}
