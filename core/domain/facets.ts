// Counts the sources, tags and intakes of tasks, by which lists are filtered. Bounded, because senders choose
// them.
import type { Facets } from '../contract/index.ts';
import { compareCodePoints } from '../contract/order.ts';
import type { Task } from './task.ts';

/** How many of each an answer has. */
export const MAX_FACETS = 100;
/** Different values of each that are counted. */
const MAX_COUNTED = 10_000;

interface IntakeCount {
  name: string;
  count: number;
}

/** Plain data, because it is sent between threads. */
export interface FacetCounts {
  sources: Map<string, number>;
  tags: Map<string, number>;
  /** By their ids. */
  intakes: Map<string, IntakeCount>;
}

export function newFacetCounts(): FacetCounts {
  return { sources: new Map(), tags: new Map(), intakes: new Map() };
}

/** Counts one task. Tasks are counted from the newest to the oldest: an intake has its latest name. */
export function countFacets(
  counts: FacetCounts,
  { source, tags, intake }: Pick<Task, 'source' | 'tags' | 'intake'>,
) {
  if (source !== '') add(counts.sources, source, 1);
  for (const tag of tags) add(counts.tags, tag, 1);
  if (intake !== null) addIntake(counts.intakes, intake.id, intake.name, 1);
}

/** Adds counts of older tasks. */
export function addFacetCounts(counts: FacetCounts, older: FacetCounts): void {
  for (const [source, count] of older.sources) add(counts.sources, source, count);
  for (const [tag, count] of older.tags) add(counts.tags, tag, count);
  for (const [id, { name, count }] of older.intakes) addIntake(counts.intakes, id, name, count);
}

/** The most frequent of each, at most 100; as frequent ones by their values, intakes by their ids. */
export function toFacets({ sources, tags, intakes }: FacetCounts): Facets {
  const all = [...intakes].map(([id, { name, count }]) => ({ value: id, id, name, count }));
  return {
    sources: mostFrequent(valuesOf(sources)),
    tags: mostFrequent(valuesOf(tags)),
    intakes: mostFrequent(all).map(({ id, name, count }) => ({ id, name, count })),
  };
}

function add(counts: Map<string, number>, value: string, by: number): void {
  const before = counts.get(value);
  if (before !== undefined || counts.size < MAX_COUNTED) counts.set(value, (before ?? 0) + by);
}

function addIntake(counts: Map<string, IntakeCount>, id: string, name: string, by: number): void {
  const before = counts.get(id);
  if (before !== undefined) before.count += by;
  else if (counts.size < MAX_COUNTED) counts.set(id, { name, count: by });
}

function valuesOf(counts: Map<string, number>) {
  return [...counts].map(([value, count]) => ({ value, count }));
}

/** Compares most of the values once: sorting all of them would hold the event loop. */
function mostFrequent<T extends { value: string; count: number }>(values: readonly T[]): T[] {
  const first: T[] = [];
  for (const value of values) {
    const last = first[MAX_FACETS - 1];
    if (last !== undefined && inOrder(last, value) < 0) continue;
    const place = first.findIndex((other) => inOrder(value, other) < 0);
    first.splice(place === -1 ? first.length : place, 0, value);
    if (first.length > MAX_FACETS) first.pop();
  }
  return first;
}

function inOrder(a: { value: string; count: number }, b: { value: string; count: number }): number {
  return b.count - a.count || compareCodePoints(a.value, b.value);
}
