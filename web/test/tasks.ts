// Tasks as the API answers them.
import type { Task, User } from '#core/contract/index.ts';

const HOUR = 3_600_000;
let made = 0;

export function aTask(fields: Partial<Task> & { ageMs?: number } = {}): Task {
  made += 1;
  const { ageMs = 60_000, ...rest } = fields;
  const createdAt = new Date(Date.now() - ageMs).toISOString();
  return {
    id: `task_${made}`,
    content: `Task ${made}`,
    priority: 'normal',
    source: 'api',
    createdAt,
    updatedAt: createdAt,
    expiresAt: new Date(Date.parse(createdAt) + 24 * HOUR).toISOString(),
    lastOccurredAt: createdAt,
    pinned: false,
    metadata: {},
    tags: [],
    version: 1,
    occurrences: 1,
    ...rest,
  };
}

export const aUser: User = {
  id: 'user_1',
  email: 'me@example.com',
  name: 'Me',
  avatar_url: null,
  created_at: '2026-11-01T08:00:00.000Z',
  auth_provider: 'link',
  email_verified: true,
  is_active: true,
  last_login: null,
  is_admin: false,
};
