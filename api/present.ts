// What is kept, as the API shows it.
import type { ApiKey, Task as TaskBody, User } from '#core/contract/index.ts';
import type { ApiKeyRecord, UserRecord } from '#core/domain/account.ts';
import type { Task } from '#core/domain/task.ts';

/** Milliseconds as ISO 8601 in UTC. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** A task; who owns it and when it was acknowledged stay inside. */
export function presentTask(task: Task): TaskBody {
  return {
    id: task.id,
    content: task.content,
    priority: task.priority,
    source: task.source,
    createdAt: isoTime(task.createdAt),
    updatedAt: isoTime(task.updatedAt),
    expiresAt: isoTime(task.expiresAt),
    pinned: task.pinned,
    metadata: task.metadata,
    tags: task.tags as string[],
    version: task.version,
    occurrences: task.occurrences,
    lastOccurredAt: isoTime(task.lastOccurredAt),
    ...(task.dedupeKey === null ? {} : { dedupeKey: task.dedupeKey }),
  };
}

/** A user; the password's hash stays inside. */
export function presentUser(user: UserRecord): User {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    avatar_url: user.avatarUrl,
    created_at: isoTime(user.createdAt),
    auth_provider: user.authProvider,
    email_verified: user.emailVerified,
    is_active: user.isActive,
    last_login: user.lastLoginAt === null ? null : isoTime(user.lastLoginAt),
    is_admin: user.isAdmin,
  };
}

/** An API key; its hash stays inside. */
export function presentApiKey(key: ApiKeyRecord): ApiKey {
  return {
    id: key.id,
    name: key.name,
    description: key.description,
    prefix: key.prefix,
    last4: key.last4,
    scopes: [...key.scopes],
    created_at: isoTime(key.createdAt),
    last_used_at: key.lastUsedAt === null ? null : isoTime(key.lastUsedAt),
    is_active: key.revokedAt === null,
  };
}
