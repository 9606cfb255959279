// Stores what users have chosen for pushes, which tasks their devices show, and what is held for later.
// Secret values arrive encrypted. Every method throws SERVICE_UNAVAILABLE when storage does not answer;
// writes are durable when they resolve.
import type { HeldPushes, PushedTask, PushRecord } from '../domain/push.ts';

/** What became of the record of an owner. */
export interface PushRecordChange {
  record: PushRecord;
  /** Ids of the owners from whom a device was taken, each once. */
  takenFrom: readonly string[];
}

export interface PushStore {
  get(ownerId: string): Promise<PushRecord | null>;
  /** The owners that have a device, in no order. */
  owners(): Promise<string[]>;
  /**
   * Applies a pure rule atomically, and answers the outcome; the same object changes nothing. An owner of
   * whom nothing is stored has no device and no rules. A device with the endpoint of another owner's is taken
   * from that owner.
   */
  change(ownerId: string, rule: (record: PushRecord) => PushRecord): Promise<PushRecordChange>;

  /** Notes that these devices show the task, besides those that were noted before. */
  addPushed(pushed: PushedTask): Promise<void>;
  /** What is noted of these tasks, in no order. */
  pushed(ownerId: string, taskIds: readonly string[]): Promise<PushedTask[]>;
  /** Removes and answers what was noted of these tasks. Of many callers, one gets it. */
  takePushed(ownerId: string, taskIds: readonly string[]): Promise<PushedTask[]>;
  /** How many tasks of the owner are noted. */
  countPushed(ownerId: string): Promise<number>;

  /**
   * Adds tasks to what is held for the owner, which is due then, or earlier if it was before. Beyond
   * `MAX_HELD_TASKS` none is added.
   */
  hold(held: HeldPushes): Promise<void>;
  /** Makes what is held for the owner due at another time; nothing when nothing is held. */
  holdUntil(ownerId: string, dueAt: number): Promise<void>;
  /**
   * Answers what is held for one owner and due at `now`, and makes it due again after `leaseMs`, in case
   * the process that got it ends before it calls `removeHeld`. Of many callers, one gets it.
   */
  takeDue(now: number, leaseMs: number): Promise<HeldPushes | null>;
  /** Removes these tasks from what is held for the owner. */
  removeHeld(ownerId: string, taskIds: readonly string[]): Promise<void>;

  /** Removes notes of tasks that are past their time. */
  purge(now: number): Promise<void>;
}
