// The error of a failed call. `message` is the server's text, or empty.
import type { ErrorDetail } from '#core/contract/index.ts';

/** The code of a call that was not sent, because another account has signed in since. */
export const ACCOUNT_CHANGED = 'ACCOUNT_CHANGED';

export class ApiError extends Error {
  /** The server's stable code, or NETWORK_ERROR, TIMEOUT, INVALID_ANSWER. */
  readonly code: string;
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly details: readonly ErrorDetail[];
  /** The server's Retry-After; null without one. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    code: string,
    status: number,
    details: readonly ErrorDetail[] = [],
    retryAfterMs: number | null = null,
  ) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.details = details;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the same call may well succeed a little later. */
  get temporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 502;
  }
}

/** By the server's own code alone: a 404 of a proxy says nothing about what is there. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404 && error.code === 'NOT_FOUND';
}

/** For what is to be away in the end: null where it is gone already, by another tab or person. */
export async function unlessGone<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/** What the error banner shows. */
export interface Problem {
  message: string;
  code?: string;
}

/** The server's text, or `fallback` where it gave none. */
export function problemOf(error: unknown, fallback: string): Problem {
  if (error instanceof ApiError) return { message: error.message || fallback, code: error.code };
  return { message: fallback };
}

/** {@link problemOf} with this fallback, for what takes a function. */
export function problemWith(fallback: string): (error: unknown) => Problem {
  return (error) => problemOf(error, fallback);
}
