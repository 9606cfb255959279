// What an administrator does with the users of this server: invites, lets in again, shuts out, gives rights.
import { isAdministrator, isBeingDeleted, isProven, type UserRecord } from '../domain/account.ts';
import { QinboxError } from '../errors.ts';
import type { AccountStore } from '../ports/account-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { Accounts, SignInLink } from './accounts.ts';
import type { Proven } from './address-proof.ts';

interface Parts {
  accounts: Accounts;
  store: AccountStore;
  bus: EventBus;
  clock: Clock;
}

/** What is to become of a user; what is left out stays. */
export interface UserChanges {
  isActive?: boolean;
  isAdmin?: boolean;
}

/** A user with a link that signs them in. */
export interface Invitation {
  user: UserRecord;
  link: SignInLink;
}

export type Users = ReturnType<typeof createUsers>;

export function createUsers({ accounts, store, bus, clock }: Parts) {
  async function existing(id: string): Promise<UserRecord> {
    const user = await store.getUser(id);
    if (user === null) throw noSuchUser();
    return user;
  }

  async function change(id: string, fields: Partial<UserRecord>): Promise<UserRecord> {
    const changed = await store.changeUser(id, (record) =>
      isBeingDeleted(record) ? record : { ...record, ...fields },
    );
    if (changed === null) throw noSuchUser();
    if (isBeingDeleted(changed))
      throw new QinboxError('CONFLICT', `The account of ${changed.email} is being deleted.`);
    bus.publish({ kind: 'access', userId: id });
    return changed;
  }

  /**
   * Shuts a user out at once, or lets one in again, who then signs in anew: the sessions end, and keys and
   * intakes rest until then.
   */
  async function setActive(id: string, isActive: boolean): Promise<UserRecord> {
    const changed = await change(id, { isActive });
    if (isActive) return changed;
    await store.revokeSessions(id, clock.now());
    bus.publish({ kind: 'access', userId: id });
    return changed;
  }

  /** Gives or takes administrator rights. `shutOut`: an unproven holder of the address was, for that. */
  async function setAdmin(id: string, isAdmin: boolean): Promise<Proven> {
    const named = await existing(id);
    // Rights are for the person who is meant, so the address is proven first.
    const { user, shutOut } = isAdmin ? await accounts.prove(named) : { user: named, shutOut: false };
    return { user: await change(id, { isAdmin: isAdmin && isProven(user) }), shutOut };
  }

  /** Whether anybody is one who can act, besides `exceptId`. */
  async function hasAdministrator(exceptId?: string): Promise<boolean> {
    return (await store.listUsers()).some(
      (user) => user.id !== exceptId && user.isActive && !isBeingDeleted(user) && isAdministrator(user),
    );
  }

  return {
    setActive,
    setAdmin,
    hasAdministrator,

    /** Oldest first. */
    list: (): Promise<UserRecord[]> => store.listUsers(),

    /**
     * A new user, whose address counts as proven because an administrator names it, and a link for them.
     * CONFLICT when a proven user has the address; one who only signed up with it is shut out.
     */
    async invite(email: string, options: { name?: string; isAdmin?: boolean } = {}): Promise<Invitation> {
      const { user, created, shutOut } = await accounts.ensureUser(email, options);
      if (!created && !shutOut)
        throw new QinboxError(
          'CONFLICT',
          `There is a user ${user.email} already. Make a new sign-in link for them instead.`,
        );
      return { user, link: await accounts.createLink(user) };
    },

    /** A link that signs this user in. NOT_FOUND, or CONFLICT for one who is shut out. */
    async invitationFor(id: string): Promise<Invitation> {
      const user = await existing(id);
      if (!user.isActive)
        throw new QinboxError('CONFLICT', `${user.email} is disabled. Enable the account first.`);
      return { user, link: await accounts.createLink(user) };
    },

    /**
     * Changes a user in the name of the administrator `by`. CONFLICT for one's own access and rights, and
     * where no active administrator would be left: of two who take each other's rights at once, at least one
     * is refused.
     */
    async edit(by: string, id: string, { isActive, isAdmin }: UserChanges): Promise<UserRecord> {
      const before = await existing(id);
      if (by === id && (isActive === false || isAdmin === false))
        throw new QinboxError(
          'CONFLICT',
          'You cannot disable yourself or take your own administrator rights. Ask another administrator.',
        );
      let after = before;
      if (isAdmin !== undefined && isAdmin !== isAdministrator(after))
        ({ user: after } = await setAdmin(id, isAdmin));
      if (isActive !== undefined && isActive !== after.isActive) after = await setActive(id, isActive);
      if (await hasAdministrator()) return after;
      await change(id, { isAdmin: before.isAdmin, isActive: before.isActive });
      throw new QinboxError(
        'CONFLICT',
        `${before.email} is the last active administrator. Make another one first.`,
      );
    },
  };
}

function noSuchUser(): QinboxError {
  return new QinboxError('NOT_FOUND', 'There is no such user.');
}
