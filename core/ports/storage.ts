// A storage driver: tasks, accounts, intakes and all else that is stored, in one database.
import type { AccountStore } from './account-store.ts';
import type { AdapterStore } from './adapter-store.ts';
import type { FollowUpStore } from './follow-up-store.ts';
import type { IntakeStore } from './intake-store.ts';
import type { OwnerData } from './owner-data.ts';
import type { PushStore } from './push-store.ts';
import type { RejectedStore } from './rejected-store.ts';
import type { SecretStore } from './secret-store.ts';
import type { TaskStore } from './task-store.ts';
import type { Transfer } from './transfer.ts';
import type { WebhookStore } from './webhook-store.ts';
import type { WorkStore } from './work-store.ts';

export interface Storage {
  tasks: TaskStore;
  accounts: AccountStore;
  rejected: RejectedStore;
  intakes: IntakeStore;
  adapterData: AdapterStore;
  push: PushStore;
  secrets: SecretStore;
  webhooks: WebhookStore;
  followUps: FollowUpStore;
  work: WorkStore;
  transfer: Transfer;
  ownerData: OwnerData;
  /** Rejects when storage does not answer or cannot be written. */
  check(): Promise<void>;
  /** Known damage of the stored data and what the operator should do about it; null while there is none. */
  damage(): string | null;
  /** A line for each damage found, at most ten. None where the database server checks by itself. */
  verify(): Promise<readonly string[]>;
  /** Calls back within a second after another process changed stored data; answers how to end it. */
  watch(changed: () => void): () => void;
  /** Calls back whenever this process has stored work: call `work.moveOwn` then. Answers how to end it. */
  onWork(told: () => void): () => void;
  /** Finishes the calls in flight, then releases everything. May be called twice. */
  close(): Promise<void>;
}
