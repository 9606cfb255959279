// The devices and rules of owners as documents, and back.
import type { PushDeviceRecord, PushRecord } from '#core/domain/push.ts';
import type { Database, Fields, Versioned } from './collection.ts';

/** `_id` is the owner's. */
export interface PushDocument extends Versioned {
  devices: PushDeviceRecord[];
  /** JSON, or null until they are chosen. */
  rules: string | null;
}

export const pushOf = (database: Database) => database.collection<PushDocument>('push');

export function pushFields({ devices, rules }: PushRecord): Fields<PushDocument> {
  return { devices: [...devices], rules: rules === null ? null : JSON.stringify(rules) };
}

export function toPush({ _id, devices, rules }: PushDocument): PushRecord {
  return {
    ownerId: _id,
    devices,
    rules: rules === null ? null : (JSON.parse(rules) as PushRecord['rules']),
  };
}

/** Matches the documents of owners that have a device, by the index `endpoint`. */
export const WITH_DEVICE = { 'devices.endpointHash': { $gt: '' } };
