// Tasks, users and keys as the API answers them.
import type { ApiKey, Overview, Task, User } from '#core/contract/index.ts';

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
    snoozedUntil: null,
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

export function anApiKey(fields: Partial<ApiKey> = {}): ApiKey {
  made += 1;
  return {
    id: `key_${made}`,
    name: `Key ${made}`,
    description: null,
    prefix: 'qi_ABCDE',
    last4: 'WXYZ',
    scopes: ['read', 'write'],
    created_at: '2026-11-20T08:05:00',
    expires_at: null,
    last_used_at: null,
    is_active: true,
    ...fields,
  };
}

export const anOverview: Overview = {
  version: '0.1.0',
  size: 'embedded',
  startedAt: '2026-11-21T08:00:00.000Z',
  processes: [
    {
      instance: 'one-7',
      role: 'api',
      version: '0.1.0',
      startedAt: '2026-11-21T08:00:00.000Z',
      liveConnections: 3,
      tasksCreated: { lastMinute: 7, lastHour: 400 },
    },
    {
      instance: 'two-9',
      role: 'worker',
      version: '0.1.0',
      startedAt: '2026-11-21T08:30:00.000Z',
      liveConnections: 0,
      tasksCreated: { lastMinute: 0, lastHour: 31 },
    },
  ],
  parts: [
    { name: 'store', ok: true },
    { name: 'queue', ok: false, detail: 'Redis does not answer' },
  ],
  queue: [{ adapter: 'webhook', waiting: 12, active: 2, oldestMs: 1500, unanswered: 0 }],
  rejected: 0,
  liveConnections: 3,
  tasksCreated: { lastMinute: 7, lastHour: 431 },
  users: [{ ...aUser, is_admin: true }],
};
