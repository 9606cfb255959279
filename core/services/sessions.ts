// Sessions of users: begun, refreshed, ended.
import type { Tokens as TokenPair } from '../contract/index.ts';
import {
  isBeingDeleted,
  isSessionLive,
  judgeRefresh,
  rotateSession,
  SESSION_TTL_MS,
  type SessionRecord,
  type UserRecord,
} from '../domain/account.ts';
import { mayUse, type Admission } from '../domain/admission.ts';
import { hashSecret } from '../domain/api-key.ts';
import type { IdSource } from '../domain/ids.ts';
import { QinboxError } from '../errors.ts';
import type { AccountStore, SessionWithUser } from '../ports/account-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { Tokens } from './session-tokens.ts';

interface Parts {
  accounts: AccountStore;
  bus: EventBus;
  clock: Clock;
  nextId: IdSource;
  tokens: Tokens;
  admission: Admission;
}

/** A user with the tokens of a new session. */
export interface SignIn {
  user: UserRecord;
  tokens: TokenPair;
}

export function createSessions({ accounts, bus, clock, nextId, tokens, admission }: Parts) {
  /**
   * Begins a session of 30 days for a user authenticated just now. `proof` says whether the credential is
   * still valid: one that was removed meanwhile begins no session.
   */
  async function startSession(
    user: UserRecord,
    proof: (record: UserRecord) => boolean = () => true,
  ): Promise<SignIn> {
    if (isBeingDeleted(user))
      throw new QinboxError(
        'FORBIDDEN',
        'This account is being deleted, which takes a minute. Sign in again after that, to begin a new one.',
      );
    if (!mayUse(admission, user))
      throw new QinboxError('FORBIDDEN', 'This account has been disabled. Ask an administrator.');
    const now = clock.now();
    const id = nextId('sess_', now);
    const refreshToken = tokens.refreshToken(id, 1);
    if (await accounts.createSession(newSession(id, user.id, hashSecret(refreshToken), now)))
      bus.publish({ kind: 'access', userId: user.id });
    // Checked after the session is stored: removing a credential ends the sessions that are stored by then.
    const seen = await accounts.changeUser(user.id, (record) =>
      proof(record) ? { ...record, lastLoginAt: now } : record,
    );
    if (seen === null || !proof(seen)) {
      await signOut(id);
      throw sessionEnded();
    }
    return {
      user: seen,
      tokens: { accessToken: await tokens.signAccess(user.id, id, now), refreshToken },
    };
  }

  /** The session and its user, if both may be used now. */
  async function liveSession(sessionId: string): Promise<SessionWithUser | null> {
    const found = await accounts.getSession(sessionId);
    return found !== null && mayUse(admission, found.user) && isSessionLive(found.session, clock.now())
      ? found
      : null;
  }

  /** Ends a session at once, everywhere. */
  async function signOut(sessionId: string): Promise<void> {
    const now = clock.now();
    const session = await accounts.changeSession(sessionId, (record) =>
      record.revokedAt === null ? { ...record, revokedAt: now } : record,
    );
    if (session !== null) bus.publish({ kind: 'access', userId: session.userId });
  }

  return {
    startSession,
    liveSession,
    signOut,

    /**
     * New tokens for a refresh token. The current one rotates; the previous one gets the current pair for 10
     * seconds; an older one ends the session. A token not issued here has no effect.
     */
    async refresh(refreshToken: string): Promise<TokenPair> {
      const presented = tokens.readRefresh(refreshToken);
      const found = presented === null ? null : await accounts.getSession(presented.sessionId);
      if (presented === null || found === null || !mayUse(admission, found.user)) throw refreshFailed();
      if (!tokens.isAuthenticRefresh(refreshToken, found.session.generation)) throw refreshFailed();
      const now = clock.now();
      const { id } = found.session;
      let verdict = judgeRefresh(found.session, presented.hash, now);
      const after = await accounts.changeSession(id, (session) => {
        verdict = judgeRefresh(session, presented.hash, now);
        if (verdict === 'current')
          return rotateSession(session, hashSecret(tokens.refreshToken(id, session.generation + 1)), now);
        return verdict === 'reused' ? { ...session, revokedAt: now } : session;
      });
      if (verdict === 'reused') bus.publish({ kind: 'access', userId: found.user.id });
      if (after === null || verdict === 'reused' || verdict === 'dead') throw refreshFailed();
      return {
        accessToken: await tokens.signAccess(after.userId, id, now),
        refreshToken: tokens.refreshToken(id, after.generation),
      };
    },

    /**
     * Makes something that outlives the session (a key, an intake, a code), and undoes it when the session
     * ended meanwhile.
     */
    async whileSignedIn<T>(
      sessionId: string,
      make: () => Promise<T>,
      undo: (made: T) => Promise<void>,
    ): Promise<T> {
      const made = await make();
      if ((await liveSession(sessionId)) !== null) return made;
      await undo(made);
      throw sessionEnded();
    },
  };
}

function newSession(id: string, userId: string, refreshHash: string, now: number): SessionRecord {
  return {
    id,
    userId,
    refreshHash,
    generation: 1,
    previousHash: null,
    previousUntil: 0,
    createdAt: now,
    expiresAt: now + SESSION_TTL_MS,
    revokedAt: null,
  };
}

function sessionEnded(): QinboxError {
  return new QinboxError('UNAUTHORIZED', 'This session has ended. Sign in again.');
}

function refreshFailed(): QinboxError {
  return new QinboxError('UNAUTHORIZED', 'Token refresh failed. Sign in again.');
}
