// Reads times of requests.
import { NO_TIME, readTime } from '#core/domain/read-time.ts';
import { invalid } from '#core/errors.ts';

/** A time that `field` of a request says, in milliseconds. VALIDATION_ERROR when it is none. */
export function timeOf(field: string, text: string): number {
  const time = readTime(text);
  if (time === null) throw invalid([{ field, message: NO_TIME }]);
  return time;
}
