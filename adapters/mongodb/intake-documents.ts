// Intakes, deliveries and what adapters remember as documents and back. What senders or adapters name themselves (options,
// settings, headers) is kept as JSON, because it may have keys that no document can have.
import { randomInt } from 'node:crypto';
import { fingerprintOf } from '#core/domain/hash.ts';
import { intakeOf, type DeliveryRecord, type IntakeRecord, type StoredRequest } from '#core/domain/intake.ts';
import type { AdapterKey, AdapterRecord } from '#core/ports/adapter-store.ts';
import { DELIVERY_TTL_MS } from '#core/ports/intake-store.ts';
import type { Kept } from './documents.ts';

export interface IntakeDocument extends Kept {
  owner: string;
  /** All but the last use. */
  record: string;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  /** Absent until it is revoked. */
  purgeAt?: Date;
}

export function intakeFields(intake: IntakeRecord): Omit<IntakeDocument, '_id' | 'v'> {
  const { lastUsedAt, ...record } = intake;
  return {
    owner: intake.ownerId,
    record: JSON.stringify(record),
    lastUsedAt: dateOf(lastUsedAt),
    revokedAt: dateOf(intake.revokedAt),
    ...(intake.revokedAt === null ? {} : { purgeAt: new Date(intake.revokedAt + DELIVERY_TTL_MS) }),
  };
}

export function toIntake(document: IntakeDocument): IntakeRecord {
  return { ...intakeOf(document.record), lastUsedAt: document.lastUsedAt?.getTime() ?? null };
}

export interface DeliveryDocument extends Kept {
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

export interface AdapterDocument extends Kept {
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

/**
 * The document of a record that is stored anew. Its versions begin anywhere, so that one that was removed and put again is
 * never taken for the one that was read before.
 */
export function adapterDocument(record: AdapterRecord): AdapterDocument {
  return { _id: adapterId(record), v: randomInt(1, 2 ** 47), ...adapterFields(record) };
}

export function adapterFields(record: AdapterRecord): Omit<AdapterDocument, '_id' | 'v'> {
  const { adapter, kind, key, ownerId, value, expiresAt } = record;
  return {
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

function dateOf(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}
