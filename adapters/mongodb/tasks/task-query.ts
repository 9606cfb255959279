// Queries for an owner's live tasks by filter and order.
import type { Document } from 'mongodb';
import type { TaskOrder } from '#core/contract/index.ts';
import { patternOf, SEARCHED_METADATA } from '#core/domain/text-search.ts';
import { GONE, LIVE, PINNED } from '#core/domain/task-state.ts';
import { inOrderOfWaking, type TaskFilter, type TaskQuery } from '#core/ports/task-store.ts';
import type { Query } from '../server/collection.ts';

/** The owner's tasks that are listed at `now`, or snoozed if the filter wants these, and match. */
export function conditions(ownerId: string, filter: TaskFilter, now: number): Query {
  const { priority, source, tags, intake, text } = filter;
  const alternatives = [
    ...(intake === undefined ? [] : [throughIntake(intake)]),
    ...(text === undefined ? [] : [containing(text)]),
  ];
  return {
    owner: ownerId,
    state: filter.pinned === undefined ? { $gt: GONE } : filter.pinned ? PINNED : LIVE,
    visibleUntil: { $gt: new Date(now) },
    wakeAt: filter.snoozed === true ? { $gt: new Date(now) } : awakeAt(now),
    ...(priority === undefined ? {} : { priority }),
    ...(source === undefined ? {} : { source }),
    ...(tags === undefined || tags.length === 0 ? {} : { tags: { $all: tags } }),
    ...(alternatives.length === 0 ? {} : { $and: alternatives.map(($or) => ({ $or })) }),
  };
}

/** Of `wakeAt`: the task does not sleep at `now`. */
export function awakeAt(now: number): object {
  return { $not: { $gt: new Date(now) } };
}

function throughIntake(idOrName: string): object[] {
  // `$` would also match before a newline at the end.
  const name = { $regex: String.raw`^${asciiPatternOf(idOrName)}\z` };
  return [{ 'intake.id': idOrName }, { 'intake.name': name }];
}

function containing(text: string): object[] {
  const pattern = { $regex: patternOf(text) };
  return [
    ...['content', 'tags', 'source', 'intake.name'].map((field) => ({ [field]: pattern })),
    // Most metadata does not have it anywhere, which costs less to see.
    { $and: metadataPatternsOf(text).map(($regex) => ({ metadata: { $regex } })) },
  ];
}

/** As `patternOf`, of the letters A to Z alone. */
function asciiPatternOf(text: string): string {
  return Array.from(text, (character) => (character > '\u007F' ? character : patternOf(character))).join('');
}

/** A string of JSON. Each part is possessive: a long one must not be tried in many ways. */
const STRING = String.raw`"[^"\\]*+(?:\\.[^"\\]*+)*+"`;
/** Any value in the JSON of `JSON.stringify`, which has no spaces; the first group, which calls itself. */
const VALUE =
  String.raw`(${STRING}|[-+.0-9a-zA-Z]++|\{(?:${STRING}:(?1)(?:,${STRING}:(?1))*+)?+\}` +
  String.raw`|\[(?:(?1)(?:,(?1))*+)?+\])`;
const SEARCHED = `"(?:${SEARCHED_METADATA.join('|')})":`;
/** The fields before the first one that is searched. */
const OTHERS = `(?:(?!${SEARCHED})${STRING}:${VALUE},)*+`;
const OTHERS_AGAIN = `(?:(?!${SEARCHED})${STRING}:(?1),)*+`;
/** One character of a string, an escaped one as a whole. */
const CHARACTER = String.raw`(?:[^"\\]|\\(?:u[0-9a-f]{4}|[^u]))`;

/**
 * Regular expressions (PCRE) for metadata as it is stored, which is JSON: one of the searched fields is a
 * string that contains the text. The first one is a necessary condition. Stored metadata needs no field of
 * its own for that, so old tasks are found, too, and none is stored twice.
 */
function metadataPatternsOf(text: string): [string, string] {
  const wanted = Array.from(text, (character) => {
    const inJson = JSON.stringify(character).slice(1, -1);
    return inJson === character ? patternOf(character) : inJson.replaceAll('\\', String.raw`\\`);
  }).join('');
  const value = `"(?:(?!${wanted})${CHARACTER})*+${wanted}`;
  return [wanted, String.raw`^\{${OTHERS}(?:${SEARCHED}(?1),${OTHERS_AGAIN})??${SEARCHED}${value}`];
}

type Sort = Record<string, 1 | -1>;

/** Where an index, or fields as they are stored, have the order. */
const SORTS: Partial<Record<TaskOrder, Sort>> = {
  newest: { state: -1, _id: -1 },
  // The bucket has the rank of the priority; `visibleUntil` is the same for all pinned tasks.
  priority: { state: -1, bucket: -1, _id: -1 },
  expiry: { state: -1, visibleUntil: 1, _id: -1 },
};

export function sortOf(query: Pick<TaskQuery, 'filter' | 'order'>): Sort | undefined {
  return inOrderOfWaking(query) ? { wakeAt: 1, _id: -1 } : SORTS[query.order ?? 'newest'];
}

/** Stages that sort by what `orderKeyOf` compares, as `compareOrderKeys` does: MongoDB compares UTF-8. */
export function sortStages(order: TaskOrder, offset: number, limit: number): Document[] {
  const fields: Partial<Record<TaskOrder, unknown>> = {
    source: '$source',
    intake: '$intake.name',
    tag: { $arrayElemAt: ['$tags', 0] },
  };
  const text = { $ifNull: [fields[order], ''] };
  return [
    { $set: { sortedBy: { without: { $eq: [text, ''] }, lower: { $toLower: text }, text } } },
    {
      $sort: { state: -1, 'sortedBy.without': 1, 'sortedBy.lower': 1, 'sortedBy.text': 1, _id: -1 },
    },
    { $skip: offset },
    { $limit: limit },
    { $unset: 'sortedBy' },
  ];
}
