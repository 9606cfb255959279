// A storage driver: one place that keeps tasks and accounts.
import type { AccountStore } from './account-store.ts';
import type { AdapterStore } from './adapter-store.ts';
import type { IntakeStore } from './intake-store.ts';
import type { RejectedStore } from './rejected-store.ts';
import type { TaskStore } from './task-store.ts';
import type { Transfer } from './transfer.ts';

export interface Storage {
  tasks: TaskStore;
  accounts: AccountStore;
  rejected: RejectedStore;
  intakes: IntakeStore;
  adapterData: AdapterStore;
  transfer: Transfer;
  /** What the operator should know of this store and cannot see otherwise ("sweeps by itself"), or null. */
  note: string | null;
  /** Rejects when storage does not answer or cannot be written. */
  check(): Promise<void>;
  /** What is known to be wrong with what is stored, with what to do about it, for the operator; null while it seems sound. */
  damage(): string | null;
  /** Reads everything and answers what is wrong with it, in a few lines; none when it is sound, or when the server sees to that itself. */
  verify(): Promise<readonly string[]>;
  /** Calls back soon (under a second) after another process changed what is stored here. Returns what ends it. */
  watch(changed: () => void): () => void;
  /** Finishes what was begun, then lets go of everything. Twice is fine. */
  close(): Promise<void>;
}
