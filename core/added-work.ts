// What this process has added to each lane since what waits there was last counted: a lane at rest is counted
// again while it grows, not at the end of its rest alone. Only in memory.
import { MOST_WAITING, type Waiting } from './domain/work.ts';

/** After a 32nd of the most that may wait. */
const PART = 32;
/** Of more lanes, those that were not heard of for longest are forgotten. */
const MOST_LANES = 10_000;

/** `note` answers whether what waits in the lane is to be counted now. */
export function createAddedWork(): { note(lane: string, payload: string): boolean } {
  const lanes = new Map<string, Waiting>();
  return {
    note(lane, payload) {
      const before = lanes.get(lane) ?? { count: 0, bytes: 0 };
      const after = { count: before.count + 1, bytes: before.bytes + Buffer.byteLength(payload) };
      lanes.delete(lane);
      if (after.count >= MOST_WAITING.count / PART || after.bytes >= MOST_WAITING.bytes / PART) return true;
      lanes.set(lane, after);
      const [oldest] = lanes.keys();
      if (lanes.size > MOST_LANES && oldest !== undefined) lanes.delete(oldest);
      return false;
    },
  };
}
