// Counts the sources, tags and intakes of an owner's live tasks by descending id for a limited time.
import type { DatabaseSync } from 'node:sqlite';
import { countFacets, newFacetCounts, type FacetCounts } from '#core/domain/facets.ts';
import { PINNED } from '#core/domain/task-state.ts';
import { prepareArrays } from '../database.ts';
import { readIntake, readTags } from './task-rows.ts';
import { LAST } from './task-scan.ts';

/** Plain data, because it is sent to the thread. */
export interface FacetRequest {
  kind: 'facets';
  /** The owner's number in the tables. */
  owner: number;
  now: number;
  /** Only ids below this; null begins at the greatest. */
  before: string | null;
}

export interface FacetSlice {
  counts: FacetCounts;
  /** The `before` of the next slice, or null when there is no more. */
  next: string | null;
}

/** Counts for `forMs`, and one task at least. */
export type FacetScan = (request: FacetRequest, forMs: number) => FacetSlice;

type FacetRow = readonly [
  id: string,
  isListed: number,
  source: string,
  tags: string | null,
  intake: string | null,
];

export function createFacetScan(db: DatabaseSync): FacetScan {
  const rows = prepareArrays<FacetRow>(
    db,
    `SELECT id, (state = ${PINNED} OR expires_at > ?) AND (wake_at IS NULL OR wake_at <= ?), source, tags, intake FROM tasks INDEXED BY tasks_by_id ` +
      'WHERE owner = ? AND id < ? AND state > 0 ORDER BY id DESC',
  );

  return ({ owner, now, before }, forMs) => {
    const end = performance.now() + forMs;
    const counts = newFacetCounts();
    for (const [id, isListed, source, tags, intake] of rows.iterate(now, now, owner, before ?? LAST)) {
      if (isListed === 1) countFacets(counts, { source, tags: readTags(tags), intake: readIntake(intake) });
      if (performance.now() >= end) return { counts, next: id };
    }
    return { counts, next: null };
  };
}
