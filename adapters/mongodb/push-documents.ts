// The devices and rules of owners as documents, and back.
import { fromStoredRules, toStoredRules, type PushDeviceRecord, type PushRecord } from '#core/domain/push.ts';
import type { Database, Fields, Versioned } from './server/collection.ts';

/** `_id` is the owner's. */
export interface PushDocument extends Versioned {
  devices: PushDeviceRecord[];
  /** JSON, or null until they are chosen. */
  rules: string | null;
}

export const pushOf = (database: Database) => database.collection<PushDocument>('push');

export function pushFields(record: PushRecord): Fields<PushDocument> {
  return { devices: [...record.devices], rules: toStoredRules(record) };
}

export function toPush({ _id, devices, rules }: PushDocument): PushRecord {
  return {
    ownerId: _id,
    devices,
    ...fromStoredRules(rules),
  };
}

/** Matches the documents of owners that have a device, by the index `endpoint`. */
export const WITH_DEVICE = { 'devices.endpointHash': { $gt: '' } };
