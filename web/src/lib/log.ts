// Logs failures that no screen shows: only the call and how it failed, never a body, a token or a key.
import { ApiError } from './api/api-error.ts';

/** `what` in words or as the call's name, such as "GET /tasks". */
export function logFailure(what: string, error: unknown): void {
  const how =
    error instanceof ApiError ? `${error.code} (${error.status})` : error instanceof Error ? error.name : '';
  // oxlint-disable-next-line no-console -- this is the one place that may
  console.error(`Qinbox: ${what} failed: ${how}`);
}
