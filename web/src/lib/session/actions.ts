// Signing in by key, signing out, and asking again who this is.
import { api, live, session } from '../services.ts';

/** Stores the key once the server has accepted it. Throws the server's refusal. */
export async function signInWithApiKey(apiKey: string): Promise<void> {
  const { user } = await api('GET /auth/profile', { as: { apiKey } });
  session.storeApiKey(apiKey, user);
}

/** Exchanges an ID token of Google for a session and stores it. Throws the server's refusal. */
export async function signInWithGoogle(idToken: string): Promise<void> {
  const { tokens, user } = await api('POST /auth/google', { body: { idToken }, as: 'nobody' });
  session.storeTokens(tokens, user);
}

/** Tells the server (only a session has something to end there), forgets everything, goes to the site's root. */
export async function signOut(): Promise<void> {
  const hadToken = session.accessToken !== null;
  // The server is about to close the socket of this session: here that is no news.
  live.stop();
  try {
    if (hadToken) await api('POST /auth/logout');
  } catch {
    // Signed out here all the same; the tokens run out by themselves.
  }
  session.clear();
  location.assign('/');
}

/** At the start, for a token session: the profile may have changed since it was stored. */
export async function refreshProfile(): Promise<void> {
  if (session.getState().method !== 'jwt') return;
  try {
    const { user } = await api('GET /auth/profile');
    if (session.getState().method === 'jwt') session.storeUser(user);
  } catch {
    // A 401 was dealt with by the client; anything else leaves the stored user as it is.
  }
}
