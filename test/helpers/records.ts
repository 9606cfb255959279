// Builders of the records that stores keep: valid, unique, and different only where the test says so.
import { DEFAULT_EXPIRY_MINUTES } from '#core/contract/index.ts';
import type { ApiKeyRecord, SessionRecord, UserRecord } from '#core/domain/account.ts';
import { createIdSource } from '#core/domain/ids.ts';
import type { PushDeviceRecord } from '#core/domain/push.ts';
import type { DeliveryRecord, IntakeRecord } from '#core/domain/intake.ts';
import type { TaskDraft } from '#core/domain/task.ts';
import type { TaskInsert } from '#core/domain/submission.ts';
import type { EscalationRecord } from '#core/domain/escalation.ts';
import type { FollowUps } from '#core/domain/follow-ups.ts';
import type { WebhookRecord } from '#core/domain/webhook.ts';

const START = Date.UTC(2026, 10, 21, 9);
const nextId = createIdSource();

/** A draft with its defaults filled in. */
export function draft(fields: Partial<TaskDraft> & { content: string }): TaskDraft {
  return {
    priority: 'normal',
    source: 'api',
    tags: [],
    metadata: {},
    expiryMinutes: DEFAULT_EXPIRY_MINUTES,
    dedupeKey: null,
    reopens: true,
    ...fields,
  };
}

/** An order for one task with an id of its own. */
export function insertOf(fields: Partial<TaskDraft> & { id?: string } = {}): TaskInsert {
  const { id = nextId('task_', START), ...rest } = fields;
  return { id, draft: draft({ content: 'backup failed', ...rest }) };
}

/** An owner that no other test uses. */
export function newOwner(): string {
  return nextId('user_', START);
}

export function userOf(fields: Partial<UserRecord> = {}): UserRecord {
  const id = newOwner();
  return {
    id,
    email: `${id.toLowerCase()}${START}@example.com`,
    name: 'Ada',
    avatarUrl: null,
    authProvider: 'link',
    emailVerified: true,
    isActive: true,
    isAdmin: false,
    createdAt: START,
    lastLoginAt: null,
    passwordHash: null,
    views: [],
    ...fields,
  };
}

export function keyOf(userId: string, fields: Partial<ApiKeyRecord> = {}): ApiKeyRecord {
  const id = nextId('key_', START);
  return {
    id,
    userId,
    name: 'cron',
    description: null,
    hash: `hash of ${id}`,
    prefix: 'qi_abcde',
    last4: 'wxyz',
    scopes: ['read', 'write'],
    createdAt: START,
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
    ...fields,
  };
}

export function sessionOf(userId: string, fields: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id: nextId('session_', START),
    userId,
    refreshHash: 'hash 1',
    generation: 1,
    previousHash: null,
    previousUntil: 0,
    createdAt: START,
    expiresAt: START + 30 * 24 * 3_600_000,
    revokedAt: null,
    ...fields,
  };
}

/** An intake of the webhook adapter with one token, whose hash is `hash of <id>`. */
export function intakeOf(ownerId: string, fields: Partial<IntakeRecord> = {}): IntakeRecord {
  const id = nextId('int_', START);
  return {
    id,
    ownerId,
    name: 'GitHub',
    adapter: 'webhook',
    tokens: [{ hash: `hash of ${id}`, encrypted: `sealed ${id}`, until: null }],
    preset: null,
    verification: { scheme: 'none', options: {} },
    encryptedSecrets: null,
    mapping: null,
    settings: {},
    defaults: {},
    events: [],
    reopens: true,
    hourlyCap: null,
    paused: false,
    createdAt: START,
    updatedAt: START,
    lastUsedAt: null,
    revokedAt: null,
    ...fields,
  };
}

/** A delivery to the intake that made nothing. */
export function deliveryTo(intake: IntakeRecord, fields: Partial<DeliveryRecord> = {}): DeliveryRecord {
  return {
    id: nextId('del_', START),
    intakeId: intake.id,
    ownerId: intake.ownerId,
    at: START,
    verdict: 'accepted',
    reason: null,
    event: null,
    taskIds: [],
    notes: {},
    request: null,
    ...fields,
  };
}

/** A device with an endpoint of its own. */
export function deviceOf(fields: Partial<PushDeviceRecord> = {}): PushDeviceRecord {
  const id = nextId('push_', START);
  return {
    id,
    name: 'Firefox on Linux',
    endpointHash: `hash of ${id}`,
    encrypted: `encrypted ${id}`,
    createdAt: START,
    lastUsedAt: null,
    ...fields,
  };
}

/** A webhook that is told everything. */
export function webhookOf(ownerId: string, fields: Partial<WebhookRecord> = {}): WebhookRecord {
  return {
    id: nextId('wh_', START),
    ownerId,
    name: 'Incident bot',
    url: 'https://hooks.example.com/qinbox',
    events: ['task.created', 'task.updated', 'task.acknowledged', 'task.expired'],
    filter: { priorities: [], intakes: [], tags: [] },
    paused: false,
    off: null,
    encryptedSecret: 'v1.secret',
    previous: null,
    failingSince: null,
    lastDeliveredAt: null,
    createdAt: START,
    updatedAt: START,
    ...fields,
  };
}

/** An escalation of high tasks, after 5 and 15 minutes. */
export function escalationOf(fields: Partial<EscalationRecord> = {}): EscalationRecord {
  const step = (afterMinutes: number) => ({
    id: nextId('step_', START),
    afterMinutes,
    action: { kind: 'push' as const },
  });
  return {
    id: nextId('esc_', START),
    name: 'Alerts',
    intake: null,
    priorities: ['high'],
    paused: false,
    steps: [step(5), step(15)],
    createdAt: START,
    updatedAt: START,
    ...fields,
  };
}

/** An escalation, and a digest at eight in UTC. */
export function followUpsOf(ownerId: string, fields: Partial<FollowUps> = {}): FollowUps {
  return {
    ownerId,
    escalations: [escalationOf()],
    digest: { time: '08:00', zone: 'UTC', to: ['task'] },
    ...fields,
  };
}
