// What is kept, as the API shows it.
import type { ApiKey, Task as TaskBody, TaskReceipt, User } from '#core/contract/index.ts';
import { isAdministrator, isProven, type ApiKeyRecord, type UserRecord } from '#core/domain/account.ts';
import type { Task } from '#core/domain/task.ts';

const DAY_MS = 24 * 60 * 60_000;
const MAX_DAYS = 1000;
const days = new Map<number, string>();
const MINUTES = Array.from(
  { length: 1440 },
  (_, minute) => `${padded(Math.floor(minute / 60), 2)}:${padded(minute % 60, 2)}:`,
);
const SECONDS = Array.from({ length: 60 }, (_, second) => padded(second, 2));
const THOUSANDTHS = Array.from({ length: 1000 }, (_, thousandth) => `.${padded(thousandth, 3)}Z`);

/**
 * Milliseconds as ISO 8601 in UTC. A list of 50 tasks has 200 of them, and `Date.toISOString` was a fifth of its cost;
 * here the text is put together from pieces that are kept.
 */
export function isoTime(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  const rest = ms - day * DAY_MS;
  const second = Math.floor(rest / 1000);
  const minute = Math.floor(second / 60);
  return (
    dayText(day) +
    (MINUTES[minute] as string) +
    (SECONDS[second - minute * 60] as string) +
    (THOUSANDTHS[rest - second * 1000] as string)
  );
}

function dayText(day: number): string {
  let text = days.get(day);
  if (text === undefined) {
    if (days.size >= MAX_DAYS) days.clear();
    text = new Date(day * DAY_MS).toISOString().slice(0, 11);
    days.set(day, text);
  }
  return text;
}

function padded(number: number, width: number): string {
  return String(number).padStart(width, '0');
}

const written = new WeakMap<Task, string>();

/** {@link presentTask} as JSON. A task never changes, only its versions follow each other, so the text is made once. */
export function taskJson(task: Task): string {
  let json = written.get(task);
  if (json === undefined) {
    json = JSON.stringify(presentTask(task));
    written.set(task, json);
  }
  return json;
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

/** What a caller who may not read is told of a task. */
export function presentReceipt({ id, version, occurrences }: Task): TaskReceipt {
  return { id, version, occurrences };
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
    email_verified: isProven(user),
    is_active: user.isActive,
    last_login: user.lastLoginAt === null ? null : isoTime(user.lastLoginAt),
    is_admin: isAdministrator(user),
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
