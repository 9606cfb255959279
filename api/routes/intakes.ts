// Every call on intakes and their deliveries.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { intakeRoutes } from '#core/contract/index.ts';
import type { IntakeRecord } from '#core/domain/intake.ts';
import type { AdapterSettings } from '#core/ports/adapter/intake.ts';
import { session, signedIn } from '../plugins/caller.ts';
import {
  presentDelivery,
  presentIntake,
  presentKinds,
  presentOutcome,
  presentPreview,
} from '../present/intakes.ts';
import { addRoute, ok } from '../route.ts';
import type { Parts } from '../services/services.ts';

type Deps = Pick<
  Parts,
  'accounts' | 'adapters' | 'clock' | 'intakeEncryption' | 'intakePreviews' | 'intakes'
> & {
  settings: AdapterSettings;
};

/** Adds every `/intakes` call. */
export function addIntakeRoutes(app: FastifyInstance, deps: Deps): void {
  const { accounts, adapters, intakes, intakePreviews } = deps;
  const present = (record: IntakeRecord) => presentIntake(deps, record);

  addRoute(app, intakeRoutes.kinds, () => ok({ adapters: presentKinds(adapters) }));

  addRoute(app, intakeRoutes.list, async (request) =>
    ok({ intakes: (await intakes.list(ownerOf(request))).map(present) }),
  );

  addRoute(app, intakeRoutes.create, async (request) => {
    const { ownerId, sessionId } = session(request);
    const created = await accounts.whileSignedIn(
      sessionId,
      () => intakes.create(ownerId, request.body),
      ({ id }) => intakes.revoke(ownerId, id),
    );
    return ok({ intake: present(created) });
  });

  addRoute(app, intakeRoutes.get, async (request) =>
    ok({ intake: present(await intakes.get(ownerOf(request), request.params.id)) }),
  );

  addRoute(app, intakeRoutes.edit, async (request) =>
    ok({ intake: present(await intakes.edit(ownerOf(request), request.params.id, request.body)) }),
  );

  addRoute(app, intakeRoutes.revoke, async (request) => {
    await intakes.revoke(ownerOf(request), request.params.id);
    return ok();
  });

  addRoute(app, intakeRoutes.rotate, async (request) => {
    const { graceMinutes } = request.body;
    return ok({ intake: present(await intakes.rotate(ownerOf(request), request.params.id, graceMinutes)) });
  });

  addRoute(app, intakeRoutes.test, async (request) => {
    const outcome = await intakePreviews.test(ownerOf(request), request.params.id, request.id);
    return ok({ delivery: presentOutcome(outcome) });
  });

  addRoute(app, intakeRoutes.preview, async (request) => {
    const result = await intakePreviews.preview(ownerOf(request), request.params.id, request.body);
    return ok({ preview: presentPreview(result) });
  });

  addRoute(app, intakeRoutes.deliveries, async (request) => {
    const deliveries = await intakePreviews.deliveries(ownerOf(request), request.params.id);
    return ok({ deliveries: deliveries.map(presentDelivery) });
  });

  addRoute(app, intakeRoutes.delivery, async (request) => {
    const { id, deliveryId } = request.params;
    const delivery = await intakePreviews.delivery(ownerOf(request), id, deliveryId);
    return ok({ delivery: presentDelivery(delivery), request: delivery.request });
  });

  addRoute(app, intakeRoutes.replay, async (request) => {
    const { id, deliveryId } = request.params;
    const outcome = await intakePreviews.replay(ownerOf(request), id, deliveryId, request.id);
    return ok({ delivery: presentOutcome(outcome) });
  });
}

function ownerOf(request: FastifyRequest): string {
  return signedIn(request).ownerId;
}
