// The ways in: a Google account, or an e-mail address and a password. Each ends in a session of core/services/accounts.ts.
import { MIN_PASSWORD_CHARACTERS, type EditProfile } from '../contract/index.ts';
import { normaliseEmail, type UserRecord } from '../domain/account.ts';
import { networkOf } from '../domain/network.ts';
import { invalid, QinboxError } from '../errors.ts';
import type { AccountStore } from '../ports/account-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { IdentityProvider } from '../ports/identity.ts';
import type { Attempt, PasswordHasher } from '../ports/password-hasher.ts';
import type { RateLimiter, RateWindow } from '../ports/rate-limiter.ts';
import type { Accounts, SignIn } from './accounts.ts';
import { createKnownPlaces } from './known-places.ts';

/**
 * Password attempts for one account from wherever its password was not proven before: they are slowed down, never locked out,
 * because whoever is refused may be the owner.
 */
const ACCOUNT_WINDOW: RateWindow = { name: 'account', limit: 10, seconds: 10 };

interface Parts {
  accounts: Accounts;
  store: AccountStore;
  clock: Clock;
  limiter: RateLimiter;
  passwords: PasswordHasher;
  /** Null where Google sign-in is not configured. */
  google: IdentityProvider | null;
}

export type SignInService = ReturnType<typeof createSignIn>;

export function createSignIn({ accounts, store, clock, limiter, passwords, google }: Parts) {
  const known = createKnownPlaces();

  /** An attempt on `account` from `address` that may be made now. Throws RATE_LIMITED. */
  async function allowAttempt(account: string, address: string): Promise<Attempt> {
    const network = networkOf(address);
    const attempt = { account, network, isKnown: known.has(account, network) };
    if (attempt.isKnown) return attempt;
    const verdict = await limiter.take(`account:${account}`, [ACCOUNT_WINDOW]);
    if (!verdict.allowed) {
      const retryAfterSeconds = Math.max(1, Math.ceil((verdict.states[0]?.resetMs ?? 0) / 1000));
      throw new QinboxError(
        'RATE_LIMITED',
        'Too many attempts for this account. Try again in a few seconds.',
        { retryAfterSeconds },
      );
    }
    return attempt;
  }

  return {
    /** Signs in the user whom an ID token names, made at the first time. UNAUTHORIZED, or SERVICE_UNAVAILABLE. */
    async withGoogle(idToken: string): Promise<SignIn> {
      if (google === null)
        throw new QinboxError(
          'FORBIDDEN',
          'Google sign-in is not configured here. The operator sets GOOGLE_CLIENT_ID.',
        );
      const identity = await google.verify(idToken, clock.now());
      const { user } = await accounts.ensureUser(
        identity.email,
        identity.name === null ? {} : { name: identity.name },
      );
      if (!user.isActive) return accounts.startSession(user);
      // Whoever held this address without proving it, a password set by a stranger say, is shut out now.
      if (!user.emailVerified && user.passwordHash !== null) await accounts.shutOut(user.id);
      const known = await store.changeUser(user.id, (record) => ({
        ...record,
        name: identity.name ?? record.name,
        avatarUrl: identity.avatarUrl,
        authProvider: 'google',
        emailVerified: true,
        passwordHash: record.emailVerified ? record.passwordHash : null,
      }));
      return accounts.startSession(known ?? user);
    },

    /** Makes a user with a password and signs it in, from `address`. CONFLICT when the e-mail address is taken. */
    async signUp(name: string, email: string, password: string, address: string): Promise<SignIn> {
      const trimmed = name.trim();
      if (trimmed === '') throw invalid([{ field: 'name', message: 'Name is required for sign up' }]);
      if (Array.from(password).length < MIN_PASSWORD_CHARACTERS)
        throw invalid([
          { field: 'password', message: `must be at least ${MIN_PASSWORD_CHARACTERS} characters long` },
        ]);
      const attempt = await allowAttempt(normaliseEmail(email), address);
      const passwordHash = await passwords.hash(password, attempt);
      const { user, created } = await accounts.ensureUser(email, { name: trimmed, passwordHash });
      if (!created)
        throw new QinboxError(
          'CONFLICT',
          'There is an account with this e-mail address already. Sign in instead.',
        );
      known.add(attempt.account, attempt.network);
      return accounts.startSession(user);
    },

    /**
     * Signs in with a password, from `address`. UNAUTHORIZED alike for an unknown e-mail address and a wrong password;
     * RATE_LIMITED or SERVICE_UNAVAILABLE when too many try.
     */
    async withPassword(email: string, password: string, address: string): Promise<SignIn> {
      const attempt = await allowAttempt(normaliseEmail(email), address);
      const user = await store.findUserByEmail(attempt.account);
      const right = await passwords.verify(password, user?.passwordHash ?? null, attempt);
      if (user === null || !right)
        throw new QinboxError('UNAUTHORIZED', 'The e-mail address or the password is wrong.');
      known.add(attempt.account, attempt.network);
      return accounts.startSession(user);
    },

    /** Changes what a user may change of itself. */
    async editProfile(userId: string, changes: EditProfile): Promise<UserRecord> {
      const name = changes.name?.trim();
      if (name === '') throw invalid([{ field: 'name', message: 'must not be empty' }]);
      const user = await store.changeUser(userId, (record) => ({
        ...record,
        name: name ?? record.name,
        avatarUrl: changes.avatar_url === undefined ? record.avatarUrl : changes.avatar_url,
      }));
      if (user === null) throw new QinboxError('UNAUTHORIZED');
      return user;
    },
  };
}
