// Users and their sessions: sign in, refresh, sign out.
import { randomBytes } from 'node:crypto';
import type { Tokens as TokenPair } from '../contract/index.ts';
import {
  isSessionLive,
  judgeRefresh,
  LINK_TTL_MS,
  rotateSession,
  SESSION_TTL_MS,
  type SessionRecord,
  type UserRecord,
} from '../domain/account.ts';
import { mayUse, type Admission } from '../domain/admission.ts';
import { hashSecret } from '../domain/api-key.ts';
import { readEmail } from '../domain/email.ts';
import type { IdSource } from '../domain/ids.ts';
import { invalid, QinboxError } from '../errors.ts';
import { findUser } from './find-user.ts';
import { createProve, type Proven, type ProofParts } from './proof.ts';
import type { Tokens } from './tokens.ts';

/** The owner that a fresh install signs in as. */
export const LOCAL_OWNER_EMAIL = 'owner@localhost';

interface Parts extends ProofParts {
  nextId: IdSource;
  tokens: Tokens;
  admission: Admission;
}

/** A user with the tokens of a new session. */
export interface SignIn {
  user: UserRecord;
  tokens: TokenPair;
}

/** A one-time sign-in link's token; only its hash is kept. `expiresAt` in milliseconds. */
export interface SignInLink {
  token: string;
  expiresAt: number;
}

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts({ nextId, tokens, admission, ...stores }: Parts) {
  const { accounts, bus, clock } = stores;
  const prove = createProve(stores);

  /**
   * Begins a session of 30 days for a user who just proved who it is. `proof` tells whether what it was proven with still holds: a
   * password that was taken away meanwhile opens nothing.
   */
  async function startSession(
    user: UserRecord,
    proof: (record: UserRecord) => boolean = () => true,
  ): Promise<SignIn> {
    if (!mayUse(admission, user)) throw accountDisabled();
    const now = clock.now();
    const id = nextId('sess_', now);
    const refreshToken = tokens.refreshToken(id, 1);
    await accounts.createSession({
      id,
      userId: user.id,
      refreshHash: hashSecret(refreshToken),
      generation: 1,
      previousHash: null,
      previousUntil: 0,
      createdAt: now,
      expiresAt: now + SESSION_TTL_MS,
      revokedAt: null,
    });
    // Asked after the session is there: whoever takes the proof away ends the sessions that are there after that.
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
  async function liveSession(
    sessionId: string,
  ): Promise<{ session: SessionRecord; user: UserRecord } | null> {
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

  /** A user to be; VALIDATION_ERROR when the address cannot be an account's. */
  function newUser(address: string, fields: Partial<UserRecord>): UserRecord {
    const reading = readEmail(address);
    if ('fault' in reading) throw invalid([{ field: 'email', message: reading.fault }]);
    const now = clock.now();
    return {
      id: nextId('user_', now),
      email: reading.email,
      name: reading.email.split('@')[0] as string,
      avatarUrl: null,
      authProvider: 'link',
      emailVerified: true,
      isActive: true,
      isAdmin: false,
      createdAt: now,
      lastLoginAt: null,
      passwordHash: null,
      ...fields,
    };
  }

  /** The user with this address, or the one to be, made now. */
  async function findOrAdd(
    email: string,
    fields: Partial<UserRecord>,
  ): Promise<{ user: UserRecord; created: boolean }> {
    const known = await findUser(accounts, email);
    return known === null ? accounts.ensureUser(newUser(email, fields)) : { user: known, created: false };
  }

  return {
    startSession,
    liveSession,
    signOut,
    prove,

    /** Whether an account may be used now, by whatever way. */
    mayUse: (user: UserRecord): boolean => mayUse(admission, user),

    /** The user with this address, in whatever form it is written or stored; null when there is none. */
    find: (email: string): Promise<UserRecord | null> => findUser(accounts, email),

    /**
     * The user with this address, of whom the operator or a provider says that it is theirs: made when there is none, and proven when
     * somebody had only signed up with it. Name and rights are those of a user who is made or proven now.
     */
    async ensureUser(
      email: string,
      options: { name?: string; isAdmin?: boolean } = {},
    ): Promise<Proven & { created: boolean }> {
      const { user, created } = await findOrAdd(email, options);
      return { ...(await prove(user, options)), created };
    },

    /** A user whose address nothing proves. `created` is false when there is one with this address. */
    addUnproven: (
      email: string,
      { name, passwordHash }: { name: string; passwordHash: string },
    ): Promise<{ user: UserRecord; created: boolean }> =>
      findOrAdd(email, { name, passwordHash, authProvider: 'email', emailVerified: false }),

    /** A link token for this user: good once, for 15 minutes. */
    async createLink(user: UserRecord): Promise<SignInLink> {
      const token = randomBytes(24).toString('base64url');
      const expiresAt = clock.now() + LINK_TTL_MS;
      await accounts.createLink(hashSecret(token), user.id, expiresAt);
      return { token, expiresAt };
    },

    /** Uses a link up, which proves its user's address, and begins a session; UNAUTHORIZED when it is unknown, used or too old. */
    async signInWithLink(token: string): Promise<SignIn> {
      const userId = await accounts.consumeLink(hashSecret(token), clock.now());
      const user = userId === null ? null : await accounts.getUser(userId);
      if (user === null)
        throw new QinboxError(
          'UNAUTHORIZED',
          'This sign-in link was used already or has expired. Make another with: qinbox signin-link',
        );
      return startSession((await prove(user)).user);
    },

    /**
     * New tokens for a refresh token. The current one rotates; the one before is answered with the current pair for
     * 10 seconds; any older one ends the session. What was not made here has no effect, whichever session it names.
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
     * Makes something for a session that opens a door for longer than the session itself (a key, an intake, a code), and takes it back
     * when the session ended meanwhile: whoever is shut out leaves nothing behind that was still on its way.
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

function sessionEnded(): QinboxError {
  return new QinboxError('UNAUTHORIZED', 'This session has ended. Sign in again.');
}

function refreshFailed(): QinboxError {
  return new QinboxError('UNAUTHORIZED', 'Token refresh failed. Sign in again.');
}

function accountDisabled(): QinboxError {
  return new QinboxError('FORBIDDEN', 'This account has been disabled. Ask an administrator.');
}
