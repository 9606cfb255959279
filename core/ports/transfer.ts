// Moving what one store keeps to another, record by record and unchanged, so that an install can outgrow its store.
import type { ApiKeyRecord, UserRecord } from '../domain/account.ts';
import type { IntakeRecord } from '../domain/intake.ts';
import { isRestorable, suppressesRepeats, isVisible, type Task } from '../domain/task.ts';
import type { AdapterRecord } from './adapter-store.ts';
import type { RejectedSubmission } from './rejected-store.ts';

/** Anything that moves. Sessions, sign-in links, claims and deliveries do not: people sign in again. */
export type TransferRecord =
  | { kind: 'user'; record: UserRecord }
  | { kind: 'key'; record: ApiKeyRecord }
  | { kind: 'task'; record: Task }
  | { kind: 'rejected'; record: RejectedSubmission }
  | { kind: 'intake'; record: IntakeRecord }
  | { kind: 'adapter'; record: AdapterRecord };

export interface Transfer {
  /**
   * What can be seen or restored at `at`, or keeps its repeats silent, in batches, each record once: users, then their keys
   * (revoked ones too), tasks, rejected submissions, intakes that are not revoked, what adapters remember. Whatever is written meanwhile may be missing.
   */
  exportAll(at: number): AsyncIterable<readonly TransferRecord[]>;
  /**
   * Adds records exactly as they are; users come before their keys. One that is there already, by its id, is left alone, so
   * that a copy which was cut off is completed by doing it again. Durable when it resolves. Throws CONFLICT when a record
   * contradicts another of the store: an e-mail address that another user has, a dedupe key of another live task.
   */
  importAll(records: readonly TransferRecord[]): Promise<void>;
}

/** Whether a task moves at `at`: it is visible, can be restored, or keeps its repeats silent. */
export function isTransferred(task: Task, at: number): boolean {
  return isVisible(task, at) || isRestorable(task, at) || suppressesRepeats(task, at);
}

/** What names a record among those of its kind. */
export function nameOf(kept: TransferRecord): string {
  if (kept.kind !== 'adapter') return kept.record.id;
  const { adapter, kind, key } = kept.record;
  return `${adapter} ${kind} ${key}`;
}

/** The records of one kind, in their order. */
export function recordsOf<K extends TransferRecord['kind']>(
  records: readonly TransferRecord[],
  kind: K,
): Extract<TransferRecord, { kind: K }>['record'][] {
  return records.filter((one) => one.kind === kind).map(({ record }) => record as never);
}
