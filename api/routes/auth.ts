// Every call on sign-in, profiles and API keys.
import type { FastifyInstance } from 'fastify';
import { authRoutes } from '#core/contract/index.ts';
import type { SignIn } from '#core/services/sessions.ts';
import { session, signedIn } from '../plugins/caller.ts';
import { presentApiKey, presentUser } from '../present/accounts.ts';
import { addRoute, ok } from '../route.ts';
import { timeOf } from '../time-of.ts';
import type { Parts } from '../services/services.ts';

/** Adds every `/auth` call. */
export function addAuthRoutes(
  app: FastifyInstance,
  { accounts, apiKeys, signIn }: Pick<Parts, 'accounts' | 'apiKeys' | 'signIn'>,
): void {
  addRoute(app, authRoutes.google, async (request) => {
    const { idToken, rawNonce } = request.body;
    return presentSignIn(await signIn.withGoogle(idToken, rawNonce));
  });

  addRoute(app, authRoutes.signup, async (request) => {
    const { name, email, password } = request.body;
    return presentSignIn(await signIn.signUp(name, email, password, request.ip));
  });

  addRoute(app, authRoutes.login, async (request) =>
    presentSignIn(await signIn.withPassword(request.body.email, request.body.password, request.ip)),
  );

  addRoute(app, authRoutes.link, async (request) =>
    presentSignIn(await accounts.signInWithLink(request.body.token)),
  );

  addRoute(app, authRoutes.refresh, async (request) =>
    ok({ tokens: await accounts.refresh(request.body.refreshToken) }),
  );

  addRoute(app, authRoutes.logout, async (request) => {
    await accounts.signOut(session(request).sessionId);
    return ok();
  });

  addRoute(app, authRoutes.profile, async (request) => {
    const caller = signedIn(request);
    if (caller.kind === 'session') return ok({ user: presentUser(caller.user) });
    return ok({
      user: { id: 'api-user', type: 'integration', method: 'api_key', scopes: [...caller.scopes] },
    });
  });

  addRoute(app, authRoutes.editProfile, async (request) =>
    ok({ user: presentUser(await signIn.editProfile(session(request).ownerId, request.body)) }),
  );

  addRoute(app, authRoutes.listKeys, async (request) => {
    const keys = await apiKeys.list(session(request).ownerId);
    return ok({ apiKeys: keys.map(presentApiKey) });
  });

  addRoute(app, authRoutes.createKey, async (request) => {
    const { ownerId, sessionId } = session(request);
    const { expires_at: end = null, ...rest } = request.body;
    const expiresAt = end === null ? null : timeOf('expires_at', end);
    const { key, record } = await accounts.whileSignedIn(
      sessionId,
      () => apiKeys.create(ownerId, { ...rest, expiresAt }),
      (made) => apiKeys.revoke(ownerId, made.record.id),
    );
    return ok({ apiKey: { ...presentApiKey(record), key } });
  });

  addRoute(app, authRoutes.revokeKey, async (request) => {
    await apiKeys.revoke(session(request).ownerId, request.params.id);
    return ok();
  });
}

function presentSignIn({ user, tokens }: SignIn) {
  return ok({ user: presentUser(user), tokens });
}
