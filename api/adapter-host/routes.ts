// Serves the calls that adapters add to the API, from their records like all other calls.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isAdministrator, isProven } from '#core/domain/account.ts';
import type { AdapterSettings } from '#core/ports/adapter/intake.ts';
import type { RouteCall, RouteCaller, UserDirectory } from '#core/ports/adapter/routes.ts';
import type { Parts } from '../services/services.ts';
import { session, signedIn } from '../plugins/caller.ts';
import { addRoute, ok } from '../route.ts';
import { withinLimits } from './store.ts';

type Deps = Pick<Parts, 'accounts' | 'adapters' | 'clock' | 'storage'> & { settings: AdapterSettings };

/** Adds the calls of every adapter to `app`. */
export function addAdapterRoutes(app: FastifyInstance, deps: Deps): void {
  const { accounts, adapters, clock, settings, storage } = deps;
  const context = { settings, clock, store: withinLimits(storage.adapterData), users: userDirectory(deps) };
  for (const { config, routes } of adapters.routes)
    for (const call of routes.create({ ...context, config: config as never }))
      addRoute(
        app,
        call.record,
        async (request) => ok(await call.handle(toCall(request, accounts))) as never,
      );
}

function userDirectory({ accounts, storage }: Deps): UserDirectory {
  return {
    async find(email) {
      const user = await accounts.find(email);
      return user !== null && isProven(user) ? { id: user.id, email: user.email } : null;
    },
    async emails() {
      const users = await storage.accounts.listUsers();
      return new Map(users.map(({ id, email }) => [id, email]));
    },
  };
}

function toCall(request: FastifyRequest, accounts: Parts['accounts']): RouteCall {
  const { params, query, body } = request;
  return { params, query, body, caller: toCaller(request, accounts) };
}

function toCaller(request: FastifyRequest, accounts: Parts['accounts']): RouteCaller {
  const caller = signedIn(request);
  return {
    ownerId: caller.ownerId,
    isAdministrator: caller.kind === 'session' && isAdministrator(caller.user),
    whileSignedIn: (make, undo) => accounts.whileSignedIn(session(request).sessionId, make, undo),
  };
}
