// The records that move when an install outgrows its store.
import type { AdapterRecord } from './adapter-record.ts';
import type { ApiKeyRecord, UserRecord } from './account.ts';
import type { FollowUps } from './follow-ups.ts';
import type { IntakeRecord } from './intake.ts';
import type { PushRecord } from './push.ts';
import { REJECTED_TTL_MS, type RejectedSubmission } from './submission.ts';
import type { WebhookRecord } from './webhook.ts';
import { isRestorable, isVisible, suppressesRepeats, type Task } from './task.ts';

/** A secret that the program made for itself, encrypted. */
export interface SecretRecord {
  id: string;
  value: string;
}

/**
 * Sessions, sign-in links, claims, deliveries, what devices show or is held for them, and work that is not
 * done yet (what webhooks were not told, steps of escalations) do not move: people sign in again.
 */
export type TransferRecord =
  | { kind: 'user'; record: UserRecord }
  | { kind: 'key'; record: ApiKeyRecord }
  | { kind: 'task'; record: Task }
  | { kind: 'rejected'; record: RejectedSubmission }
  | { kind: 'intake'; record: IntakeRecord }
  | { kind: 'adapter'; record: AdapterRecord }
  | { kind: 'push'; record: PushRecord }
  | { kind: 'secret'; record: SecretRecord }
  | { kind: 'webhook'; record: WebhookRecord }
  | { kind: 'followUps'; record: FollowUps };

/** Whether a record moves at `at`: all of users, and the others while they have an effect. */
export function isTransferred({ kind, record }: TransferRecord, at: number): boolean {
  switch (kind) {
    case 'user':
    case 'key':
    case 'push':
    case 'secret':
    case 'webhook':
    case 'followUps':
      return true;
    case 'task':
      return isVisible(record, at) || isRestorable(record, at) || suppressesRepeats(record, at);
    case 'rejected':
      return record.rejectedAt + REJECTED_TTL_MS > at;
    case 'intake':
      return record.revokedAt === null;
    case 'adapter':
      return record.expiresAt === null || record.expiresAt > at;
  }
}

/** Identifies a record among those of its kind. */
export function nameOf(transferred: TransferRecord): string {
  if (transferred.kind === 'push' || transferred.kind === 'followUps') return transferred.record.ownerId;
  if (transferred.kind !== 'adapter') return transferred.record.id;
  const { adapter, kind, key } = transferred.record;
  return `${adapter} ${kind} ${key}`;
}

/** The records of one kind, in their order. */
export function recordsOf<K extends TransferRecord['kind']>(
  records: readonly TransferRecord[],
  kind: K,
): Extract<TransferRecord, { kind: K }>['record'][] {
  return records.filter((one) => one.kind === kind).map(({ record }) => record as never);
}
