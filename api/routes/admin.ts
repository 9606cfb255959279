// Every call of administrators.
import type { FastifyInstance } from 'fastify';
import { adminRoutes } from '#core/contract/index.ts';
import type { AdapterSettings } from '#core/ports/adapter/intake.ts';
import type { ProcessFigures } from '#core/ports/processes.ts';
import type { Invitation } from '#core/services/users.ts';
import { linkUrl } from '../addresses.ts';
import { session } from '../plugins/caller.ts';
import { presentUser } from '../present/accounts.ts';
import { presentRejected } from '../present/tasks.ts';
import { isoTime } from '../present/time.ts';
import { PRODUCT } from '../product.ts';
import { readiness } from '../health/readiness.ts';
import { addRoute, ok } from '../route.ts';
import type { Parts } from '../services/services.ts';

type Deps = Pick<
  Parts,
  | 'adapters'
  | 'bus'
  | 'clock'
  | 'config'
  | 'processes'
  | 'outages'
  | 'queue'
  | 'rejected'
  | 'storage'
  | 'users'
> & { settings: AdapterSettings };

/** Adds every `/admin` call. */
export function addAdminRoutes(app: FastifyInstance, deps: Deps): void {
  const { clock, config, processes, queue, rejected, storage } = deps;
  const startedAt = isoTime(clock.now());

  addRoute(app, adminRoutes.overview, async () => {
    const [states, count, users, queueStates, running] = await Promise.all([
      readiness(deps),
      rejected.count(),
      storage.accounts.listUsers(),
      queue.states().catch(() => []),
      processes.list(),
    ]);
    return ok({
      overview: {
        version: PRODUCT.version,
        size: config.production === null ? ('embedded' as const) : ('production' as const),
        startedAt,
        parts: states,
        queue: queueStates.map((state) => ({ ...state, oldestMs: Math.round(state.oldestMs) })),
        rejected: count,
        processes: running.map((each) => ({ ...each, startedAt: isoTime(each.startedAt) })),
        liveConnections: sum(running, (each) => each.liveConnections),
        tasksCreated: {
          lastMinute: sum(running, (each) => each.tasksCreated.lastMinute),
          lastHour: sum(running, (each) => each.tasksCreated.lastHour),
        },
        users: users.map(presentUser),
      },
    });
  });

  addRoute(app, adminRoutes.rejected, async () => {
    const emails = new Map((await storage.accounts.listUsers()).map(({ id, email }) => [id, email]));
    return ok({ rejected: (await rejected.list()).map((item) => presentRejected(item, emails)) });
  });

  addRoute(app, adminRoutes.retry, async (request) => {
    await rejected.retry(request.params.id);
    return ok();
  });

  addRoute(app, adminRoutes.discard, async (request) => {
    await rejected.discard(request.params.id);
    return ok();
  });

  addUserRoutes(app, deps);
}

function sum(running: readonly ProcessFigures[], valueOf: (each: ProcessFigures) => number): number {
  return running.reduce((total, each) => total + valueOf(each), 0);
}

function addUserRoutes(app: FastifyInstance, { settings, users }: Pick<Deps, 'settings' | 'users'>): void {
  addRoute(app, adminRoutes.listUsers, async () => ok({ users: (await users.list()).map(presentUser) }));

  addRoute(app, adminRoutes.inviteUser, async (request) => {
    const { email, name, is_admin: isAdmin = false } = request.body;
    return presentInvitation(
      await users.invite(email, { isAdmin, ...(name === undefined ? {} : { name: name.trim() }) }),
    );
  });

  addRoute(app, adminRoutes.editUser, async (request) => {
    const { is_active: isActive, is_admin: isAdmin } = request.body;
    const user = await users.edit(session(request).ownerId, request.params.id, {
      ...(isActive === undefined ? {} : { isActive }),
      ...(isAdmin === undefined ? {} : { isAdmin }),
    });
    return ok({ user: presentUser(user) });
  });

  addRoute(app, adminRoutes.linkUser, async (request) =>
    presentInvitation(await users.invitationFor(request.params.id)),
  );

  function presentInvitation({ user, link: { token, expiresAt } }: Invitation) {
    const url = linkUrl(settings.publicUrl, token);
    return ok({ user: presentUser(user), link: { url, token, expiresAt: isoTime(expiresAt) } });
  }
}
