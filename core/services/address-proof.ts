// The one rule for when a sign-in link, a provider or the operator proves whose an address is: a user who
// held it without proof (by signing up) is shut out with everything they left.
import { isProven, type UserRecord } from '../domain/account.ts';
import { digestLane } from '../domain/digest.ts';
import { revokedIntake } from '../domain/intake.ts';
import type { AccountStore } from '../ports/account-store.ts';
import type { AdapterStore } from '../ports/adapter-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { FollowUpStore } from '../ports/follow-up-store.ts';
import type { IntakeStore } from '../ports/intake-store.ts';
import type { PushStore } from '../ports/push-store.ts';
import type { WebhookStore } from '../ports/webhook-store.ts';
import type { WorkStore } from '../ports/work-store.ts';

export interface ProofParts {
  accounts: AccountStore;
  intakes: IntakeStore;
  adapterData: AdapterStore;
  push: Pick<PushStore, 'change'>;
  webhooks: WebhookStore;
  followUps: Pick<FollowUpStore, 'get' | 'change'>;
  work: Pick<WorkStore, 'removeLane'>;
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

/** Ends all ways in as this user but the password; live connections and tickets end with the sessions. */
export function createEndWaysIn({
  accounts,
  intakes,
  push,
  webhooks,
  followUps,
  work,
  bus,
  clock,
  ...adapters
}: ProofParts): (userId: string) => Promise<void> {
  const { adapterData, accessRecords } = adapters;

  async function removeAccessRecords(ownerId: string): Promise<void> {
    for (const { adapter, kind } of accessRecords)
      for (const { key } of await adapterData.list(adapter, kind, clock.now(), ownerId))
        await adapterData.remove({ adapter, kind, key }, ownerId);
  }

  return async (userId) => {
    const now = clock.now();
    const published = { kind: 'access', userId } as const;
    await accounts.revokeSessions(userId, now);
    // From here on nothing new is made (see `whileSignedIn` in sessions.ts): all that exists is found now.
    bus.publish(published);
    await removeAccessRecords(userId);
    for (const { id } of await accounts.listKeys(userId)) await accounts.revokeKey(userId, id, now);
    for (const { id } of await intakes.list(userId))
      await intakes.change(userId, id, (intake) => revokedIntake(intake, now));
    // Their holder would be told of tasks.
    await push.change(userId, (record) =>
      record.devices.length === 0 ? record : { ...record, devices: [] },
    );
    for (const { id } of await webhooks.list(userId)) {
      // First, since a webhook that is gone is not found again by the next attempt.
      await work.removeLane(id);
      await webhooks.remove(userId, id);
      // What was told it in between.
      await work.removeLane(id);
    }
    const { escalations = [] } = (await followUps.get(userId)) ?? {};
    const lanes = [digestLane(userId), ...escalations.flatMap(({ steps }) => steps.map(({ id }) => id))];
    for (const lane of lanes) await work.removeLane(lane);
    await followUps.change(userId, (before) => ({ ...before, escalations: [], digest: null }));
    for (const lane of lanes) await work.removeLane(lane);
    // Again: a code that was used just before has become a linked account by now.
    await removeAccessRecords(userId);
    bus.publish(published);
  };
}

export function createProve(parts: ProofParts) {
  const { accounts } = parts;
  const endWaysIn = createEndWaysIn(parts);

  /**
   * Marks the address as proven. A user who held it without proof loses password, rights, sessions, keys,
   * intakes, webhooks, escalations, devices that pushes go to, and linked accounts. The mark is set last:
   * after an interruption the next proof does it all again.
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
