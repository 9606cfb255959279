// Users, keys and sessions as documents and back.
import type { ApiKeyRecord, SessionRecord, UserRecord } from '#core/domain/account.ts';
import type { Fields, Versioned } from './collection.ts';

/** The record with dates for these times; its id is the document's `_id`. */
type Dates<T, K extends keyof T> = Omit<T, K | 'id'> & {
  [P in K]: null extends T[P] ? Date | null : Date;
};

export type UserDocument = Versioned & Dates<UserRecord, 'createdAt' | 'lastLoginAt'>;

/** `_id` is the hash, so that no two keys can have one. */
export type KeyDocument = Versioned &
  Omit<Dates<ApiKeyRecord, 'createdAt' | 'lastUsedAt' | 'revokedAt'>, 'hash'> & { id: string };

export type SessionDocument = Versioned &
  Dates<SessionRecord, 'previousUntil' | 'createdAt' | 'expiresAt' | 'revokedAt'> & { purgeAt: Date };

export const toDate = (time: number | null): Date | null => (time === null ? null : new Date(time));
const toTime = (date: Date | null): number | null => date?.getTime() ?? null;

export function userFields({ id: _id, ...user }: UserRecord): Fields<UserDocument> {
  return { ...user, createdAt: new Date(user.createdAt), lastLoginAt: toDate(user.lastLoginAt) };
}

export function toUser({ _id, v: _v, ...user }: UserDocument): UserRecord {
  return { id: _id, ...user, createdAt: user.createdAt.getTime(), lastLoginAt: toTime(user.lastLoginAt) };
}

export function keyFields({ hash: _hash, ...key }: ApiKeyRecord): Fields<KeyDocument> {
  return {
    ...key,
    createdAt: new Date(key.createdAt),
    lastUsedAt: toDate(key.lastUsedAt),
    revokedAt: toDate(key.revokedAt),
  };
}

export function toKey({ _id, v: _v, ...key }: KeyDocument): ApiKeyRecord {
  return {
    ...key,
    hash: _id,
    createdAt: key.createdAt.getTime(),
    lastUsedAt: toTime(key.lastUsedAt),
    revokedAt: toTime(key.revokedAt),
  };
}

export function sessionFields({ id: _id, ...session }: SessionRecord): Fields<SessionDocument> {
  return {
    ...session,
    previousUntil: new Date(session.previousUntil),
    createdAt: new Date(session.createdAt),
    expiresAt: new Date(session.expiresAt),
    revokedAt: toDate(session.revokedAt),
    purgeAt: new Date(Math.min(session.revokedAt ?? session.expiresAt, session.expiresAt)),
  };
}

export function toSession({ _id, v: _v, purgeAt: _purgeAt, ...session }: SessionDocument): SessionRecord {
  return {
    id: _id,
    ...session,
    previousUntil: session.previousUntil.getTime(),
    createdAt: session.createdAt.getTime(),
    expiresAt: session.expiresAt.getTime(),
    revokedAt: toTime(session.revokedAt),
  };
}
