// Webhooks out and work as documents and back.
import type { WebhookRecord } from '#core/domain/webhook.ts';
import { BEHIND, type Work } from '#core/domain/work.ts';
import { WORK_TTL_MS } from '#core/ports/work-store.ts';
import type { Database, Versioned } from './server/collection.ts';

export interface WebhookDocument extends Versioned {
  owner: string;
  /** JSON of the webhook. */
  record: string;
  /** A webhook that is removed has no document. */
  revokedAt: null;
}

export const webhooksOf = (database: Database) => database.collection<WebhookDocument>('webhooks');

export function webhookDocument(webhook: WebhookRecord): WebhookDocument {
  return {
    _id: webhook.id,
    v: 1,
    owner: webhook.ownerId,
    record: JSON.stringify(webhook),
    revokedAt: null,
  };
}

export function toWebhook({ record }: WebhookDocument): WebhookRecord {
  return JSON.parse(record) as WebhookRecord;
}

/** `_id` is the lane and the id. */
export interface WorkDocument extends Versioned {
  lane: string;
  id: string;
  kind: string;
  owner: string;
  key: string;
  sequence: number;
  createdAt: Date;
  /** Absent when it is over. */
  dueAt?: Date;
  status: Work['status'];
  attempts: number;
  lastAttemptAt: Date | null;
  /** Absent while it waits. */
  endedAt?: Date;
  payload: string;
  /** Of the payload; absent in documents of older versions. */
  bytes?: number;
  result: string | null;
  /** When the server may remove it; absent while it waits. */
  purgeAt?: Date;
}

export const workOf = (database: Database) =>
  database.collection<WorkDocument>('work', {
    optional: { dueAt: true, endedAt: true, purgeAt: true, bytes: true },
  });

export const workId = (lane: string, id: string): string => `${lane} ${id}`;

/** The time of work that waits for earlier work. */
export const BEHIND_DATE = new Date(BEHIND);

/** New work, without its `_id` and version. */
export function workFields(work: Work): Omit<WorkDocument, '_id' | 'v'> {
  const { ownerId: owner, createdAt, dueAt, endedAt, lastAttemptAt, ...fields } = work;
  return {
    ...fields,
    owner,
    bytes: Buffer.byteLength(work.payload),
    createdAt: new Date(createdAt),
    lastAttemptAt: lastAttemptAt === null ? null : new Date(lastAttemptAt),
    ...(dueAt === null ? {} : { dueAt: new Date(dueAt) }),
    ...(endedAt === null ? {} : endedFields(endedAt)),
  };
}

export function endedFields(endedAt: number): { endedAt: Date; purgeAt: Date } {
  return { endedAt: new Date(endedAt), purgeAt: new Date(endedAt + WORK_TTL_MS) };
}

export function toWork(document: WorkDocument): Work {
  const { id, kind, lane, key, sequence, status, attempts, payload, result } = document;
  return {
    id,
    kind,
    lane,
    key,
    sequence,
    status,
    attempts,
    payload,
    result,
    ownerId: document.owner,
    createdAt: document.createdAt.getTime(),
    dueAt: document.dueAt?.getTime() ?? null,
    lastAttemptAt: document.lastAttemptAt?.getTime() ?? null,
    endedAt: document.endedAt?.getTime() ?? null,
  };
}
