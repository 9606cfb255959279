// Users and their sessions: sign in, refresh, sign out.
import { randomBytes } from 'node:crypto';
import type { Tokens as TokenPair } from '../contract/index.ts';
import {
  isSessionLive,
  judgeRefresh,
  LINK_TTL_MS,
  normaliseEmail,
  rotateSession,
  SESSION_TTL_MS,
  type SessionRecord,
  type UserRecord,
} from '../domain/account.ts';
import { hashSecret } from '../domain/api-key.ts';
import { createIdSource } from '../domain/ids.ts';
import { invalid, QinboxError } from '../errors.ts';
import type { AccountStore } from '../ports/account-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { Tokens } from './tokens.ts';

/** The owner that a fresh install signs in as. */
export const LOCAL_OWNER_EMAIL = 'owner@localhost';

interface Parts {
  accounts: AccountStore;
  bus: EventBus;
  clock: Clock;
  tokens: Tokens;
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

const nextUserId = createIdSource('user_');
const nextSessionId = createIdSource('sess_');

export function createAccounts({ accounts, bus, clock, tokens }: Parts) {
  /** Begins a session of 30 days for a user who just proved who it is. */
  async function startSession(user: UserRecord): Promise<SignIn> {
    if (!user.isActive) throw accountDisabled();
    const now = clock.now();
    const id = nextSessionId(now);
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
    const seen = await accounts.changeUser(user.id, (record) => ({ ...record, lastLoginAt: now }));
    return {
      user: seen ?? user,
      tokens: { accessToken: await tokens.signAccess(user.id, id, now), refreshToken },
    };
  }

  return {
    startSession,

    /** The user with this e-mail, made when there is none. */
    async ensureUser(
      email: string,
      options: { name?: string; isAdmin?: boolean; passwordHash?: string } = {},
    ): Promise<{ user: UserRecord; created: boolean }> {
      const address = normaliseEmail(email);
      if (!/^[^@\s]+@[^@\s]+$/.test(address) || address.length > 254)
        throw invalid([{ field: 'email', message: 'must be an e-mail address' }]);
      const now = clock.now();
      return accounts.ensureUser({
        id: nextUserId(now),
        email: address,
        name: options.name ?? (address.split('@')[0] as string),
        avatarUrl: null,
        authProvider: options.passwordHash === undefined ? 'link' : 'email',
        emailVerified: false,
        isActive: true,
        isAdmin: options.isAdmin ?? false,
        createdAt: now,
        lastLoginAt: null,
        passwordHash: options.passwordHash ?? null,
      });
    },

    /** A link token for this user: good once, for 15 minutes. */
    async createLink(user: UserRecord): Promise<SignInLink> {
      const token = randomBytes(24).toString('base64url');
      const expiresAt = clock.now() + LINK_TTL_MS;
      await accounts.createLink(hashSecret(token), user.id, expiresAt);
      return { token, expiresAt };
    },

    /** Uses a link up and begins a session; UNAUTHORIZED when it is unknown, used or too old. */
    async signInWithLink(token: string): Promise<SignIn> {
      const userId = await accounts.consumeLink(hashSecret(token), clock.now());
      const user = userId === null ? null : await accounts.getUser(userId);
      if (user === null)
        throw new QinboxError(
          'UNAUTHORIZED',
          'This sign-in link was used already or has expired. Make another with: qinbox signin-link',
        );
      return startSession(user);
    },

    /**
     * New tokens for a refresh token. The current one rotates; the one before is answered with the current pair for
     * 10 seconds; any older one ends the session. What was not made here has no effect, whichever session it names.
     */
    async refresh(refreshToken: string): Promise<TokenPair> {
      const presented = tokens.readRefresh(refreshToken);
      const found = presented === null ? null : await accounts.getSession(presented.sessionId);
      if (presented === null || found === null || !found.user.isActive) throw refreshFailed();
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

    /** Ends a session at once, everywhere. */
    async signOut(sessionId: string): Promise<void> {
      const now = clock.now();
      const session = await accounts.changeSession(sessionId, (record) =>
        record.revokedAt === null ? { ...record, revokedAt: now } : record,
      );
      if (session !== null) bus.publish({ kind: 'access', userId: session.userId });
    },

    /** Ends everything that lets anybody in as this user: sessions and API keys. */
    async shutOut(userId: string): Promise<void> {
      const now = clock.now();
      await accounts.revokeSessions(userId, now);
      for (const { id } of await accounts.listKeys(userId)) await accounts.revokeKey(userId, id, now);
      bus.publish({ kind: 'access', userId });
    },

    /** The session and its user, if both may be used now. */
    async liveSession(sessionId: string): Promise<{ session: SessionRecord; user: UserRecord } | null> {
      const found = await accounts.getSession(sessionId);
      return found !== null && found.user.isActive && isSessionLive(found.session, clock.now())
        ? found
        : null;
    },
  };
}

function refreshFailed(): QinboxError {
  return new QinboxError('UNAUTHORIZED', 'Token refresh failed. Sign in again.');
}

function accountDisabled(): QinboxError {
  return new QinboxError('FORBIDDEN', 'This account has been disabled. Ask an administrator.');
}
