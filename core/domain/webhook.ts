// Webhooks out: which events each is told, and as what work (work.ts) they are stored.
import type { Priority, WebhookEvent } from '../contract/index.ts';
import { GONE } from './task-state.ts';
import type { Task } from './task.ts';
import { newWork, type Work } from './work.ts';

/** Which tasks a webhook is told of; an empty list is none. */
export interface WebhookFilter {
  readonly priorities: readonly Priority[];
  /** Ids. */
  readonly intakes: readonly string[];
  /** At least one of them. */
  readonly tags: readonly string[];
}

/** A webhook as it is stored. Times are milliseconds since the epoch, UTC. */
export interface WebhookRecord {
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly filter: WebhookFilter;
  readonly paused: boolean;
  /** Since when it is switched off, and why, for its owner; null while it is not. */
  readonly off: { readonly at: number; readonly reason: string } | null;
  /** The secret that signs, encrypted. */
  readonly encryptedSecret: string;
  /** The one before it, encrypted, and until when it signs, too; null when there is none. */
  readonly previous: { readonly encryptedSecret: string; readonly until: number } | null;
  /** Since when every attempt has failed; null when the last one did not. */
  readonly failingSince: number | null;
  readonly lastDeliveredAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The kind of the work that webhooks make. */
export const WEBHOOK_WORK = 'webhook';

/** The step of an escalation that tells a webhook. */
export interface EscalatedBy {
  /** Of the escalation. */
  readonly id: string;
  readonly name: string;
  /** The number of the step, from 1. */
  readonly step: number;
  readonly afterMinutes: number;
}

/** What is to be sent. */
export interface WebhookPayload {
  readonly type: WebhookEvent | 'task.escalated' | 'webhook.test';
  /** Of `task.escalated` alone. */
  readonly escalation?: EscalatedBy;
  /** When it happened, in milliseconds. */
  readonly at: number;
  readonly task: Task;
}

/** Whether it is told anything at all. */
export function isTold({ paused, off }: WebhookRecord): boolean {
  return !paused && off === null;
}

function matches({ priorities, intakes, tags }: WebhookFilter, task: Task): boolean {
  return (
    (priorities.length === 0 || priorities.includes(task.priority)) &&
    (intakes.length === 0 || (task.intake !== null && intakes.includes(task.intake.id))) &&
    (tags.length === 0 || tags.some((tag) => task.tags.includes(tag)))
  );
}

/** What a change of a stored task is told as; null when its owner sees nothing of it. */
export function eventOfChange(
  before: Task,
  after: Task,
  states: { before: number; after: number },
): WebhookEvent | null {
  if (states.before === GONE && states.after === GONE) return null;
  return after.acknowledgedAt !== null && before.acknowledgedAt === null
    ? 'task.acknowledged'
    : 'task.updated';
}

/** The work of telling the webhooks, of one owner, what happened to a task of theirs at `at`. */
export function webhookWork(
  webhooks: readonly WebhookRecord[],
  type: WebhookEvent,
  task: Task,
  at: number,
): Work[] {
  const told = webhooks.filter(
    (webhook) => isTold(webhook) && webhook.events.includes(type) && matches(webhook.filter, task),
  );
  if (told.length === 0) return [];
  const payload = JSON.stringify({ type, at, task } satisfies WebhookPayload);
  // A task that expires has no new version; what restores it has.
  const sequence = task.version * 2 + (type === 'task.expired' ? 1 : 0);
  const id = `evt_${task.id.slice(task.id.indexOf('_') + 1)}_${sequence}`;
  return told.map(({ id: lane, ownerId }) =>
    newWork({ id, kind: WEBHOOK_WORK, ownerId, lane, key: task.id, sequence, payload }, at),
  );
}
