// The ways in: a Google account, or an e-mail address and a password. Each ends in a session of core/services/accounts.ts.
import { MIN_PASSWORD_CHARACTERS, type EditProfile } from '../contract/index.ts';
import { normaliseEmail, type UserRecord } from '../domain/account.ts';
import { hashPassword, verifyPassword } from '../domain/password.ts';
import { invalid, QinboxError } from '../errors.ts';
import type { AccountStore } from '../ports/account-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { IdentityProvider } from '../ports/identity.ts';
import type { RateLimiter, RateWindow } from '../ports/rate-limiter.ts';
import type { Accounts, SignIn } from './accounts.ts';

/** Password attempts for one account, from wherever they come. */
const ACCOUNT_WINDOW: RateWindow = { name: 'minute', limit: 10, seconds: 60 };

interface Parts {
  accounts: Accounts;
  store: AccountStore;
  clock: Clock;
  limiter: RateLimiter;
  /** Null where Google sign-in is not configured. */
  google: IdentityProvider | null;
}

export type SignInService = ReturnType<typeof createSignIn>;

export function createSignIn({ accounts, store, clock, limiter, google }: Parts) {
  async function limitAccount(email: string): Promise<void> {
    const verdict = await limiter.take(`account:${email}`, [ACCOUNT_WINDOW], clock.now());
    if (!verdict.allowed) {
      const retryAfterSeconds = Math.max(1, Math.ceil((verdict.states[0]?.resetMs ?? 0) / 1000));
      throw new QinboxError('RATE_LIMITED', 'Too many attempts for this account. Try again in a minute.', {
        retryAfterSeconds,
      });
    }
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

    /** Makes a user with a password and signs it in. CONFLICT when the address is taken. */
    async signUp(name: string, email: string, password: string): Promise<SignIn> {
      const trimmed = name.trim();
      if (trimmed === '') throw invalid([{ field: 'name', message: 'Name is required for sign up' }]);
      if (Array.from(password).length < MIN_PASSWORD_CHARACTERS)
        throw invalid([
          { field: 'password', message: `must be at least ${MIN_PASSWORD_CHARACTERS} characters long` },
        ]);
      await limitAccount(normaliseEmail(email));
      const passwordHash = await hashPassword(password);
      const { user, created } = await accounts.ensureUser(email, { name: trimmed, passwordHash });
      if (!created)
        throw new QinboxError(
          'CONFLICT',
          'There is an account with this e-mail address already. Sign in instead.',
        );
      return accounts.startSession(user);
    },

    /** Signs in with a password. UNAUTHORIZED alike for an unknown address and a wrong password. */
    async withPassword(email: string, password: string): Promise<SignIn> {
      const address = normaliseEmail(email);
      await limitAccount(address);
      const user = await store.findUserByEmail(address);
      const right = await verifyPassword(password, user?.passwordHash ?? null);
      if (user === null || !right)
        throw new QinboxError('UNAUTHORIZED', 'The e-mail address or the password is wrong.');
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
