// The devices and rules of owners as rows, and back.
import { fromStoredRules, type PushDeviceRecord, type PushRecord } from '#core/domain/push.ts';
import { tableOf } from './table-sql.ts';

/** `devices` and `rules` are JSON; `rules` may be null. */
export interface PushRow {
  ownerId: string;
  devices: string;
  rules: string | null;
}

export const PUSH = tableOf<PushRow>('push', ['ownerId', 'devices', 'rules']);

export function toPush({ ownerId, devices, rules }: PushRow): PushRecord {
  return {
    ownerId,
    devices: JSON.parse(devices) as PushDeviceRecord[],
    ...fromStoredRules(rules),
  };
}
