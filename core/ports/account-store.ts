// Stores users, sessions, API keys and sign-in links. Secrets arrive hashed. Every method throws
// QinboxError SERVICE_UNAVAILABLE when storage does not answer; writes are durable when they resolve.
import type { ApiKeyRecord, SessionRecord, UserRecord } from '../domain/account.ts';

/** A key together with the user it belongs to. */
export interface KeyWithUser {
  key: ApiKeyRecord;
  user: UserRecord;
}

/** A session together with its user. */
export interface SessionWithUser {
  session: SessionRecord;
  user: UserRecord;
}

export interface AccountStore {
  /** Adds the user, or answers the one that has this e-mail already: `created` says which. Atomic. */
  ensureUser(user: UserRecord): Promise<{ user: UserRecord; created: boolean }>;
  getUser(id: string): Promise<UserRecord | null>;
  /** `email` normalised. */
  findUserByEmail(email: string): Promise<UserRecord | null>;
  /** Oldest first. */
  listUsers(): Promise<UserRecord[]>;
  /** Those that are being deleted, oldest first. */
  listBeingDeleted(): Promise<UserRecord[]>;
  /** Applies a pure rule atomically; null when there is no such user. */
  changeUser(id: string, rule: (user: UserRecord) => UserRecord): Promise<UserRecord | null>;

  /**
   * Adds the key unless the user has `limit` active ones; then false, and no active one is changed. Of the
   * user's revoked keys the latest {@link STORED_REVOKED_KEYS} stay stored, and what was revoked since.
   */
  createKey(key: ApiKeyRecord, limit: number): Promise<boolean>;
  /** The key with this hash, revoked ones that are still stored included, with its user. */
  findKeyByHash(hash: string): Promise<KeyWithUser | null>;
  /** The user's active keys, newest first. */
  listKeys(userId: string): Promise<ApiKeyRecord[]>;
  /** Whether there was such an active key of this user. */
  revokeKey(userId: string, id: string, at: number): Promise<boolean>;
  /** Notes when a key was last used; may lag and may be lost in a crash. */
  touchKey(id: string, at: number): Promise<void>;

  /**
   * Adds the session. Of the user's others that have not ended {@link MAX_SESSIONS} less one stay, those that
   * were used last, and those that have ended are removed: whether one was removed that had not.
   */
  createSession(session: SessionRecord): Promise<boolean>;
  getSession(id: string): Promise<SessionWithUser | null>;
  /** Applies a pure rule atomically (the same object changes nothing); null when there is no such session. */
  changeSession(id: string, rule: (session: SessionRecord) => SessionRecord): Promise<SessionRecord | null>;

  /** Ends every session of the user. */
  revokeSessions(userId: string, at: number): Promise<void>;

  /** Stores a one-time sign-in link by the hash of its token. */
  createLink(hash: string, userId: string, expiresAt: number): Promise<void>;
  /** Consumes the link; its user's id, or null when unknown, used or expired. Atomic over all processes. */
  consumeLink(hash: string, now: number): Promise<string | null>;

  /** Removes links and sessions that ended before `now`. */
  purge(now: number): Promise<void>;
}

/** Sessions of one user, so that signing in in a loop fills no disk. */
export const MAX_SESSIONS = 100;

/** Revoked keys of one user that stay stored, so that making and revoking keys in a loop fills no disk. */
export const STORED_REVOKED_KEYS = 100;
