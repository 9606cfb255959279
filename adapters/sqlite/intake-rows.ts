// Intakes, deliveries and what adapters remember as rows and back: for each, its columns, its values in the same order, and the
// record of a row.
import type { SQLInputValue } from 'node:sqlite';
import { intakeOf, type DeliveryRecord, type IntakeRecord, type StoredRequest } from '#core/domain/intake.ts';
import type { AdapterRecord } from '#core/domain/adapter-record.ts';
import type { Row } from './database.ts';

export const INTAKE_COLUMNS = ['id', 'owner_id', 'record', 'last_used_at', 'revoked_at'] as const;

export function intakeValues(intake: IntakeRecord): SQLInputValue[] {
  const { lastUsedAt, ...record } = intake;
  return [intake.id, intake.ownerId, JSON.stringify(record), lastUsedAt, intake.revokedAt];
}

export function toIntake(row: Row): IntakeRecord {
  return { ...intakeOf(row[2] as string), lastUsedAt: row[3] as number | null };
}

export const DELIVERY_COLUMNS = [
  'id',
  'intake_id',
  'owner_id',
  'at',
  'verdict',
  'reason',
  'event',
  'task_ids',
  'notes',
  'request',
] as const;

export function deliveryValues(delivery: DeliveryRecord): SQLInputValue[] {
  return [
    delivery.id,
    delivery.intakeId,
    delivery.ownerId,
    delivery.at,
    delivery.verdict,
    delivery.reason,
    delivery.event,
    JSON.stringify(delivery.taskIds),
    JSON.stringify(delivery.notes),
    delivery.request === null ? null : JSON.stringify(delivery.request),
  ];
}

export function toDelivery(row: Row): DeliveryRecord {
  return {
    id: row[0] as string,
    intakeId: row[1] as string,
    ownerId: row[2] as string,
    at: row[3] as number,
    verdict: row[4] as DeliveryRecord['verdict'],
    reason: row[5] as string | null,
    event: row[6] as string | null,
    taskIds: JSON.parse(row[7] as string) as string[],
    notes: JSON.parse(row[8] as string) as Record<string, string>,
    request: row[9] === null ? null : (JSON.parse(row[9] as string) as StoredRequest),
  };
}

export const ADAPTER_COLUMNS = ['adapter', 'kind', 'key', 'owner_id', 'value', 'expires_at'] as const;

export function adapterValues(record: AdapterRecord): SQLInputValue[] {
  return [record.adapter, record.kind, record.key, record.ownerId, record.value, record.expiresAt];
}

export function toAdapterRecord(row: Row): AdapterRecord {
  return {
    adapter: row[0] as string,
    kind: row[1] as string,
    key: row[2] as string,
    ownerId: row[3] as string | null,
    value: row[4] as string,
    expiresAt: row[5] as number | null,
  };
}
