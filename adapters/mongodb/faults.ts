// Tells an expected answer of the server (this _id is taken) from a fault, and keeps what it says away from the outside.
import { MongoBulkWriteError, MongoError, MongoServerError } from 'mongodb';
import { QinboxError, unavailable } from '#core/errors.ts';

const DUPLICATE_KEY = 11_000;
const MAX_TIME_EXPIRED = 50;

/** Whether a document was refused because its `_id` is taken. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/**
 * What became of each document of an unordered insertMany that failed: stored (true), its `_id` taken (false). Null when
 * the error says more than that: then nothing may be believed of any of them.
 */
export function insertOutcomes(error: unknown, count: number): boolean[] | null {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError() !== undefined)
    return null;
  const refused = new Set<number>();
  for (const { code, index } of [error.writeErrors].flat()) {
    if (code !== DUPLICATE_KEY) return null;
    refused.add(index);
  }
  return refused.size === 0 ? null : Array.from({ length: count }, (_, index) => !refused.has(index));
}

/** Whether the server gave up because the time that it was given for this one operation was over. */
export function isOverTime(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED;
}

/** What the driver or the server complains about becomes SERVICE_UNAVAILABLE; all else stays what it is. */
export function toFault(error: unknown): unknown {
  if (error instanceof QinboxError || !(error instanceof MongoError)) return error;
  if (isOverTime(error))
    return new QinboxError(
      'SERVICE_UNAVAILABLE',
      'The database did not end the search in time: the queue is very long, or many search just now. Try again in a moment.',
      { cause: error, retryAfterSeconds: 5 },
    );
  return unavailable('store', error);
}
