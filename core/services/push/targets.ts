// Who has devices, and what is pushed to them: cached, and dropped at once in every process when the owner
// changes something. A task of an owner without a device costs a look into a set.
import type { PushRules } from '#core/contract/index.ts';
import type { UserRecord } from '#core/domain/account.ts';
import { DEFAULT_RULES, type PushDeviceRecord, type PushSubscription } from '#core/domain/push.ts';
import { defined } from '#core/domain/filled.ts';
import type { AccountStore } from '#core/ports/account-store.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { EventBus } from '#core/ports/event-bus.ts';
import type { PushStore } from '#core/ports/push-store.ts';
import { createCache } from '#core/services/cache.ts';

const MAX_CACHED = 1000;

interface Parts {
  store: PushStore;
  accounts: AccountStore;
  /** Whether an account may be used now. */
  mayUse: (user: UserRecord) => boolean;
  /** Null when it cannot be decrypted. */
  subscriptionOf: (device: PushDeviceRecord) => PushSubscription | null;
  bus: EventBus;
  clock: Pick<Clock, 'now'>;
}

export interface PushTargetDevice {
  id: string;
  ownerId: string;
  lastUsedAt: number | null;
  subscription: PushSubscription;
  /** When the API key that added it ends by itself, in milliseconds. */
  until?: number;
}

/** An owner's devices, at least one, and rules. */
export interface PushTarget {
  rules: PushRules;
  devices: readonly PushTargetDevice[];
}

export type PushTargets = ReturnType<typeof createPushTargets>;

export function createPushTargets({ store, accounts, mayUse, subscriptionOf, bus, clock }: Parts) {
  /** Owners that have a device, or may have one; null while that is not known. */
  let owners: Set<string> | null = null;
  let loading: Promise<void> | undefined;
  /** Counts what was heard of, because an answer of the store may be older. */
  let changes = 0;
  const cached = createCache<PushTarget>(MAX_CACHED);

  const unsubscribe = bus.subscribe((event) => {
    if (event.kind !== 'access') return;
    changes++;
    if (event.userId === null) {
      owners = null;
      loading = undefined;
      cached.clear();
    } else {
      cached.delete(event.userId);
      owners?.add(event.userId);
    }
  });

  async function load(): Promise<void> {
    const at = changes;
    const found = new Set(await store.owners());
    loading = undefined;
    if (at === changes) owners = found;
  }

  async function read(ownerId: string): Promise<PushTarget | null> {
    const at = changes;
    const [record, user] = await Promise.all([store.get(ownerId), accounts.getUser(ownerId)]);
    const devices = (user !== null && mayUse(user) ? (record?.devices ?? []) : []).flatMap((device) => {
      const subscription = subscriptionOf(device);
      const { id, lastUsedAt, key } = device;
      const until = key?.until ?? undefined;
      return subscription === null ? [] : [{ id, ownerId, lastUsedAt, subscription, ...defined({ until }) }];
    });
    if (devices.length === 0) {
      if (at === changes) owners?.delete(ownerId);
      return null;
    }
    const target = { rules: record?.rules ?? DEFAULT_RULES, devices };
    if (at === changes) cached.set(ownerId, target);
    return target;
  }

  /** Without the devices whose API key has ended by now. */
  function current(target: PushTarget | null): PushTarget | null {
    const hasEnded = ({ until }: PushTargetDevice) => until !== undefined && until <= clock.now();
    if (target === null || !target.devices.some(hasEnded)) return target;
    const devices = target.devices.filter((device) => !hasEnded(device));
    return devices.length === 0 ? null : { ...target, devices };
  }

  async function get(ownerId: string): Promise<PushTarget | null> {
    const known = cached.get(ownerId);
    if (known !== undefined) return current(known);
    if (owners === null)
      await (loading ??= load().catch((error: unknown) => {
        loading = undefined;
        throw error;
      }));
    return owners === null || owners.has(ownerId) ? current(await read(ownerId)) : null;
  }

  return {
    /** False when the owner has no device, for certain. */
    mayHave: (ownerId: string): boolean => owners === null || owners.has(ownerId),

    /** Null when the owner has no device, or may not use the account. */
    get,

    /** The device as it is now; null when the owner has it no longer, or may not use the account. */
    device: async (ownerId: string, id: string): Promise<PushTargetDevice | null> =>
      (await get(ownerId))?.devices.find((device) => device.id === id) ?? null,

    close: unsubscribe,
  };
}
