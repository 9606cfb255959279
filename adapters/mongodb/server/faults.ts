// Errors of MongoDB: which are expected answers, and what callers see of the others.
import { MongoBulkWriteError, MongoError, MongoServerError } from 'mongodb';
import { QinboxError, unavailable } from '#core/errors.ts';

const DUPLICATE_KEY = 11_000;
const MAX_TIME_EXPIRED = 50;
const MAX_UPSERT_ATTEMPTS = 4;
/** Unauthorized, AuthenticationFailed. */
const REFUSED = new Set([13, 18]);

/** Whether a document was refused because its `_id` or another unique value is taken. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** Two first upserts of one document may collide: the second finds the document when it tries again. */
export async function despiteDuplicates(upsert: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await upsert();
      return;
    } catch (error) {
      if (!isDuplicate(error) || attempt === MAX_UPSERT_ATTEMPTS) throw error;
    }
}

/**
 * The outcome for each document of a failed unordered insertMany: stored (true), or a unique value taken
 * (false). Null when the outcome is not known.
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

/** Whether the server ended an operation because its time limit was over. */
export function isOverTime(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED;
}

/** Whether the server refused user or password, or wants them. */
export function isRefusal(error: unknown): boolean {
  return error instanceof MongoServerError && REFUSED.has(Number(error.code));
}

/** Maps errors of server and client to SERVICE_UNAVAILABLE, taken unique values to CONFLICT. */
export function toFault(error: unknown): unknown {
  if (error instanceof QinboxError || !(error instanceof MongoError)) return error;
  if (isDuplicate(error)) return new QinboxError('CONFLICT', undefined, { cause: error });
  if (isOverTime(error))
    return new QinboxError(
      'SERVICE_UNAVAILABLE',
      'The database did not end the search in time: the queue is very long, or many search just now. Try again in a moment.',
      { cause: error, retryAfterSeconds: 5 },
    );
  return unavailable('store', error);
}
