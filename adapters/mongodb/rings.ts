// For each owner a list of what counts against a limit (API keys, intakes): a member enters the list first and is stored then, so
// that a cut in between costs a place in the list and never admits one too many. Places of members that were never stored, or are
// active no more, are found when the list is full.
import type { Clock } from '#core/ports/clock.ts';
import { until, type Documents, type Kept } from './documents.ts';

/** `_id` is the owner's. */
interface Ring extends Kept {
  /** `hash` is the `_id` of the member's document: of a key its hash, of an intake its id. */
  active: { hash: string; at: Date }[];
}

/** How long a place in the list is kept for a member that is about to be stored. */
const STORING_MS = 60_000;

export interface Rings {
  /** Takes a place for the member, if it has none; false when `limit` others are active. */
  enter(ownerId: string, member: string, limit: number): Promise<boolean>;
  leave(ownerId: string, member: string): Promise<void>;
}

/** `isActive` tells whether a stored member counts; null when it is not stored. */
export function createRings(
  documents: Documents,
  collection: string,
  clock: Clock,
  isActive: (member: string) => Promise<boolean | null>,
): Rings {
  const rings = documents.table<Ring>(collection);

  async function stillActive(ring: Ring): Promise<Ring['active']> {
    const found = await Promise.all(ring.active.map(({ hash }) => isActive(hash)));
    // Either way: what was entered while the clock was ahead holds no place for longer.
    const isNew = (at: Date) => Math.abs(clock.now() - at.getTime()) < STORING_MS;
    return ring.active.filter(({ at }, index) => found[index] ?? isNew(at));
  }

  return {
    enter: (ownerId, member, limit) =>
      until(async () => {
        const entry = { hash: member, at: new Date(clock.now()) };
        const ring = await rings.read(ownerId);
        if (ring === null) {
          if (limit < 1) return { answer: false };
          return (await rings.insert({ _id: ownerId, v: 1, active: [entry] })) ? { answer: true } : null;
        }
        if (ring.active.some(({ hash }) => hash === member)) return { answer: true };
        const active = ring.active.length < limit ? ring.active : await stillActive(ring);
        if (active.length >= limit) return { answer: false };
        return (await rings.swap(ring, { active: [...active, entry] })) ? { answer: true } : null;
      }),
    async leave(ownerId, member) {
      await until(async () => {
        const ring = await rings.read(ownerId);
        if (ring === null) return { answer: null };
        const active = ring.active.filter(({ hash }) => hash !== member);
        return (await rings.swap(ring, { active })) ? { answer: null } : null;
      });
    },
  };
}
