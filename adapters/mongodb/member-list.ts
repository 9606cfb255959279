// Limits the number of each owner's API keys and intakes without transactions: a member enters the owner's
// list before it is stored. A cut in between costs a place and never admits one too many. A full list drops
// the members that were never stored or are no longer active.
import type { Clock } from '#core/ports/clock.ts';
import type { Database, Versioned, VersionedCollection } from './server/collection.ts';
import { RETRY, retry } from './promises.ts';

/** `_id` is the owner's. */
interface ListDocument extends Versioned {
  /** `hash` is the `_id` of the member's document: the hash of a key, the id of an intake. */
  active: { hash: string; at: Date }[];
}

/** How long a member that is about to be stored holds its place. */
const STORING_MS = 60_000;

export interface MemberList {
  /** Adds the member, unless `limit` others are active: then false. */
  add(ownerId: string, member: string, limit: number): Promise<boolean>;
  remove(ownerId: string, member: string): Promise<void>;
}

/** The lists in `collection`; a stored member is active until it is revoked. */
export function createMemberList<T extends Versioned & { revokedAt: Date | null }>(
  database: Database,
  collection: string,
  members: VersionedCollection<T>,
  clock: Clock,
): MemberList {
  const lists = database.collection<ListDocument>(collection);

  async function stillActive({ active }: ListDocument): Promise<ListDocument['active']> {
    const found = await Promise.all(active.map(({ hash }) => members.read(hash)));
    // In both directions: a member that was added while the clock was ahead holds its place no longer.
    const isNew = (at: Date) => Math.abs(clock.now() - at.getTime()) < STORING_MS;
    return active.filter(({ at }, index) => {
      const member = found[index] ?? null;
      return member === null ? isNew(at) : member.revokedAt === null;
    });
  }

  return {
    add: (ownerId, member, limit) =>
      retry(async () => {
        const entry = { hash: member, at: new Date(clock.now()) };
        const list = await lists.read(ownerId);
        if (list === null) {
          if (limit < 1) return false;
          return (await lists.insert({ _id: ownerId, v: 1, active: [entry] })) ? true : RETRY;
        }
        if (list.active.some(({ hash }) => hash === member)) return true;
        const active = list.active.length < limit ? list.active : await stillActive(list);
        if (active.length >= limit) return false;
        return (await lists.replace(list, { active: [...active, entry] })) ? true : RETRY;
      }),
    async remove(ownerId, member) {
      await lists.run((collection) =>
        collection.updateOne({ _id: ownerId }, { $pull: { active: { hash: member } }, $inc: { v: 1 } }),
      );
    },
  };
}
