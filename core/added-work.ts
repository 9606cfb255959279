// What this process has added to each lane since what is there was last looked at: a lane at rest is looked
// at again while it grows, not at the end of its rest alone. Only in memory.
import { MOST_WAITING, type Waiting } from './domain/work.ts';

/** After a 32nd of the most that may wait. */
const PART = 32;
/** Of more lanes, those that were not heard of for longest are forgotten. */
const MOST_LANES = 10_000;

const OF_WAITING: Waiting = { count: MOST_WAITING.count / PART, bytes: MOST_WAITING.bytes / PART };

/** `note` answers whether the lane is to be looked at now: after as much as `most`. */
export function createAddedWork(most = OF_WAITING): { note(lane: string, payload: string): boolean } {
  const lanes = new Map<string, Waiting>();
  return {
    note(lane, payload) {
      const before = lanes.get(lane) ?? { count: 0, bytes: 0 };
      const after = { count: before.count + 1, bytes: before.bytes + Buffer.byteLength(payload) };
      lanes.delete(lane);
      if (after.count >= most.count || after.bytes >= most.bytes) return true;
      lanes.set(lane, after);
      const [oldest] = lanes.keys();
      if (lanes.size > MOST_LANES && oldest !== undefined) lanes.delete(oldest);
      return false;
    },
  };
}
