// Signing in and out, and fetching the profile. Signing in and editing throw the server's refusal.
import { ApiError } from '../api/api-error.ts';
import { logFailure } from '../log.ts';
import { storedPushEntry } from '../push/entry.ts';
import { api, drafts, live, session } from '../services.ts';
import { authCall } from './auth-calls.ts';
import { askToSignOut } from './sign-out-question.ts';

/** Stores the key once the server has accepted it. */
export async function signInWithApiKey(apiKey: string): Promise<void> {
  const { user } = await api('GET /auth/profile', { as: { apiKey } });
  session.storeApiKey(apiKey, user);
}

/** Exchanges an ID token of Google for a session and stores it. */
export async function signInWithGoogle(body: { idToken: string; rawNonce: string }): Promise<void> {
  const { tokens, user } = await authCall('POST /auth/google', { body, as: 'nobody' });
  session.storeTokens(tokens, user);
}

/** The hidden form, signing in. */
export async function signInWithPassword(email: string, password: string): Promise<void> {
  const { tokens, user } = await authCall('POST /auth/login', { body: { email, password }, as: 'nobody' });
  session.storeTokens(tokens, user);
}

/** The hidden form, signing up. */
export async function signUp(name: string, email: string, password: string): Promise<void> {
  const body = { name, email, password };
  const { tokens, user } = await authCall('POST /auth/signup', { body, as: 'nobody' });
  session.storeTokens(tokens, user);
}

export async function editName(name: string): Promise<void> {
  const { user } = await authCall('PUT /auth/profile', { body: { name } });
  session.storeUser(user);
}

/**
 * Signs out at the server (token sessions only) and here, where pushes end, too; then goes to the site's
 * root. Asks first when unsent changes would be lost; then it may be cancelled.
 */
export async function signOut(): Promise<void> {
  const { changesLeft, clearAccount } = await import('../outbox/service.ts');
  const left = await changesLeft();
  if (left > 0 && !(await askToSignOut(left))) return;
  await clearAccount();
  if (storedPushEntry() !== null)
    await import('../push/device.ts').then(
      ({ leavePush }) => leavePush(),
      () => undefined,
    );
  const hadToken = session.accessToken !== null;
  // The server is about to close the socket of this session: here that is no news.
  live.stop();
  try {
    if (hadToken) await api('POST /auth/logout');
  } catch {
    // Signed out here all the same; the tokens run out by themselves.
  }
  drafts.clear();
  session.clear();
  location.assign('/');
}

/** At the start, for a token session: the profile may have changed since it was stored. */
export async function refreshProfile(): Promise<void> {
  if (session.getState().method !== 'jwt') return;
  try {
    const { user } = await authCall('GET /auth/profile');
    if (session.getState().method === 'jwt') session.storeUser(user);
  } catch (error) {
    // A 401 was dealt with by the client; anything else leaves the stored user as it is.
    if (!(error instanceof ApiError && error.status === 401)) logFailure('fetching the profile', error);
  }
}
