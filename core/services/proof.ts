// What happens when it is proven whose an address is: by a sign-in link, a provider, or the operator's word.
// A user who held it without proof (by signing up with it) is shut out with everything they left. The
// one rule, for every way in.
import { isProven, type UserRecord } from '../domain/account.ts';
import type { AccountStore } from '../ports/account-store.ts';
import type { AdapterStore } from '../ports/adapter-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { IntakeStore } from '../ports/intake-store.ts';

export interface ProofParts {
  accounts: AccountStore;
  intakes: IntakeStore;
  adapterData: AdapterStore;
  /** Records of adapters that let somebody act for their owner. */
  accessRecords: readonly { adapter: string; kind: string }[];
  bus: EventBus;
  clock: Clock;
}

/** A user whose address is proven. */
export interface Proven {
  user: UserRecord;
  /** Whether somebody who held the address without proof was shut out just now. */
  shutOut: boolean;
}

export function createProve({ accounts, intakes, adapterData, accessRecords, bus, clock }: ProofParts) {
  /**
   * Ends all ways in as this user but the password, which ends first: live connections and tickets go with
   * their sessions.
   */
  async function endWaysIn(userId: string): Promise<void> {
    const now = clock.now();
    const published = { kind: 'access', userId } as const;
    await accounts.revokeSessions(userId, now);
    // From here on nobody makes anything new: see `whileSignedIn` in accounts.ts. What is there is looked for
    // after that.
    bus.publish(published);
    await removeAccessRecords(userId);
    for (const { id } of await accounts.listKeys(userId)) await accounts.revokeKey(userId, id, now);
    for (const { id } of await intakes.list(userId))
      await intakes.change(userId, id, (intake) => ({ ...intake, revokedAt: now, updatedAt: now }));
    // Again: a code that was used just before has become a linked account by now.
    await removeAccessRecords(userId);
    bus.publish(published);
  }

  async function removeAccessRecords(ownerId: string): Promise<void> {
    for (const { adapter, kind } of accessRecords)
      for (const { key } of await adapterData.list(adapter, kind, clock.now(), ownerId))
        await adapterData.remove({ adapter, kind, key }, ownerId);
  }

  /**
   * Marks the address of this user as proven. A user who held it without proof loses password, rights,
   * sessions, keys, intakes and linked accounts. The address counts as proven last, so that whatever cuts
   * this off, the next proof does it all again.
   */
  return async function prove(
    user: UserRecord,
    { name, isAdmin = false }: { name?: string; isAdmin?: boolean } = {},
  ): Promise<Proven> {
    if (isProven(user)) return { user, shutOut: false };
    const without = await accounts.changeUser(user.id, (record) =>
      isProven(record) ? record : { ...record, passwordHash: null, isAdmin: false },
    );
    if (without === null || isProven(without)) return { user: without ?? user, shutOut: false };
    await endWaysIn(user.id);
    const proven = await accounts.changeUser(user.id, (record) =>
      isProven(record)
        ? record
        : { ...record, authProvider: 'link', emailVerified: true, name: name ?? record.name, isAdmin },
    );
    return { user: proven ?? without, shutOut: true };
  };
}
