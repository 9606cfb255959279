// Deletes an account with all that is stored of its owner. It is marked first, and from then on nobody may
// use it; what is stored is removed once all that was under way has ended. What is marked is finished by any
// process, also after the one that began has died.
import { isAdministrator, isBeingDeleted, type UserRecord } from '#core/domain/account.ts';
import { storedForms } from '#core/domain/email.ts';
import { invalid, QinboxError } from '#core/errors.ts';
import type { AccountStore } from '#core/ports/account-store.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { EventBus } from '#core/ports/event-bus.ts';
import type { OwnerData } from '#core/ports/owner-data.ts';
import type { Accounts } from '#core/services/accounts.ts';
import type { Users } from '#core/services/users.ts';

interface Parts {
  store: AccountStore;
  ownerData: Pick<OwnerData, 'erase'>;
  accounts: Pick<Accounts, 'find' | 'endWaysIn'>;
  users: Pick<Users, 'edit' | 'hasAdministrator'>;
  bus: EventBus;
  clock: Clock;
  /** The public queue's owner, by e-mail, or null. */
  guestQueue: string | null;
}

/**
 * Longer than a request, an attempt of a webhook or what is cached of an owner lasts: what was under way has
 * ended, and what it stored is found.
 */
const SETTLED_AFTER_MS = 30_000;

/** What a user who deletes the own account sends. */
export interface DeletionRequest {
  /** The e-mail address of the account, typed again. */
  confirm: string;
  /** The e-mail address of another user, who becomes an administrator first. */
  administrator?: string | undefined;
}

export type AccountDeletion = ReturnType<typeof createAccountDeletion>;

/** Marks accounts, and ends all that anybody may do with them. */
function createClosing({ store, accounts, users, bus, clock }: Parts) {
  const change = (id: string, rule: (user: UserRecord) => UserRecord) => store.changeUser(id, rule);

  async function unmark(id: string): Promise<void> {
    await change(id, ({ deletingAt: _deletingAt, ...user }) => user);
    bus.publish({ kind: 'access', userId: id });
  }

  return {
    /** From here on the account cannot be used, and is deleted even if this process dies. */
    async mark({ id }: UserRecord, fields: Partial<UserRecord>): Promise<void> {
      const deletingAt = clock.now();
      await change(id, (user) => (isBeingDeleted(user) ? user : { ...user, ...fields, deletingAt }));
      bus.publish({ kind: 'access', userId: id });
    },

    /**
     * Ends all ways in. False when nobody else is an administrator: of two who leave at once, at least one
     * stays, and this account is as it was.
     */
    async close(user: UserRecord): Promise<boolean> {
      if (isAdministrator(user) && !(await users.hasAdministrator(user.id))) {
        await unmark(user.id);
        return false;
      }
      // From here on it is not asked again: another administrator may leave, too.
      const closed = await change(user.id, (record) =>
        isBeingDeleted(record) ? { ...record, isAdmin: false, passwordHash: null } : record,
      );
      if (closed === null || !isBeingDeleted(closed)) return false;
      await accounts.endWaysIn(user.id);
      return true;
    },
  };
}

export function createAccountDeletion(parts: Parts) {
  const { store, ownerData, accounts, users, bus, clock, guestQueue } = parts;
  const closing = createClosing(parts);

  async function isGuestQueue({ id }: UserRecord): Promise<boolean> {
    return guestQueue !== null && (await accounts.find(guestQueue))?.id === id;
  }

  async function nameAdministrator(by: UserRecord, address: string): Promise<void> {
    if (!isAdministrator(by))
      throw new QinboxError('FORBIDDEN', 'Only an administrator can name another one.');
    const other = await accounts.find(address);
    if (other === null || other.id === by.id || !other.isActive || isBeingDeleted(other))
      throw invalid([
        { field: 'administrator', message: 'must be the e-mail address of another active user' },
      ]);
    await users.edit(by.id, other.id, { isAdmin: true });
  }

  async function requireNoGuests(user: UserRecord): Promise<void> {
    if (await isGuestQueue(user))
      throw new QinboxError(
        'CONFLICT',
        'Guests read the queue of this account. The operator names another one in GUEST_QUEUE, or none, first.',
      );
  }

  async function begin(user: UserRecord, fields: Partial<UserRecord> = {}): Promise<void> {
    await closing.mark(user, fields);
    if (!(await closing.close({ ...user, ...fields }))) throw lastAdministrator();
  }

  return {
    /** Why the account cannot be deleted as it stands, for its owner; null when it can. */
    async obstacle(user: UserRecord): Promise<'guest-queue' | 'last-administrator' | null> {
      if (await isGuestQueue(user)) return 'guest-queue';
      if (!isAdministrator(user)) return null;
      const others = (await store.listUsers()).filter(
        (other) => other.id !== user.id && other.isActive && !isBeingDeleted(other),
      );
      return others.some(isAdministrator) ? null : 'last-administrator';
    },

    /**
     * Begins to delete the account of a user who asks for it: nobody can use it once this resolves.
     * VALIDATION_ERROR when it is not confirmed; CONFLICT for the owner of the public queue, and the last
     * administrator who names no other.
     */
    async delete(user: UserRecord, { confirm, administrator }: DeletionRequest): Promise<void> {
      if (!storedForms(confirm).includes(user.email))
        throw invalid([
          { field: 'confirm', message: `must be the e-mail address of this account: ${user.email}` },
        ]);
      // First: what is refused makes nobody an administrator.
      await requireNoGuests(user);
      if (administrator !== undefined) await nameAdministrator(user, administrator);
      await begin(user);
    },

    /** As {@link delete}, in the name of the operator, also for the last administrator. */
    async deleteFor(user: UserRecord): Promise<void> {
      await requireNoGuests(user);
      await begin(user, { isAdmin: false });
    },

    /**
     * Removes what is stored of the accounts that were marked long enough ago; how many there were. The
     * others wait for the next call.
     */
    async finish(): Promise<number> {
      let finished = 0;
      for (const user of await store.listBeingDeleted()) {
        // The process that marked it may have died before it was closed.
        if (!(await closing.close(user))) continue;
        if (Math.abs(clock.now() - (user.deletingAt ?? 0)) < SETTLED_AFTER_MS) continue;
        await ownerData.erase(user.id);
        bus.publish({ kind: 'access', userId: user.id });
        finished++;
      }
      return finished;
    },
  };
}

function lastAdministrator(): QinboxError {
  const message = 'You are the last active administrator. Name another user, who becomes one first.';
  return new QinboxError('CONFLICT', message, { details: [{ field: 'administrator', message }] });
}
