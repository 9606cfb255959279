// The devices of users that pushes go to: added, renewed, removed. Where they are is stored encrypted.
import { MAX_PUSH_DEVICES, type AddPushDevice } from '#core/contract/index.ts';
import { hashSecret } from '#core/domain/api-key.ts';
import { defined } from '#core/domain/filled.ts';
import type { IdSource } from '#core/domain/ids.ts';
import {
  isSubscriptionKey,
  type AddingKey,
  type PushDeviceRecord,
  type PushRecord,
  type PushSubscription,
} from '#core/domain/push.ts';
import { invalid, QinboxError } from '#core/errors.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { EventBus } from '#core/ports/event-bus.ts';
import type { PushRecordChange, PushStore } from '#core/ports/push-store.ts';
import type { Encryption } from '#core/services/encryption.ts';

interface Parts {
  store: PushStore;
  encryption: Encryption;
  bus: EventBus;
  clock: Clock;
  nextId: IdSource;
}

export function createPushDevices({ store, encryption, bus, clock, nextId }: Parts) {
  const published = (userId: string) => bus.publish({ kind: 'access', userId });

  function renewed(
    record: PushRecord,
    { endpoint, keys, name }: AddPushDevice,
    key: AddingKey | undefined,
  ): { record: PushRecord; device: PushDeviceRecord } | QinboxError {
    const endpointHash = hashSecret(endpoint);
    const known = record.devices.find((one) => one.endpointHash === endpointHash);
    if (known === undefined && record.devices.length >= MAX_PUSH_DEVICES)
      return new QinboxError(
        'CONFLICT',
        `There are ${MAX_PUSH_DEVICES} devices already. Remove one that is no longer used first.`,
      );
    const id = known?.id ?? nextId('push_', clock.now());
    const subscription: PushSubscription = { endpoint, p256dh: keys.p256dh, auth: keys.auth };
    const wanted = JSON.stringify(subscription);
    const isSame = known !== undefined && encryption.decrypt(known.encrypted, purposeOf(id)) === wanted;
    if (isSame && known.name === name.trim() && known.key?.id === key?.id) return { record, device: known };
    const device: PushDeviceRecord = {
      id,
      name: name.trim(),
      endpointHash,
      encrypted: isSame ? known.encrypted : encryption.encrypt(wanted, purposeOf(id)),
      createdAt: known?.createdAt ?? clock.now(),
      lastUsedAt: known?.lastUsedAt ?? null,
      ...defined({ key }),
    };
    const devices =
      known === undefined
        ? [...record.devices, device]
        : record.devices.map((one) => (one === known ? device : one));
    return { record: { ...record, devices }, device };
  }

  async function removeDevice(ownerId: string, id: string): Promise<boolean> {
    let removed = false;
    await store.change(ownerId, (record) => {
      const devices = record.devices.filter((device) => device.id !== id);
      removed = devices.length < record.devices.length;
      return removed ? { ...record, devices } : record;
    });
    if (removed) published(ownerId);
    return removed;
  }

  return {
    /** In the order in which they were added. */
    list: async (ownerId: string): Promise<readonly PushDeviceRecord[]> =>
      (await store.get(ownerId))?.devices ?? [],

    /**
     * Adds the browser, or renews it. `key`: what adds it, where that is no session. VALIDATION_ERROR;
     * CONFLICT when there are 20 others.
     */
    async add(ownerId: string, wanted: AddPushDevice, key?: AddingKey): Promise<PushDeviceRecord> {
      requireSubscription(wanted);
      let added: { device: PushDeviceRecord; isChange: boolean } | undefined;
      const { takenFrom } = await store.change(ownerId, (record) => {
        const outcome = renewed(record, wanted, key);
        if (outcome instanceof QinboxError) throw outcome;
        added = { device: outcome.device, isChange: outcome.record !== record };
        return outcome.record;
      });
      const { device, isChange } = added as NonNullable<typeof added>;
      // Browsers add themselves at each start, which changes nothing as a rule.
      if (isChange) for (const userId of [ownerId, ...takenFrom]) published(userId);
      return device;
    },

    /** NOT_FOUND when the owner has no such device. */
    async remove(ownerId: string, id: string): Promise<void> {
      if (!(await removeDevice(ownerId, id))) throw deviceNotFound();
    },

    /** Removes a device whose browser is no longer subscribed. */
    forget: removeDevice,

    /** Notes when a push left for the device. */
    noteUse: (ownerId: string, id: string, at: number): Promise<PushRecordChange> =>
      store.change(ownerId, (record) => ({
        ...record,
        devices: record.devices.map((device) => (device.id === id ? { ...device, lastUsedAt: at } : device)),
      })),

    /** Where pushes for the device are sent; null when it was encrypted with another secret. */
    subscriptionOf: ({ id, encrypted }: PushDeviceRecord): PushSubscription | null => {
      const text = encryption.decrypt(encrypted, purposeOf(id));
      return text === null ? null : (JSON.parse(text) as PushSubscription);
    },
  };
}

export function deviceNotFound(): QinboxError {
  return new QinboxError('NOT_FOUND', 'There is no such device. It may have been removed.');
}

function purposeOf(deviceId: string): string {
  return `push ${deviceId}`;
}

function requireSubscription({ endpoint, keys, name }: AddPushDevice): void {
  const url = URL.parse(endpoint);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw invalid([{ field: 'endpoint', message: 'must be an address that begins with https://' }]);
  if (!isSubscriptionKey(keys.p256dh))
    throw invalid([{ field: 'keys/p256dh', message: 'must be a public key of the curve P-256' }]);
  if (!name.isWellFormed()) throw invalid([{ field: 'name', message: 'must be well-formed Unicode' }]);
}
