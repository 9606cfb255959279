// The calls of the authentication layer.
import type { FastifyInstance } from 'fastify';
import { authRoutes } from '#core/contract/index.ts';
import { QinboxError } from '#core/errors.ts';
import type { SignIn } from '#core/services/accounts.ts';
import type { Parts } from '../parts.ts';
import { signedIn } from '../plugins/caller.ts';
import { presentUser } from '../present.ts';
import { addRoute, ok } from '../route.ts';

/** Adds every `/auth` call. */
export function addAuthRoutes(app: FastifyInstance, { accounts }: Parts): void {
  addRoute(app, authRoutes.link, async (request) =>
    presentSignIn(await accounts.signInWithLink(request.body.token)),
  );

  addRoute(app, authRoutes.refresh, async (request) =>
    ok({ tokens: await accounts.refresh(request.body.refreshToken) }),
  );

  addRoute(app, authRoutes.logout, async (request) => {
    const caller = signedIn(request);
    if (caller.kind !== 'session') throw new QinboxError('FORBIDDEN');
    await accounts.signOut(caller.sessionId);
    return ok();
  });

  addRoute(app, authRoutes.profile, async (request) => {
    const caller = signedIn(request);
    if (caller.kind === 'session') return ok({ user: presentUser(caller.user) });
    return ok({
      user: { id: 'api-user', type: 'integration', method: 'api_key', scopes: [...caller.scopes] },
    });
  });
}

function presentSignIn({ user, tokens }: SignIn) {
  return ok({ user: presentUser(user), tokens });
}
