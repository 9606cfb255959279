// Users: found, added, proven, signed in with a link. Their sessions: sessions.ts.
import { randomBytes } from 'node:crypto';
import { LINK_TTL_MS, type UserRecord } from '../domain/account.ts';
import { mayUse, type Admission } from '../domain/admission.ts';
import { hashSecret } from '../domain/api-key.ts';
import { readEmail, storedForms } from '../domain/email.ts';
import type { IdSource } from '../domain/ids.ts';
import { invalid, QinboxError } from '../errors.ts';
import { createEndWaysIn, createProve, type ProofParts, type Proven } from './address-proof.ts';
import { createSessions, type SignIn } from './sessions.ts';
import type { Tokens } from './session-tokens.ts';

/** The owner that a fresh install signs in as. */
export const LOCAL_OWNER_EMAIL = 'owner@localhost';

interface Parts extends ProofParts {
  nextId: IdSource;
  tokens: Tokens;
  admission: Admission;
}

/** A one-time sign-in link's token; only its hash is stored. `expiresAt` in milliseconds. */
export interface SignInLink {
  token: string;
  expiresAt: number;
}

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts({ nextId, tokens, admission, ...stores }: Parts) {
  const { accounts, bus, clock } = stores;
  const prove = createProve(stores);
  const sessions = createSessions({ nextId, tokens, admission, accounts, bus, clock });

  /** A user who is not stored yet. VALIDATION_ERROR when the address cannot be an account's. */
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
      views: [],
      ...fields,
    };
  }

  /** The user with this address, in any form it may be written or stored in; null when there is none. */
  async function find(email: string): Promise<UserRecord | null> {
    for (const form of storedForms(email)) {
      const user = await accounts.findUserByEmail(form);
      if (user !== null) return user;
    }
    return null;
  }

  /** The user with this address, added when there is none. */
  async function findOrAdd(
    email: string,
    fields: Partial<UserRecord>,
  ): Promise<{ user: UserRecord; created: boolean }> {
    const known = await find(email);
    return known === null ? accounts.ensureUser(newUser(email, fields)) : { user: known, created: false };
  }

  return {
    ...sessions,
    prove,
    endWaysIn: createEndWaysIn(stores),
    find,

    /** Whether an account may be used now. */
    mayUse: (user: UserRecord): boolean => mayUse(admission, user),

    /** As `mayUse`, by the user's id; false when there is no such user. */
    async mayBeUsed(userId: string): Promise<boolean> {
      const user = await accounts.getUser(userId);
      return user !== null && mayUse(admission, user);
    },

    /**
     * The user with this address, proven by the operator or a provider: added or proven where that is not so
     * yet, and then `options` apply.
     */
    async ensureUser(
      email: string,
      options: { name?: string; isAdmin?: boolean } = {},
    ): Promise<Proven & { created: boolean }> {
      const { user, created } = await findOrAdd(email, options);
      return { ...(await prove(user, options)), created };
    },

    /** Adds a user whose address is not proven. `created` is false when there is one with this address. */
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

    /** Begins a session for a link, which proves the address. UNAUTHORIZED when unknown, used or too old. */
    async signInWithLink(token: string): Promise<SignIn> {
      const userId = await accounts.consumeLink(hashSecret(token), clock.now());
      const user = userId === null ? null : await accounts.getUser(userId);
      if (user === null)
        throw new QinboxError(
          'UNAUTHORIZED',
          'This sign-in link was used already or has expired. Make another with: qinbox signin-link',
        );
      return sessions.startSession((await prove(user)).user);
    },
  };
}
