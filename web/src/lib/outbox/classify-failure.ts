// The meaning of a failed call for an entry: retry later, never, or after signing in again.
import { ACCOUNT_CHANGED, ApiError } from '../api/api-error.ts';

export type FailureKind =
  | { kind: 'later'; reason: 'unreachable' | 'busy'; message: string; retryAfterMs: number | null }
  | { kind: 'signed-out' }
  | { kind: 'never' };

/** A fault of the server that comes back each time must not hold up everything else for ever. */
const MOST_ATTEMPTS = 5;
const IN_PROGRESS_MS = 1000;
const GATEWAY = [502, 503, 504];

/**
 * `fresh`: its person is still waiting and sees any error at once. An entry that waited for a network was
 * promised to be sent, so a fault of the server does not end it.
 */
export function classifyFailure(
  error: unknown,
  { fresh, attempts }: { fresh: boolean; attempts: number },
): FailureKind {
  if (!(error instanceof ApiError)) return { kind: 'never' };
  const { status, code, message, retryAfterMs } = error;
  const later = (reason: 'unreachable' | 'busy', wait = retryAfterMs): FailureKind => ({
    kind: 'later',
    reason,
    message,
    retryAfterMs: wait,
  });
  if (status === 401 || code === ACCOUNT_CHANGED) return { kind: 'signed-out' };
  // No answer at all, or the page of a hotel's network in the place of one.
  if (status === 0 || code === 'INVALID_ANSWER') return later('unreachable');
  if (code === 'IDEMPOTENCY_IN_PROGRESS') return later('busy', retryAfterMs ?? IN_PROGRESS_MS);
  if (status === 429 || (status >= 500 && retryAfterMs !== null)) return later('busy');
  const foreign = code === `HTTP_${status}`;
  if (foreign && GATEWAY.includes(status)) return later('unreachable');
  if (fresh || (status < 500 && !foreign)) return { kind: 'never' };
  return attempts >= MOST_ATTEMPTS && !GATEWAY.includes(status) ? { kind: 'never' } : later('busy');
}
