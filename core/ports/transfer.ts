// Copies the records of one store to another, unchanged, so that an install can outgrow its store.
import type { TransferRecord } from '../domain/transfer.ts';

export interface Transfer {
  /**
   * The records that move at `at` (`isTransferred`) in batches, users before their keys. Records written
   * meanwhile may be missing.
   */
  exportAll(at: number): AsyncIterable<readonly TransferRecord[]>;
  /**
   * Adds records as they are, users before their keys; those already stored stay, so repeating an interrupted
   * copy completes it. Durable when it resolves. Throws CONFLICT when a record contradicts a stored one: an
   * e-mail address of another user, a dedupe key of another live task.
   */
  importAll(records: readonly TransferRecord[]): Promise<void>;
}
