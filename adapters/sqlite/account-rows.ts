// Users, keys and sessions as rows and back.
import type { Scope } from '#core/contract/index.ts';
import type { ApiKeyRecord, SessionRecord, UserRecord } from '#core/domain/account.ts';
import { tableOf, type RowOf } from './tables.ts';

export type UserRow = RowOf<UserRecord>;

export const USERS = tableOf<UserRow>('users', [
  'id',
  'email',
  'name',
  'avatarUrl',
  'authProvider',
  'emailVerified',
  'isActive',
  'isAdmin',
  'createdAt',
  'lastLoginAt',
  'passwordHash',
]);

export function userRow(user: UserRecord): UserRow {
  return {
    ...user,
    emailVerified: Number(user.emailVerified),
    isActive: Number(user.isActive),
    isAdmin: Number(user.isAdmin),
  };
}

export function toUser(row: UserRow): UserRecord {
  return {
    ...row,
    emailVerified: row.emailVerified === 1,
    isActive: row.isActive === 1,
    isAdmin: row.isAdmin === 1,
  };
}

/** `scopes` are separated by commas. */
export type KeyRow = Omit<ApiKeyRecord, 'scopes'> & { scopes: string };

export const KEYS = tableOf<KeyRow>('api_keys', [
  'id',
  'userId',
  'name',
  'description',
  'hash',
  'prefix',
  'last4',
  'scopes',
  'createdAt',
  'lastUsedAt',
  'revokedAt',
]);

export function keyRow(key: ApiKeyRecord): KeyRow {
  return { ...key, scopes: key.scopes.join(',') };
}

export function toKey(row: KeyRow): ApiKeyRecord {
  return { ...row, scopes: row.scopes === '' ? [] : (row.scopes.split(',') as Scope[]) };
}

export const SESSIONS = tableOf<SessionRecord>('sessions', [
  'id',
  'userId',
  'refreshHash',
  'generation',
  'previousHash',
  'previousUntil',
  'createdAt',
  'expiresAt',
  'revokedAt',
]);
