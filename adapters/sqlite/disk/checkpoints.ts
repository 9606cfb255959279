// Decides when the write-ahead log has become long enough for a checkpoint.
import type { DatabaseSync } from 'node:sqlite';
import type { Log } from '#core/ports/log.ts';
import { prepareArrays } from '../database.ts';

/** Pages of 4 KiB. A longer log is read more slowly, and takes longer to copy. */
const LONG_PAGES = 2000;

/**
 * To be called between transactions: null while the log is short, or else what resolves when a checkpoint was
 * made, or has failed, which the log of the program is told. Never throws. Where a reader holds it up, it is
 * tried again once the log has grown as much again.
 */
export function createCheckpoints(
  db: DatabaseSync,
  checkpoint: () => Promise<void>,
  log?: Pick<Log, 'warn'>,
): () => Promise<void> | null {
  // Says how long the log is, and copies nothing (sqlite.org/pragma.html#pragma_wal_checkpoint; from SQLite
  // 3.51 on).
  const length = prepareArrays<[busy: number, pages: number, copied: number]>(
    db,
    'PRAGMA wal_checkpoint(NOOP)',
  );
  let pagesAtLast = 0;
  const warn = (error: unknown) =>
    log?.warn({ err: error }, 'The database log could not be copied into the file yet; it grows meanwhile.');

  /** As many as before where the disk does not tell: what comes next must not wait for it. */
  function pagesNow(): number {
    try {
      const [, pages = 0] = length.get() ?? [];
      return pages;
    } catch (error) {
      warn(error);
      return pagesAtLast;
    }
  }

  return () => {
    const pages = pagesNow();
    // The log is shorter than then where a transaction has begun it anew.
    if (pages < pagesAtLast) pagesAtLast = 0;
    if (pages - pagesAtLast < LONG_PAGES) return null;
    pagesAtLast = pages;
    return checkpoint().catch(warn);
  };
}
