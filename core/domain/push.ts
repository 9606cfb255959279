// The devices of a user that pushes are sent to, which tasks are pushed to them, and what a task that was
// pushed leaves behind.
import { createECDH } from 'node:crypto';
import type { PushRules } from '../contract/index.ts';
import type { Task } from './task.ts';

/** A device as stored. Times are milliseconds since the epoch, UTC. */
export interface PushDeviceRecord {
  readonly id: string;
  readonly name: string;
  /** Of the endpoint, SHA-256 in hex: one browser is one device, of one user. */
  readonly endpointHash: string;
  /** Its {@link PushSubscription} as JSON, encrypted. */
  readonly encrypted: string;
  readonly createdAt: number;
  /** Up to an hour behind. */
  readonly lastUsedAt: number | null;
  /** The API key that added it, with which it ends; left out where a session did. */
  readonly key?: AddingKey;
}

/** `until`: when it ends by itself, in milliseconds, or null. */
export interface AddingKey {
  readonly id: string;
  readonly until: number | null;
}

/** Where pushes for a device are sent, and what they are encrypted with (RFC 8291). */
export interface PushSubscription {
  readonly endpoint: string;
  /** In base64url. */
  readonly p256dh: string;
  readonly auth: string;
}

/** The pair of keys that push services know this server by (RFC 8292), in base64url. */
export interface PushKeys {
  /** The point, not compressed: 65 bytes. */
  readonly publicKey: string;
  readonly privateKey: string;
}

/** What a user has chosen. */
export interface PushRecord {
  readonly ownerId: string;
  /** At most 20, in the order in which they were added. */
  readonly devices: readonly PushDeviceRecord[];
  /** Null until they are chosen: {@link DEFAULT_RULES}. */
  readonly rules: PushRules | null;
  /** When these rules were chosen; left out where that is not known, or none are. */
  readonly rulesSince?: number;
}

/** A task that devices show, until it is over. */
export interface PushedTask {
  readonly ownerId: string;
  readonly taskId: string;
  /** Ids of the devices. */
  readonly devices: readonly string[];
  /** From then on it is forgotten, in milliseconds. */
  readonly until: number;
}

/** Tasks of one owner that are pushed later, together. */
export interface HeldPushes {
  readonly ownerId: string;
  /** At most {@link MAX_HELD_TASKS}, in no order. */
  readonly taskIds: readonly string[];
  /** In milliseconds. */
  readonly dueAt: number;
}

/** So many held tasks of an owner are counted. */
export const MAX_HELD_TASKS = 1000;

/** What is pushed while nothing else is chosen. */
export const DEFAULT_RULES: PushRules = {
  priorities: ['high'],
  intakes: null,
  tags: null,
  withhold: false,
  quiet: null,
  doNotDisturbUntil: null,
};

type Chosen = Pick<PushRecord, 'rules' | 'rulesSince'>;

/** The rules as they are stored, as JSON. */
export function toStoredRules({ rules, rulesSince }: Chosen): string | null {
  return rules === null ? null : JSON.stringify({ ...rules, since: rulesSince });
}

/** Reads what {@link toStoredRules} made. */
export function fromStoredRules(stored: string | null): Chosen {
  if (stored === null) return { rules: null };
  const { since, ...rules } = JSON.parse(stored) as PushRules & { since?: number };
  return since === undefined ? { rules } : { rules, rulesSince: since };
}

/** Whether a change of what is chosen changes which tasks are pushed, or whether any is. */
export function changesPushes(before: PushRecord, after: PushRecord): boolean {
  return before.rules !== after.rules || (before.devices.length === 0) !== (after.devices.length === 0);
}

/** Whether a task is pushed, now or later. */
export function isPushed(task: Pick<Task, 'priority' | 'intake' | 'tags'>, rules: PushRules): boolean {
  const { priorities, intakes, tags } = rules;
  return (
    priorities.includes(task.priority) &&
    (intakes === null || (task.intake !== null && intakes.includes(task.intake.id))) &&
    (tags === null || task.tags.some((tag) => tags.includes(tag)))
  );
}

/** Whether a text is the public key of a subscription: a point of the curve P-256 in base64url. */
export function isSubscriptionKey(p256dh: string): boolean {
  const key = Buffer.from(p256dh, 'base64url');
  const own = createECDH('prime256v1');
  own.generateKeys();
  try {
    own.computeSecret(key);
    return key.length === 65;
  } catch {
    return false;
  }
}
