import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import { aUser } from '../../../test/tasks.ts';
import { createTokenRefresh } from '../api/token-refresh.ts';
import { createLocalStore } from '../local-store.ts';
import { session } from '../services.ts';
import { refreshProfile, signOut } from './actions.ts';
import { authCall } from './auth-calls.ts';
import { Session } from './session.ts';

let server: FakeServer;
beforeEach(() => {
  server = new FakeServer();
  vi.stubGlobal('fetch', server.fetch);
  session.clear();
});
const signIn = () => session.storeTokens({ accessToken: 'a', refreshToken: 'r' }, aUser);

const CALLS: [string, () => Promise<unknown>, string][] = [
  [
    'POST /auth/google',
    () => authCall('POST /auth/google', { body: { idToken: 'x' } }),
    'Authentication failed',
  ],
  [
    'POST /auth/signup',
    () => authCall('POST /auth/signup', { body: { name: 'n', email: 'e@e.e', password: 'p' } }),
    'Signup failed',
  ],
  [
    'POST /auth/login',
    () => authCall('POST /auth/login', { body: { email: 'e', password: 'p' } }),
    'Login failed',
  ],
  ['GET /auth/profile', () => authCall('GET /auth/profile'), 'Failed to fetch profile'],
  [
    'PUT /auth/profile',
    () => authCall('PUT /auth/profile', { body: { name: 'n' } }),
    'Failed to update profile',
  ],
  [
    'POST /auth/api-keys',
    () => authCall('POST /auth/api-keys', { body: { name: 'n' } }),
    'Failed to create API key',
  ],
  ['GET /auth/api-keys', () => authCall('GET /auth/api-keys'), 'Failed to list API keys'],
  [
    'DELETE /auth/api-keys/k',
    () => authCall('DELETE /auth/api-keys/:id', { params: { id: 'k' } }),
    'Failed to revoke API key',
  ],
];

describe('an auth call', () => {
  test.each(CALLS)('%s without a text or a success flag says what it is for', async (name, call, message) => {
    server.replies.set(name, () => ({ status: 500, body: {} }));
    await expect(call()).rejects.toThrow(message);
    server.replies.set(name, () => ({ status: 200, body: { user: aUser } }));
    await expect(call()).rejects.toThrow(message);
    server.replies.set(name, () => refusal(400, 'VALIDATION_ERROR', 'The server knows why.'));
    await expect(call()).rejects.toThrow('The server knows why.');
  });

  test('that renews the tokens says "Token refresh failed", or "No refresh token available"', async () => {
    const own = new Session(createLocalStore(null), new EventTarget());
    const refresh = createTokenRefresh({
      session: own,
      post: () => Promise.resolve({ tokens: { accessToken: 'no', refreshToken: 'flag' } }),
      exclusively: undefined,
    });
    await expect(refresh('old')).rejects.toThrow('No refresh token available');
    own.storeTokens({ accessToken: 'old', refreshToken: 'r' });
    await expect(refresh('old')).rejects.toThrow('Token refresh failed');
    expect(own.getState().method).toBe('none');
  });
});

describe('at the start', () => {
  test('a token session fetches its profile anew, and keeps the stored one when that fails', async () => {
    signIn();
    server.replies.set('GET /auth/profile', () => ({
      status: 200,
      body: { success: true, user: { ...aUser, name: 'Renamed' } },
    }));
    await refreshProfile();
    expect(session.getState().user).toMatchObject({ name: 'Renamed' });
    server.replies.set('GET /auth/profile', () => ({ status: 500 }));
    await refreshProfile();
    expect(session.getState()).toMatchObject({ method: 'jwt', user: { name: 'Renamed' } });
  });

  test('a key and a guest do not ask for one', async () => {
    await refreshProfile();
    session.storeApiKey('qi_1', aUser);
    await refreshProfile();
    expect(server.calls).toEqual([]);
  });
});

describe('signing out', () => {
  test.each([
    ['tells the server of a token session', signIn, 1],
    ['tells it nothing of a key', () => session.storeApiKey('qi_1', aUser), 0],
  ])('%s, and clears everything', async (_, begin, calls) => {
    begin();
    await signOut();
    expect(server.called('POST /auth/logout')).toHaveLength(calls);
    expect(Object.keys(localStorage)).toEqual([]);
  });
});

test.each(['auth:expired', 'auth:required'])('%s from anywhere resets the session', (name) => {
  signIn();
  window.dispatchEvent(new Event(name));
  expect(session.getState()).toMatchObject({ method: 'none', user: null });
});
