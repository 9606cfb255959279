// Authenticates callers. A caller seen in the last second costs a cache look-up.
import { createCache } from './cache.ts';
import { isBeingDeleted, isKeyExpired, isProven, type ApiKeyRecord } from '../domain/account.ts';
import { isApiKeyForm, hashSecret, KEY_PREFIX } from '../domain/api-key.ts';
import { QinboxError } from '../errors.ts';
import type { AccountStore } from '../ports/account-store.ts';
import type { AccessClaims } from '../ports/access-tokens.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { Accounts } from './accounts.ts';
import type { Principal, SignedIn } from './principal.ts';
import type { Tokens } from './session-tokens.ts';

/** How long a principal is cached. Below the second within which a revocation must take effect. */
const PRINCIPAL_TTL_MS = 800;
/** `last_used_at` of a key is written at most this often. */
const TOUCH_INTERVAL_MS = 60_000;
const MAX_CACHED = 10_000;

interface Parts {
  accounts: Accounts;
  store: AccountStore;
  tokens: Tokens;
  bus: EventBus;
  clock: Clock;
  /** The public queue's owner, by e-mail, or null. */
  guestQueue: string | null;
  /** Called when a `last_used_at` could not be written. */
  onError: (error: unknown) => void;
}

/** The credentials of a request, as its headers have them. */
export interface Credentials {
  authorization: string | undefined;
  apiKey: string | undefined;
}

/** A signed-in caller, short enough for a ticket. */
export interface Subject {
  kind: 'session' | 'key';
  ownerId: string;
  /** Of the session or the key. */
  id: string;
}

/** The {@link Subject} of a caller. */
export function subjectOf(principal: SignedIn): Subject {
  return {
    kind: principal.kind,
    ownerId: principal.ownerId,
    id: principal.kind === 'key' ? principal.keyId : principal.sessionId,
  };
}

interface CachedPrincipal {
  principal: SignedIn;
  /** By the monotonic clock. */
  until: number;
}

export function createAccessControl({ accounts, store, tokens, bus, clock, guestQueue, onError }: Parts) {
  const principals = createCache<CachedPrincipal>(MAX_CACHED);
  const claims = createCache<AccessClaims>(MAX_CACHED);
  const touch = createLastUses(store, clock, onError);
  const guests = createGuests(accounts, clock, guestQueue);

  const unsubscribe = bus.subscribe((event) => {
    if (event.kind !== 'access') return;
    principals.clear();
    guests.forget();
  });

  function cache(proof: string, principal: SignedIn): SignedIn {
    const leftMs = principal.kind === 'key' ? (principal.expiresAt ?? Infinity) - clock.now() : Infinity;
    principals.set(proof, { principal, until: clock.monotonic() + Math.min(PRINCIPAL_TTL_MS, leftMs) });
    return principal;
  }

  async function proveKey(key: string, proof: string): Promise<SignedIn> {
    if (!isApiKeyForm(key))
      throw new QinboxError(
        'UNAUTHORIZED',
        'This is not a complete API key. Check that it was copied whole.',
      );
    const found = await store.findKeyByHash(proof);
    if (found !== null) requireUnexpired(found.key, clock.now());
    if (found === null || found.key.revokedAt !== null)
      throw new QinboxError('UNAUTHORIZED', 'This API key is unknown or was revoked.');
    if (!accounts.mayUse(found.user))
      throw new QinboxError('UNAUTHORIZED', 'The account of this API key has been disabled.');
    const { id: keyId, lastUsedAt, scopes, expiresAt } = found.key;
    touch(keyId, lastUsedAt);
    return cache(proof, { kind: 'key', ownerId: found.user.id, keyId, scopes, expiresAt });
  }

  async function proveToken(token: string): Promise<SignedIn> {
    const now = clock.now();
    let claim = claims.get(token);
    if (claim === undefined) {
      claim = await tokens.verifyAccess(token, now);
      claims.set(token, claim);
    } else if (now >= claim.expiresAt) {
      claims.delete(token);
      throw new QinboxError('TOKEN_EXPIRED');
    }
    return cached(claim.sessionId) ?? (await proveSession(claim.sessionId));
  }

  async function proveSession(sessionId: string): Promise<SignedIn> {
    const found = await accounts.liveSession(sessionId);
    if (found === null) throw new QinboxError('UNAUTHORIZED', 'This session has ended. Sign in again.');
    return cache(sessionId, { kind: 'session', ownerId: found.user.id, sessionId, user: found.user });
  }

  async function reinstate({ kind, ownerId, id }: Subject): Promise<SignedIn | null> {
    if (kind === 'session') {
      const found = await accounts.liveSession(id);
      return found === null ? null : { kind, ownerId: found.user.id, sessionId: id, user: found.user };
    }
    const [user, keys] = await Promise.all([store.getUser(ownerId), store.listKeys(ownerId)]);
    const key = keys.find((candidate) => candidate.id === id);
    return user === null || !accounts.mayUse(user) || key === undefined || isKeyExpired(key, clock.now())
      ? null
      : { kind, ownerId, keyId: id, scopes: key.scopes, expiresAt: key.expiresAt };
  }

  function cached(proof: string): SignedIn | undefined {
    const known = principals.get(proof);
    return known !== undefined && clock.monotonic() < known.until ? known.principal : undefined;
  }

  return {
    /**
     * The caller with these credentials; a guest when there are none. Throws UNAUTHORIZED or TOKEN_EXPIRED
     * when they prove nothing: a mistyped key never makes a guest.
     */
    authenticate({ authorization, apiKey }: Credentials): Principal | Promise<Principal> {
      const bearer = authorization === undefined ? undefined : readBearer(authorization);
      const key = bearer === undefined ? apiKey?.trim() : bearer.startsWith(KEY_PREFIX) ? bearer : undefined;
      if (key !== undefined) {
        const proof = hashSecret(key);
        return cached(proof) ?? proveKey(key, proof);
      }
      return bearer === undefined ? guests.principal() : proveToken(bearer);
    },

    /** The caller that a ticket names, read from the store; null when it may no longer come in. */
    reinstate,

    /** Which of these callers of one owner may stay, read from the store. */
    stillAllowed: createLookAgain({ accounts, store, clock }),

    close: unsubscribe,
  };
}

/** Reads the keys of an owner once for all that came in with one, and each session once. */
function createLookAgain({ accounts, store, clock }: Pick<Parts, 'accounts' | 'store' | 'clock'>) {
  /** Ids of the keys of an owner that let in. */
  async function goodKeys(ownerId: string): Promise<string[]> {
    const [user, keys] = await Promise.all([store.getUser(ownerId), store.listKeys(ownerId)]);
    if (user === null || !accounts.mayUse(user)) return [];
    return keys.filter((key) => !isKeyExpired(key, clock.now())).map(({ id }) => id);
  }

  return async (ownerId: string, principals: readonly SignedIn[]): Promise<ReadonlySet<SignedIn>> => {
    const ids = (kind: SignedIn['kind']) =>
      new Set(principals.filter((each) => each.kind === kind).map((each) => subjectOf(each).id));
    const [keyIds, sessionIds] = [ids('key'), [...ids('session')]];
    const [keys, ...sessions] = await Promise.all([
      keyIds.size === 0 ? [] : goodKeys(ownerId),
      ...sessionIds.map((id) => accounts.liveSession(id)),
    ]);
    const allowed = new Set([...keys, ...sessions.flatMap((found) => found?.session.id ?? [])]);
    return new Set(principals.filter((each) => allowed.has(subjectOf(each).id)));
  };
}

/** Writes the last use of keys, each at most once a minute. */
function createLastUses(store: AccountStore, clock: Clock, onError: (error: unknown) => void) {
  /** When each key's last use was written, by the monotonic clock. */
  const written = createCache<number>(MAX_CACHED);
  return (keyId: string, lastUsedAt: number | null): void => {
    const [now, at] = [clock.now(), clock.monotonic()];
    const last = written.get(keyId);
    // The time that another process wrote counts only while it is near, ahead or behind.
    const age = last === undefined ? Math.abs(now - (lastUsedAt ?? -Infinity)) : at - last;
    if (age < TOUCH_INTERVAL_MS) return;
    written.set(keyId, at);
    store.touchKey(keyId, now).catch(onError);
  };
}

/** Guests, and the public queue that they are shown; its owner is cached like a principal. */
function createGuests(accounts: Accounts, clock: Clock, guestQueue: string | null) {
  let cached: { ownerId: string | null; until: number } = { ownerId: null, until: -Infinity };
  return {
    async principal(): Promise<Principal> {
      if (guestQueue === null) return { kind: 'guest', ownerId: null };
      if (clock.monotonic() >= cached.until) {
        const owner = await accounts.find(guestQueue);
        // The operator meant the holder of the address, not somebody who only signed up with it.
        const isShown = owner !== null && owner.isActive && isProven(owner) && !isBeingDeleted(owner);
        cached = { ownerId: isShown ? owner.id : null, until: clock.monotonic() + PRINCIPAL_TTL_MS };
      }
      return { kind: 'guest', ownerId: cached.ownerId };
    },
    forget(): void {
      cached.until = -Infinity;
    },
  };
}

function requireUnexpired(key: ApiKeyRecord, now: number): void {
  if (!isKeyExpired(key, now)) return;
  const end = new Date(key.expiresAt ?? now).toISOString();
  throw new QinboxError('UNAUTHORIZED', `This API key expired at ${end}. Make another one.`);
}

function readBearer(authorization: string): string {
  const match = /^Bearer +(\S+)$/i.exec(authorization);
  if (match?.[1] === undefined)
    throw new QinboxError(
      'UNAUTHORIZED',
      'The Authorization header must be: Bearer <access token or API key>.',
    );
  return match[1];
}
