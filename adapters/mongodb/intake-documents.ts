// Intakes, deliveries and adapter data as documents and back. Objects whose keys a sender or an adapter
// chooses (options, settings, headers) are stored as JSON, because a document cannot have every key.
import { fingerprintOf } from '#core/domain/hash.ts';
import { intakeOf, type DeliveryRecord, type IntakeRecord, type StoredRequest } from '#core/domain/intake.ts';
import type { AdapterKey, AdapterRecord } from '#core/domain/adapter-record.ts';
import { DELIVERY_TTL_MS } from '#core/ports/intake-store.ts';
import { toDate } from './account-store.ts';
import type { Database, Fields, Versioned } from './server/collection.ts';

export interface IntakeDocument extends Versioned {
  owner: string;
  /** JSON of the intake without its last use. */
  record: string;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  /** Absent until it is revoked. */
  purgeAt?: Date;
}

export const intakesOf = (database: Database) =>
  database.collection<IntakeDocument>('intakes', { optional: { purgeAt: true } });

export function intakeFields(intake: IntakeRecord): Fields<IntakeDocument> {
  const { lastUsedAt, ...record } = intake;
  return {
    owner: intake.ownerId,
    record: JSON.stringify(record),
    lastUsedAt: toDate(lastUsedAt),
    revokedAt: toDate(intake.revokedAt),
    ...(intake.revokedAt === null ? {} : { purgeAt: new Date(intake.revokedAt + DELIVERY_TTL_MS) }),
  };
}

export function toIntake(document: IntakeDocument): IntakeRecord {
  return { ...intakeOf(document.record), lastUsedAt: document.lastUsedAt?.getTime() ?? null };
}

export interface DeliveryDocument extends Versioned {
  intake: string;
  owner: string;
  at: Date;
  verdict: DeliveryRecord['verdict'];
  reason: string | null;
  event: string | null;
  taskIds: string[];
  notes: string;
  request: string | null;
  purgeAt: Date;
}

export function deliveryDocument(delivery: DeliveryRecord): DeliveryDocument {
  return {
    _id: delivery.id,
    v: 1,
    intake: delivery.intakeId,
    owner: delivery.ownerId,
    at: new Date(delivery.at),
    verdict: delivery.verdict,
    reason: delivery.reason,
    event: delivery.event,
    taskIds: [...delivery.taskIds],
    notes: JSON.stringify(delivery.notes),
    request: delivery.request === null ? null : JSON.stringify(delivery.request),
    purgeAt: new Date(delivery.at + DELIVERY_TTL_MS),
  };
}

export function toDelivery(document: DeliveryDocument): DeliveryRecord {
  return {
    id: document._id,
    intakeId: document.intake,
    ownerId: document.owner,
    at: document.at.getTime(),
    verdict: document.verdict,
    reason: document.reason,
    event: document.event,
    taskIds: document.taskIds,
    notes: JSON.parse(document.notes) as Record<string, string>,
    request: document.request === null ? null : (JSON.parse(document.request) as StoredRequest),
  };
}

export interface AdapterDocument extends Versioned {
  adapter: string;
  kind: string;
  key: string;
  owner: string | null;
  value: string;
  /** When it expires; absent for never. */
  purgeAt?: Date;
}

export function adapterId({ adapter, kind, key }: AdapterKey): string {
  return fingerprintOf([adapter, kind, key]);
}

export function adapterDocument(record: AdapterRecord): AdapterDocument {
  const { adapter, kind, key, ownerId, value, expiresAt } = record;
  return {
    _id: adapterId(record),
    v: 1,
    adapter,
    kind,
    key,
    owner: ownerId,
    value,
    ...(expiresAt === null ? {} : { purgeAt: new Date(expiresAt) }),
  };
}

export function toAdapterRecord(document: AdapterDocument): AdapterRecord {
  const { adapter, kind, key, owner, value, purgeAt } = document;
  return { adapter, kind, key, ownerId: owner, value, expiresAt: purgeAt?.getTime() ?? null };
}
