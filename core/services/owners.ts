// Whether tasks may be stored for an owner. An owner seen in the last second costs a cache look-up.
import { isBeingDeleted } from '../domain/account.ts';
import type { AccountStore } from '../ports/account-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventBus } from '../ports/event-bus.ts';
import { createCache } from './cache.ts';

/** Below the time that passes between the deletion of an account and the removal of what is stored of it. */
const KNOWN_FOR_MS = 800;
const MAX_CACHED = 10_000;

/** Whether there is such an owner, whose account is not being deleted. Throws when the store is away. */
export type HasOwner = (ownerId: string) => boolean | Promise<boolean>;

interface Parts {
  accounts: Pick<AccountStore, 'getUser'>;
  bus: EventBus;
  clock: Clock;
}

export function createOwners({ accounts, bus, clock }: Parts): { hasOwner: HasOwner; close: () => void } {
  /** Until when each owner is known to be there, by the monotonic clock. */
  const known = createCache<number>(MAX_CACHED);
  const close = bus.subscribe((event) => {
    if (event.kind !== 'access') return;
    if (event.userId === null) known.clear();
    else known.delete(event.userId);
  });

  async function look(ownerId: string): Promise<boolean> {
    const user = await accounts.getUser(ownerId);
    const isThere = user !== null && !isBeingDeleted(user);
    if (isThere) known.set(ownerId, clock.monotonic() + KNOWN_FOR_MS);
    return isThere;
  }

  return {
    hasOwner: (ownerId) => clock.monotonic() < (known.get(ownerId) ?? -Infinity) || look(ownerId),
    close,
  };
}
