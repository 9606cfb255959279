// Users, their sessions and their keys as they are stored, and the rules of a session's refresh tokens.
import type { Scope } from '../contract/index.ts';
import type { SavedView } from './view.ts';

/** A user as stored. Times are milliseconds since the epoch, UTC. */
export interface UserRecord {
  readonly id: string;
  /** Trimmed and lower case; unique. */
  readonly email: string;
  readonly name: string;
  readonly avatarUrl: string | null;
  /** How the holder comes in: `email` for a user who signed up, `link` for one that the operator named. */
  readonly authProvider: 'google' | 'email' | 'link';
  /** Ask {@link isProven} instead: records of before it was stored say too little. */
  readonly emailVerified: boolean;
  readonly isActive: boolean;
  /** Ask {@link isAdministrator} instead. */
  readonly isAdmin: boolean;
  readonly createdAt: number;
  readonly lastLoginAt: number | null;
  /** The password's hash with its parameters, or null when none is set. */
  readonly passwordHash: string | null;
  /** At most 50, in the order in which they were made. */
  readonly views: readonly SavedView[];
  /** Since when the account is being deleted; absent while it is not. */
  readonly deletingAt?: number;
}

/** Whether a link, a provider or the operator proved the address. Only self-made accounts can lack that. */
export function isProven({ emailVerified, authProvider }: UserRecord): boolean {
  return emailVerified || authProvider !== 'email';
}

/** Whether a user has an administrator's rights; nobody has whose address is not proven. */
export function isAdministrator(user: UserRecord): boolean {
  return user.isAdmin && isProven(user);
}

/** Whether the account is being deleted: nobody may use it, and all that is stored of it goes soon. */
export function isBeingDeleted({ deletingAt }: UserRecord): boolean {
  return deletingAt !== undefined;
}

/** An API key as stored: its hash, never the key. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly description: string | null;
  /** SHA-256 in hex. */
  readonly hash: string;
  readonly prefix: string;
  readonly last4: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  /** From this moment on the key is refused; null for one that lasts until it is revoked. */
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

/** Whether the key's time is up at `now`. */
export function isKeyExpired({ expiresAt }: ApiKeyRecord, now: number): boolean {
  return expiresAt !== null && now >= expiresAt;
}

/** One sign-in and all the refresh tokens that came of it. */
export interface SessionRecord {
  readonly id: string;
  readonly userId: string;
  /** Hash of the refresh token that is good now. */
  readonly refreshHash: string;
  /** Counts the rotations, from 1. */
  readonly generation: number;
  /** Hash of the one before, good until `previousUntil` for a second tab that was too late. */
  readonly previousHash: string | null;
  readonly previousUntil: number;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
}

/** How long a session lasts however often it is refreshed: 30 days. */
export const SESSION_TTL_MS = 30 * 24 * 60 * 60_000;
/** How long the refresh token before the current one is good after a rotation: 10 seconds. */
export const REFRESH_GRACE_MS = 10_000;
/** How long an access token is good: 15 minutes. */
export const ACCESS_TOKEN_TTL_MS = 15 * 60_000;
/** How long a sign-in link is good: 15 minutes. */
export const LINK_TTL_MS = 15 * 60_000;

/** Whether the session may be used at `now`. */
export function isSessionLive(session: SessionRecord, now: number): boolean {
  return session.revokedAt === null && now < session.expiresAt;
}

/** What a presented refresh token means for its session. */
export type RefreshVerdict = 'current' | 'previous' | 'reused' | 'dead';

/**
 * Judges a refresh token that was made here by its hash. The current one rotates; the previous one is good
 * for 10 more seconds (two tabs at once); any other is reused: the family must be revoked (RFC 9700, 4.14.2).
 */
export function judgeRefresh(session: SessionRecord, hash: string, now: number): RefreshVerdict {
  if (!isSessionLive(session, now)) return 'dead';
  if (hash === session.refreshHash) return 'current';
  if (hash === session.previousHash && now < session.previousUntil) return 'previous';
  return 'reused';
}

/** The session after a rotation to the token with `hash`. */
export function rotateSession(session: SessionRecord, hash: string, now: number): SessionRecord {
  return {
    ...session,
    refreshHash: hash,
    generation: session.generation + 1,
    previousHash: session.refreshHash,
    previousUntil: now + REFRESH_GRACE_MS,
  };
}

/** The sessions beyond the `most` that were used last: begun, or refreshed. */
export function leastUsed(sessions: readonly SessionRecord[], most: number): SessionRecord[] {
  const lastUse = ({ createdAt, previousUntil }: SessionRecord) => Math.max(createdAt, previousUntil);
  return sessions.toSorted((a, b) => lastUse(b) - lastUse(a)).slice(most);
}
