// What a contract suite needs of a driver: fresh stores, and a second view of the same data.
import type { Clock } from '#core/ports/clock.ts';
import type { Quota } from '#core/ports/task-store.ts';
import type { Storage } from '#core/ports/storage.ts';

/** One fresh, empty store, alone in the world until it is disposed of. */
export interface StorageUnderTest {
  storage: Storage;
  /**
   * Another one over the same data, as another process would have it. Disposed of together with the first.
   */
  another(): Promise<Storage>;
  /** Every stored record, one to a line, as it lies in the database. */
  dump(): Promise<string[]>;
  dispose(): Promise<void>;
}

/** How a driver is put under test. Everything that a suite asserts goes through the ports. */
export interface StorageHarness {
  create(clock: Clock, options?: { quota?: Quota }): Promise<StorageUnderTest>;
}
