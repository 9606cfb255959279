// A lease lets one process at a time do what all of them could: build indexes, sweep. It ends by the clock of
// the server, so that one whose holder died is free again soon, whatever the clocks of the processes show.
import { randomUUID } from 'node:crypto';
import type { Collection } from 'mongodb';
import type { Versioned } from './collection.ts';
import { isDuplicate } from './faults.ts';

export interface LeaseDocument extends Versioned {
  holder: string;
  until: Date;
}

type Run = <R>(work: (collection: Collection<LeaseDocument>) => Promise<R>) => Promise<R>;

export interface Lease {
  /** Takes it, or holds it for longer; false while another holder has it. */
  take(): Promise<boolean>;
  /** Gives it up, if it is held. */
  release(): Promise<void>;
}

/** A holder of its own of the lease with this name. `run` runs an operation on the collection of leases. */
export function createLease(run: Run, name: string, durationMs: number): Lease {
  const holder = randomUUID();
  const isFree = {
    $or: [
      { $eq: ['$holder', holder] },
      // A document that is inserted now has none.
      { $lte: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] },
    ],
  };
  const taken = {
    holder: { $cond: [isFree, holder, '$holder'] },
    until: { $cond: [isFree, { $add: ['$$NOW', durationMs] }, '$until'] },
    v: { $add: [{ $ifNull: ['$v', 0] }, 1] },
  };
  return {
    async take() {
      try {
        const after = await run((leases) =>
          leases.findOneAndUpdate({ _id: name }, [{ $set: taken }], {
            upsert: true,
            returnDocument: 'after',
          }),
        );
        return after?.holder === holder;
      } catch (error) {
        // Two first holders at once.
        if (isDuplicate(error) || (error instanceof Error && isDuplicate(error.cause))) return false;
        throw error;
      }
    },
    release: async () => void (await run((leases) => leases.deleteOne({ _id: name, holder }))),
  };
}
