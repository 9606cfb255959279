// Calls on escalations and the digest.
import type { FastifyInstance } from 'fastify';
import { digestRoutes, escalationRoutes } from '#core/contract/index.ts';
import { session, signedIn } from '../plugins/caller.ts';
import { presentEscalation, presentEscalationRun } from '../present/follow-ups.ts';
import { addRoute, ok } from '../route.ts';
import type { Parts } from '../services/services.ts';

type Deps = Pick<Parts, 'accounts' | 'escalations' | 'digests' | 'mail'>;

/** Adds every `/escalations` and `/digest` call. */
export function addFollowUpRoutes(
  app: FastifyInstance,
  { accounts, escalations, digests, mail }: Deps,
): void {
  addRoute(app, escalationRoutes.list, async (request) => {
    const { ownerId } = signedIn(request);
    const [all, places] = await Promise.all([escalations.list(ownerId), escalations.places(ownerId)]);
    const slack = places.map(({ id, name }) => ({ id, name }));
    return ok({ escalations: all.map(presentEscalation), mail: mail.isSent, slack });
  });

  addRoute(app, escalationRoutes.create, async (request) => {
    const { ownerId, sessionId } = session(request);
    const escalation = await accounts.whileSignedIn(
      sessionId,
      () => escalations.create(ownerId, request.body),
      ({ id }) => escalations.remove(ownerId, id),
    );
    return ok({ escalation: presentEscalation(escalation) });
  });

  addRoute(app, escalationRoutes.save, async (request) => {
    const saved = await escalations.save(session(request).ownerId, request.params.id, request.body);
    return ok({ escalation: presentEscalation(saved) });
  });

  addRoute(app, escalationRoutes.remove, async (request) => {
    await escalations.remove(session(request).ownerId, request.params.id);
    return ok();
  });

  addRoute(app, escalationRoutes.test, async (request) => {
    await escalations.test(session(request).ownerId, request.params.id);
    return ok();
  });

  addRoute(app, escalationRoutes.runs, async (request) => {
    const runs = await escalations.runs(signedIn(request).ownerId, request.params.id);
    return ok({ runs: runs.map(presentEscalationRun) });
  });

  addRoute(app, digestRoutes.get, async (request) =>
    ok({ digest: await digests.get(signedIn(request).ownerId), mail: mail.isSent }),
  );

  addRoute(app, digestRoutes.set, async (request) => {
    const digest = await digests.set(session(request).ownerId, request.body.digest);
    return ok({ digest, mail: mail.isSent });
  });
}
