// Data of ingestion adapters. Secret values arrive encrypted. Every method throws SERVICE_UNAVAILABLE when
// storage does not answer; writes are durable when they resolve.
import type { AdapterKey, AdapterRecord } from '../domain/adapter-record.ts';

export interface AdapterStore {
  /** Adds or replaces. An adapter's own `put` throws VALIDATION_ERROR for a value that is too large. */
  put(record: AdapterRecord): Promise<void>;
  /**
   * Adds it, unless one is there that has not expired; whether it did. Atomic: of many callers, one does. An
   * adapter's own throws as `put`.
   */
  add(record: AdapterRecord, now: number): Promise<boolean>;
  /**
   * Adds it, unless there is one that has not expired; whether it did. Atomic: of many callers, one does. An
   * adapter's own throws as `put` does.
   */
  add(record: AdapterRecord, now: number): Promise<boolean>;
  get(key: AdapterKey, now: number): Promise<AdapterRecord | null>;
  /** Removes and answers it; null when it is not there. Atomic: of many callers, one gets it. */
  take(key: AdapterKey, now: number): Promise<AdapterRecord | null>;
  /** Those of one kind, in the order of their keys; of one owner when `ownerId` is given. */
  list(adapter: string, kind: string, now: number, ownerId?: string): Promise<AdapterRecord[]>;
  /** Whether it was there, and this owner's when `ownerId` is given. */
  remove(key: AdapterKey, ownerId?: string): Promise<boolean>;
  /**
   * Gives it another value, if it is still as it was read and has not expired; whether it did. It expires at
   * `expiresAt` then, where that is given. Atomic: of many callers who read the same, one does.
   */
  replace(record: AdapterRecord, value: string, now: number, expiresAt?: number): Promise<boolean>;
  /** Removes it, unless another value was put in its place since it was read. */
  removeUnchanged(record: AdapterRecord): Promise<void>;
  /** Removes what has expired at `now`. */
  purge(now: number): Promise<void>;
}
