// Sign-in with a Google account, or with an e-mail address and a password.
import { createCache } from './cache.ts';
import { MIN_PASSWORD_CHARACTERS, type EditProfile } from '../contract/index.ts';
import { isBeingDeleted, isProven, type UserRecord } from '../domain/account.ts';
import { isListed, namesSomebody, type Admission } from '../domain/admission.ts';
import { hashSecret } from '../domain/api-key.ts';
import { readEmail } from '../domain/email.ts';
import { networkOf } from '../domain/network.ts';
import { invalid, QinboxError } from '../errors.ts';
import type { AccountStore } from '../ports/account-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { IdentityProvider } from '../ports/identity.ts';
import type { Attempt, PasswordHasher } from '../ports/password-hasher.ts';
import type { RateLimiter, RateWindow } from '../ports/rate-limiter.ts';
import { LOCAL_OWNER_EMAIL, type Accounts } from './accounts.ts';
import type { SignIn } from './sessions.ts';

/** Attempts for one account from unknown networks. Slowed down, never locked out: it may be the owner. */
const ACCOUNT_WINDOW: RateWindow = { name: 'account', limit: 10, seconds: 10 };

const MAX_KNOWN = 10_000;

interface Parts {
  accounts: Accounts;
  store: AccountStore;
  clock: Clock;
  limiter: RateLimiter;
  passwords: PasswordHasher;
  /** Null where Google sign-in is not configured. */
  google: IdentityProvider | null;
  admission: Admission;
  /** The owner of the public queue, who need not be there yet, or null. */
  guestQueue: string | null;
}

export function createSignIn({
  accounts,
  store,
  clock,
  limiter,
  passwords,
  google,
  admission,
  guestQueue,
}: Parts) {
  const knownNetworks = createKnownNetworks();
  const allowAttempt = createAttempts(limiter, knownNetworks);
  /** Whether the operator named this address: it has an owner before there is an account. */
  const isNamed = (email: string) => email === LOCAL_OWNER_EMAIL || email === guestQueue;

  return {
    /**
     * Signs in the user of an ID token, added the first time. `rawNonce` where Google was asked for the token
     * with its hash as the nonce: then who holds the token alone cannot use it. UNAUTHORIZED,
     * SERVICE_UNAVAILABLE, or FORBIDDEN for an address that neither has a proven account nor is on the
     * operator's lists.
     */
    async withGoogle(idToken: string, rawNonce?: string): Promise<SignIn> {
      if (google === null)
        throw new QinboxError(
          'FORBIDDEN',
          'Google sign-in is not configured here. The operator sets GOOGLE_CLIENT_ID.',
        );
      const nonce = rawNonce === undefined ? null : hashSecret(rawNonce);
      const identity = await google.verify(idToken, nonce, clock.now());
      const held = await accounts.find(identity.email);
      if (held === null || !isProven(held)) requireListed(admission, addressOf(identity.email));
      // A disabled account, or one that is being deleted, is refused before anything is proven or added.
      if (held !== null && (!held.isActive || isBeingDeleted(held))) return accounts.startSession(held);
      const { user } = await accounts.ensureUser(identity.email);
      const current = await store.changeUser(user.id, (record) => ({
        ...record,
        name: identity.name ?? record.name,
        avatarUrl: identity.avatarUrl,
        authProvider: 'google',
        emailVerified: true,
      }));
      return accounts.startSession(current ?? user);
    },

    /**
     * Adds a user with a password and signs it in, from `address`. The e-mail address is not proven. CONFLICT
     * when it is taken, FORBIDDEN where nobody, or not this address, may sign up.
     */
    async signUp(name: string, email: string, password: string, address: string): Promise<SignIn> {
      requireEmailSignIn(admission);
      const trimmed = name.trim();
      if (trimmed === '') throw invalid([{ field: 'name', message: 'Name is required for sign up' }]);
      if (Array.from(password).length < MIN_PASSWORD_CHARACTERS)
        throw invalid([
          { field: 'password', message: `must be at least ${MIN_PASSWORD_CHARACTERS} characters long` },
        ]);
      const account = addressOf(email);
      if (namesSomebody(admission)) requireListed(admission, account);
      const attempt = await allowAttempt(account, address);
      const passwordHash = await passwords.hash(password, attempt);
      if (isNamed(account)) throw taken();
      const { user, created } = await accounts.addUnproven(email, { name: trimmed, passwordHash });
      if (!created) throw taken();
      knownNetworks.add(attempt.account, attempt.network);
      return accounts.startSession(user, (record) => record.passwordHash === passwordHash);
    },

    /**
     * Signs in with a password, from `address`. UNAUTHORIZED alike for an unknown e-mail address and a wrong
     * password; RATE_LIMITED or SERVICE_UNAVAILABLE when too many try.
     */
    async withPassword(email: string, password: string, address: string): Promise<SignIn> {
      requireEmailSignIn(admission);
      const attempt = await allowAttempt(formOf(email), address);
      const user = await accounts.find(email);
      const right = await passwords.verify(password, user?.passwordHash ?? null, attempt);
      if (user === null || !right)
        throw new QinboxError('UNAUTHORIZED', 'The e-mail address or the password is wrong.');
      knownNetworks.add(attempt.account, attempt.network);
      return accounts.startSession(user, (record) => record.passwordHash === user.passwordHash);
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

/** Admits an attempt on `account` from `address`. Throws RATE_LIMITED. */
function createAttempts(limiter: RateLimiter, known: KnownNetworks) {
  return async (account: string, address: string): Promise<Attempt> => {
    const network = networkOf(address);
    if (known.has(account, network)) return { account, network, isKnown: true };
    const { allowed, states } = await limiter.take(`account:${account}`, [ACCOUNT_WINDOW]);
    if (allowed) return { account, network, isKnown: false };
    throw new QinboxError('RATE_LIMITED', 'Too many attempts for this account. Try again in a few seconds.', {
      retryAfterSeconds: Math.max(1, Math.ceil((states[0]?.resetMs ?? 0) / 1000)),
    });
  };
}

function requireEmailSignIn({ emailSignIn }: Admission): void {
  if (!emailSignIn)
    throw new QinboxError(
      'FORBIDDEN',
      'Nobody signs up or in with e-mail and password here. The operator opens that with EMAIL_SIGNIN=true.',
    );
}

function requireListed(admission: Admission, email: string): void {
  if (!isListed(admission, email))
    throw new QinboxError(
      'FORBIDDEN',
      `${email} is not let in here. The operator lets an address in with "qinbox user add", or with ALLOWED_EMAILS or ALLOWED_DOMAINS.`,
    );
}

/** The normalised address; of a text that is none, a form to compare by. */
function formOf(email: string): string {
  const reading = readEmail(email);
  return 'email' in reading ? reading.email : email.trim().toLowerCase();
}

/** The normalised address. Throws VALIDATION_ERROR. */
function addressOf(email: string): string {
  const reading = readEmail(email);
  if ('fault' in reading) throw invalid([{ field: 'email', message: reading.fault }]);
  return reading.email;
}

function taken(): QinboxError {
  return new QinboxError(
    'CONFLICT',
    'There is an account with this e-mail address already. Sign in instead.',
  );
}

type KnownNetworks = ReturnType<typeof createKnownNetworks>;

/**
 * Networks from which an account's password was proven since the start: served first, so that strangers who
 * guess cannot take the owner's place.
 */
function createKnownNetworks() {
  const known = createCache<true>(MAX_KNOWN);
  // Hashed: a memory dump does not show who signs in from where.
  const keyOf = (account: string, network: string) => hashSecret(`${account} ${network}`);
  return {
    has: (account: string, network: string) => known.has(keyOf(account, network)),
    add: (account: string, network: string) => void known.set(keyOf(account, network), true),
  };
}
