// Users and API keys as the API shows them: never a hash.
import type { ApiKey, User } from '#core/contract/index.ts';
import { isAdministrator, isProven, type ApiKeyRecord, type UserRecord } from '#core/domain/account.ts';
import { isoTime } from './time.ts';

export function presentUser(user: UserRecord): User {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    avatar_url: user.avatarUrl,
    created_at: isoTime(user.createdAt),
    auth_provider: user.authProvider,
    email_verified: isProven(user),
    is_active: user.isActive,
    last_login: user.lastLoginAt === null ? null : isoTime(user.lastLoginAt),
    is_admin: isAdministrator(user),
  };
}

export function presentApiKey(key: ApiKeyRecord): ApiKey {
  return {
    id: key.id,
    name: key.name,
    description: key.description,
    prefix: key.prefix,
    last4: key.last4,
    scopes: [...key.scopes],
    created_at: isoTime(key.createdAt),
    expires_at: key.expiresAt === null ? null : isoTime(key.expiresAt),
    last_used_at: key.lastUsedAt === null ? null : isoTime(key.lastUsedAt),
    is_active: key.revokedAt === null,
  };
}
