// Users, keys and sessions as rows and back: for each, its columns, its values in the same order, and the record of a row.
import type { SQLInputValue } from 'node:sqlite';
import type { Scope } from '#core/contract/index.ts';
import type { ApiKeyRecord, SessionRecord, UserRecord } from '#core/domain/account.ts';
import type { Row } from './database.ts';

export const USER_COLUMNS = [
  'id',
  'email',
  'name',
  'avatar_url',
  'auth_provider',
  'email_verified',
  'is_active',
  'is_admin',
  'created_at',
  'last_login_at',
  'password_hash',
] as const;

export function userValues(user: UserRecord): SQLInputValue[] {
  return [
    user.id,
    user.email,
    user.name,
    user.avatarUrl,
    user.authProvider,
    Number(user.emailVerified),
    Number(user.isActive),
    Number(user.isAdmin),
    user.createdAt,
    user.lastLoginAt,
    user.passwordHash,
  ];
}

/** The user whose columns begin at `from`. */
export function toUser(row: Row, from = 0): UserRecord {
  return {
    id: row[from] as string,
    email: row[from + 1] as string,
    name: row[from + 2] as string,
    avatarUrl: row[from + 3] as string | null,
    authProvider: row[from + 4] as UserRecord['authProvider'],
    emailVerified: row[from + 5] === 1,
    isActive: row[from + 6] === 1,
    isAdmin: row[from + 7] === 1,
    createdAt: row[from + 8] as number,
    lastLoginAt: row[from + 9] as number | null,
    passwordHash: row[from + 10] as string | null,
  };
}

export const KEY_COLUMNS = [
  'id',
  'user_id',
  'name',
  'description',
  'hash',
  'prefix',
  'last4',
  'scopes',
  'created_at',
  'last_used_at',
  'revoked_at',
] as const;

export function keyValues(key: ApiKeyRecord): SQLInputValue[] {
  return [
    key.id,
    key.userId,
    key.name,
    key.description,
    key.hash,
    key.prefix,
    key.last4,
    key.scopes.join(','),
    key.createdAt,
    key.lastUsedAt,
    key.revokedAt,
  ];
}

export function toKey(row: Row): ApiKeyRecord {
  const scopes = row[7] as string;
  return {
    id: row[0] as string,
    userId: row[1] as string,
    name: row[2] as string,
    description: row[3] as string | null,
    hash: row[4] as string,
    prefix: row[5] as string,
    last4: row[6] as string,
    scopes: scopes === '' ? [] : (scopes.split(',') as Scope[]),
    createdAt: row[8] as number,
    lastUsedAt: row[9] as number | null,
    revokedAt: row[10] as number | null,
  };
}

export const SESSION_COLUMNS = [
  'id',
  'user_id',
  'refresh_hash',
  'generation',
  'previous_hash',
  'previous_until',
  'created_at',
  'expires_at',
  'revoked_at',
] as const;

export function sessionValues(session: SessionRecord): SQLInputValue[] {
  return [
    session.id,
    session.userId,
    session.refreshHash,
    session.generation,
    session.previousHash,
    session.previousUntil,
    session.createdAt,
    session.expiresAt,
    session.revokedAt,
  ];
}

export function toSession(row: Row): SessionRecord {
  return {
    id: row[0] as string,
    userId: row[1] as string,
    refreshHash: row[2] as string,
    generation: row[3] as number,
    previousHash: row[4] as string | null,
    previousUntil: row[5] as number,
    createdAt: row[6] as number,
    expiresAt: row[7] as number,
    revokedAt: row[8] as number | null,
  };
}
