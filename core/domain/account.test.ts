// Sessions: which refresh token rotates, which is a second tab that was too late, and which was stolen.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { userOf } from '#test/helpers/records.ts';
import {
  isAdministrator,
  isProven,
  isSessionLive,
  judgeRefresh,
  REFRESH_GRACE_MS,
  rotateSession,
  SESSION_TTL_MS,
  type SessionRecord,
} from './account.ts';

const NOW = Date.UTC(2026, 10, 21, 9);
const session: SessionRecord = {
  id: 'session_1',
  userId: 'user_1',
  refreshHash: 'h1',
  generation: 1,
  previousHash: null,
  previousUntil: 0,
  createdAt: NOW,
  expiresAt: NOW + SESSION_TTL_MS,
  revokedAt: null,
};

describe('a session', () => {
  it('lives 30 days to the millisecond, or until it is revoked', () => {
    expect(isSessionLive(session, NOW + 30 * 24 * 3_600_000 - 1)).toBe(true);
    expect(isSessionLive(session, NOW + 30 * 24 * 3_600_000)).toBe(false);
    expect(isSessionLive({ ...session, revokedAt: NOW }, NOW)).toBe(false);
  });

  it('does not live longer for being refreshed', () => {
    expect(rotateSession(session, 'h2', NOW + 5)).toEqual({
      ...session,
      refreshHash: 'h2',
      generation: 2,
      previousHash: 'h1',
      previousUntil: NOW + 5 + REFRESH_GRACE_MS,
    });
  });
});

describe('a refresh token', () => {
  it('rotates when it is the current one', () => {
    expect(judgeRefresh(session, 'h1', NOW)).toBe('current');
  });

  it('is good for 10 seconds after the next one was given, and reused from then on', () => {
    const rotated = rotateSession(session, 'h2', NOW);
    expect(judgeRefresh(rotated, 'h2', NOW)).toBe('current');
    expect(judgeRefresh(rotated, 'h1', NOW + REFRESH_GRACE_MS - 1)).toBe('previous');
    expect(judgeRefresh(rotated, 'h1', NOW + REFRESH_GRACE_MS)).toBe('reused');
  });

  it('is reused when it is older than the one before, at any time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 50 }), fc.nat({ max: 20_000 }), (rotations, wait) => {
        let current = session;
        for (let turn = 2; turn <= rotations; turn++) current = rotateSession(current, `h${turn}`, NOW);
        expect(current.generation).toBe(rotations);
        for (let old = 1; old < rotations - 1; old++)
          expect(judgeRefresh(current, `h${old}`, NOW + wait)).toBe('reused');
        expect(judgeRefresh(current, 'never given', NOW + wait)).toBe('reused');
      }),
    );
  });

  it('is dead with its session, the current one too', () => {
    expect(judgeRefresh({ ...session, revokedAt: NOW - 1 }, 'h1', NOW)).toBe('dead');
    expect(judgeRefresh(session, 'h1', session.expiresAt)).toBe('dead');
  });
});

describe('an address', () => {
  const signedUp = userOf({ authProvider: 'email', emailVerified: false });

  it('is proven unless somebody only signed up with it', () => {
    expect(isProven(signedUp)).toBe(false);
    expect(isProven({ ...signedUp, emailVerified: true })).toBe(true);
    // Users whom an operator named before it was noted.
    expect(isProven({ ...signedUp, authProvider: 'link' })).toBe(true);
  });

  it('that is not proven gives no rights', () => {
    expect(isAdministrator({ ...signedUp, isAdmin: true })).toBe(false);
    expect(isAdministrator(userOf({ isAdmin: true }))).toBe(true);
  });
});
