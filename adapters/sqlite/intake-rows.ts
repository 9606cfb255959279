// Intakes and deliveries as rows and back.
import { intakeOf, type DeliveryRecord, type IntakeRecord, type StoredRequest } from '#core/domain/intake.ts';
import { tableOf } from './tables.ts';

/** `record` is JSON of the intake without its last use. */
export type IntakeRow = Pick<IntakeRecord, 'id' | 'ownerId' | 'lastUsedAt' | 'revokedAt'> & {
  record: string;
};

export const INTAKES = tableOf<IntakeRow>('intakes', ['id', 'ownerId', 'record', 'lastUsedAt', 'revokedAt']);

export function intakeRow({ lastUsedAt, ...record }: IntakeRecord): IntakeRow {
  const { id, ownerId, revokedAt } = record;
  return { id, ownerId, record: JSON.stringify(record), lastUsedAt, revokedAt };
}

export function toIntake({ record, lastUsedAt }: IntakeRow): IntakeRecord {
  return { ...intakeOf(record), lastUsedAt };
}

/** These three are JSON. */
export type DeliveryRow = Omit<DeliveryRecord, 'taskIds' | 'notes' | 'request'> & {
  taskIds: string;
  notes: string;
  request: string | null;
};

export const DELIVERIES = tableOf<DeliveryRow>('deliveries', [
  'id',
  'intakeId',
  'ownerId',
  'at',
  'verdict',
  'reason',
  'event',
  'taskIds',
  'notes',
  'request',
]);

export function deliveryRow(delivery: DeliveryRecord): DeliveryRow {
  return {
    ...delivery,
    taskIds: JSON.stringify(delivery.taskIds),
    notes: JSON.stringify(delivery.notes),
    request: delivery.request === null ? null : JSON.stringify(delivery.request),
  };
}

export function toDelivery(row: DeliveryRow): DeliveryRecord {
  return {
    ...row,
    taskIds: JSON.parse(row.taskIds) as string[],
    notes: JSON.parse(row.notes) as Record<string, string>,
    request: row.request === null ? null : (JSON.parse(row.request) as StoredRequest),
  };
}
