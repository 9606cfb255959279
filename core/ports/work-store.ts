// Stores work (core/domain/work.ts). Every method throws SERVICE_UNAVAILABLE when storage does not answer;
// writes are durable when they resolve. The task store adds work in the write of the change that causes it.
import type { NewWork, Waiting, Work, WorkProgress } from '../domain/work.ts';

/** Work that ended and stays on record, the latest of each lane. */
export const ON_RECORD = 100;

/** A lane that this process holds. */
export interface HeldLane {
  id: string;
  kind: string;
  ownerId: string;
  /** How many attempts in a row had failed when it was last left. */
  failures: number;
}

/** How a lane is left. */
export interface LaneRest {
  /** Nothing of it is due before then, in milliseconds; 0 for no rest. */
  restUntil: number;
  failures: number;
}

export interface WorkStore {
  /**
   * Adds work, in this order; what is there already stays as it is, but see {@link NewWork.sooner}. Ends the
   * rest of a lane soon after more than `MOST_WAITING` waits there; so does work that comes with a task.
   */
  add(work: readonly NewWork[]): Promise<void>;

  /**
   * Moves the work of up to `limit` records that this process stored since the last call. The lanes that this
   * process gave work meanwhile, which may be looked at now, and whether there may be more.
   */
  moveOwn(limit: number): Promise<{ lanes: readonly string[]; more: boolean }>;
  /**
   * Moves up to `limit` records' work, which was stored in their own atomic write, to its lanes, whichever
   * process stored it; whether there may be more. Does nothing where the driver stores it there at once.
   */
  moveOn(limit: number): Promise<boolean>;

  /**
   * Takes up to `limit` lanes that have due work, are not at rest, and that nobody holds, for `leaseMs`. Of
   * many callers one gets a lane. A rest of more than a day is none (`NO_REST_IS_SO_LONG_MS`).
   */
  takeLanes(holder: string, now: number, leaseMs: number, limit: number): Promise<HeldLane[]>;
  /** Holds a lane for `leaseMs` more; false when another holder has it by now. */
  holdLane(holder: string, lane: string, now: number, leaseMs: number): Promise<boolean>;
  /** Gives a lane up, if it is held: it is due when its work is, after its rest. */
  leaveLane(holder: string, lane: string, now: number, rest: LaneRest): Promise<void>;
  /** Ends the rest of a lane; what failed in it, and waits, is due now, each key in its order. */
  wakeLane(lane: string, now: number): Promise<void>;

  /**
   * Up to `limit` of the work that is due in a lane, the first of each key, the longest due first; not those
   * with the keys of `except`. For the lane's holder.
   */
  next(lane: string, now: number, limit: number, except: ReadonlySet<string>): Promise<Work[]>;
  /** Stores what an attempt changed; nothing happens when the work is gone. Its end makes the next due. */
  progress(work: Work, progress: WorkProgress): Promise<void>;

  /** What waits in a lane. Work that an older version stored may count without its bytes. */
  waiting(lane: string): Promise<Waiting>;
  /**
   * Gives up what waits in a lane, a part of it in one call: whether there is more. The latest `most` stay on
   * record, with this result; the others are removed.
   */
  endLane(lane: string, at: number, ended: { result: string; most: number }): Promise<boolean>;
  /** Removes a lane with its work. */
  removeLane(lane: string): Promise<void>;

  /** The latest of a lane, newest first. */
  list(ownerId: string, lane: string, limit: number): Promise<Work[]>;
  get(ownerId: string, lane: string, id: string): Promise<Work | null>;
  /** Removes what ended in a lane but the latest `most`; a driver may leave what ended just now. */
  trim(lane: string, most: number): Promise<void>;
  /** Removes what ended {@link WORK_TTL_MS} ago. */
  purge(now: number): Promise<void>;
}

/** How long work that has ended is stored: 24 hours. */
export const WORK_TTL_MS = 24 * 60 * 60_000;
