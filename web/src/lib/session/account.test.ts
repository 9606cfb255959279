import { describe, expect, test } from 'vitest';
import { aUser } from '../../../test/tasks.ts';
import { createLocalStore } from '../local-store.ts';
import { accountOf } from './account.ts';
import { Session } from './session.ts';

const newSession = () => new Session(createLocalStore(null), new EventTarget());

/** As the server makes them, with a payload that plain base64 would write otherwise. */
function tokenFor(sub: string): string {
  const payload = btoa(JSON.stringify({ sub, note: '\u00ff\u00fe?>' }));
  return `e30.${payload.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}.signature`;
}

describe('an account', () => {
  test('is the user of the token, also when the browser names another', () => {
    const session = newSession();
    expect(accountOf(session)).toBeNull();
    session.storeTokens({ accessToken: tokenFor('user_9'), refreshToken: 'r' }, aUser);
    expect(accountOf(session)).toBe('user:user_9');
    session.storeTokens({ accessToken: 'unreadable', refreshToken: 'r' }, aUser);
    expect(accountOf(session)).toBe('user:user_1');
  });

  test('of an API key is told apart by what lists of keys show of it, and by no more', () => {
    const session = newSession();
    session.storeApiKey(`qi_ABCDE${'x'.repeat(31)}WXYZ`, aUser);
    expect(accountOf(session)).toBe('key:qi_ABCDE…WXYZ');
  });
});
