// The table of faults: a stable code, the HTTP status, SMTP's answer and what the queue does. It makes
// docs/errors.md. `message` is public; `cause` is for the log and never leaves the process.
import type { ErrorDetail } from './contract/index.ts';

interface ErrorRow {
  http: number;
  smtp: number;
  queue: 'reject' | 'retry';
  /** Public text where the thrower gives none. */
  text: string;
}

/** Every code that the API may answer (design: errors). */
export const ERROR_TABLE = {
  VALIDATION_ERROR: { http: 400, smtp: 554, queue: 'reject', text: 'The request is not valid. See details.' },
  UNAUTHORIZED: { http: 401, smtp: 535, queue: 'reject', text: 'Sign in or send a valid API key.' },
  TOKEN_EXPIRED: { http: 401, smtp: 535, queue: 'reject', text: 'The access token has expired. Refresh it.' },
  FORBIDDEN: { http: 403, smtp: 550, queue: 'reject', text: 'This is not allowed for this account.' },
  INSUFFICIENT_SCOPE: {
    http: 403,
    smtp: 550,
    queue: 'reject',
    text: 'The API key lacks the scope that this call needs.',
  },
  NOT_FOUND: { http: 404, smtp: 550, queue: 'reject', text: 'There is nothing at this address.' },
  METHOD_NOT_ALLOWED: {
    http: 405,
    smtp: 550,
    queue: 'reject',
    text: 'This address does not take that method.',
  },
  REQUEST_TIMEOUT: {
    http: 408,
    smtp: 451,
    queue: 'retry',
    text: 'The request took too long to arrive. Send it again.',
  },
  CONFLICT: { http: 409, smtp: 250, queue: 'reject', text: 'This conflicts with what is there already.' },
  IDEMPOTENCY_IN_PROGRESS: {
    http: 409,
    smtp: 451,
    queue: 'retry',
    text: 'The first request with this Idempotency-Key is still under way. Try again shortly.',
  },
  PRECONDITION_FAILED: {
    http: 412,
    smtp: 554,
    queue: 'reject',
    text: 'It has changed since it was read. Read it again, and decide anew.',
  },
  PAYLOAD_TOO_LARGE: { http: 413, smtp: 552, queue: 'reject', text: 'The request body is too large.' },
  UNSUPPORTED_MEDIA_TYPE: {
    http: 415,
    smtp: 554,
    queue: 'reject',
    text: 'This content type is not understood here.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    http: 422,
    smtp: 554,
    queue: 'reject',
    text: 'This Idempotency-Key was used with another body. Use a new key for a new request.',
  },
  UPGRADE_REQUIRED: {
    http: 426,
    smtp: 554,
    queue: 'reject',
    text: 'This address speaks WebSocket only.',
  },
  RATE_LIMITED: {
    http: 429,
    smtp: 451,
    queue: 'retry',
    text: 'Rate limit exceeded. Try again after the time in Retry-After.',
  },
  QUOTA_EXCEEDED: {
    http: 429,
    smtp: 452,
    queue: 'retry',
    text: 'This queue is full. Acknowledge some of its tasks, or wait until some expire.',
  },
  INTERNAL_ERROR: {
    http: 500,
    smtp: 451,
    queue: 'retry',
    text: 'Something went wrong on our side. Nothing was changed; try again.',
  },
  SERVICE_UNAVAILABLE: {
    http: 503,
    smtp: 451,
    queue: 'retry',
    text: 'The service cannot do this right now. Try again shortly.',
  },
} as const satisfies Record<string, ErrorRow>;

/** A stable error code. */
export type ErrorCode = keyof typeof ERROR_TABLE;

/**
 * Why a sender has to come back later although nothing is at fault: its intake's cap is reached, the intake
 * is paused, its owner's queue is full, the same delivery is under way, or too many scheduled messages wait.
 */
export type Refusal = 'cap' | 'paused' | 'quota' | 'repeat' | 'scheduled';

interface ErrorOptions {
  cause?: unknown;
  /** Of a 503 that is nobody's fault: it is counted apart, and is no line of the log. */
  refusal?: Refusal;
  /** What does not answer. The log has a line for each outage, not for each call. */
  part?: string;
  details?: ErrorDetail[];
  /** Seconds after which a retry may succeed; becomes `Retry-After`. */
  retryAfterSeconds?: number;
}

/** Marks the errors of this module, also where an operator's own adapter has loaded it a second time. */
const BRAND = Symbol.for('qinbox.error');

/** A fault with a code of the table. `message` may be shown to anyone; `cause` may not. */
export class QinboxError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  readonly [BRAND] = true;
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly refusal: Refusal | undefined;
  readonly part: string | undefined;

  constructor(code: ErrorCode, message: string = ERROR_TABLE[code].text, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'QinboxError';
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.refusal = options.refusal;
    this.part = options.part;
  }

  /** HTTP status of the code. */
  get status(): number {
    return ERROR_TABLE[this.code].http;
  }
}

const MAX_PATH_SHOWN = 200;

/** Of an unknown address, and of one that its caller must not tell from it. */
export function nothingAt(method: string, path: string): QinboxError {
  return new QinboxError('NOT_FOUND', `There is nothing at ${method} ${path.slice(0, MAX_PATH_SHOWN)}.`);
}

/** A refusal that names the fields at fault; the message repeats the first, so that it reads alone. */
export function invalid(details: ErrorDetail[]): QinboxError {
  const first = details[0];
  const text =
    first === undefined ? undefined : first.field === '' ? first.message : `${first.field}: ${first.message}`;
  return new QinboxError('VALIDATION_ERROR', text, { details });
}

/** How soon a sender may look again whether a full queue has room. */
const QUOTA_RETRY_SECONDS = 60;

/** What an owner would have more of than the operator allows; says what to do. Nothing was changed. */
export function quotaExceeded(measure: 'tasks' | 'bytes', most: number): QinboxError {
  const text =
    measure === 'tasks'
      ? `This queue may hold ${most} tasks, and it would hold more. Acknowledge some or wait until some expire, ` +
        'or ask the operator to raise MAX_TASKS_PER_OWNER.'
      : `The tasks of this queue may take ${most} bytes, and they would take more. Acknowledge some, which gives their room back ten ` +
        'minutes later, or wait until some expire, or ask the operator to raise MAX_BYTES_PER_OWNER.';
  return new QinboxError('QUOTA_EXCEEDED', text, { retryAfterSeconds: QUOTA_RETRY_SECONDS });
}

/** The store, queue or bus does not answer: temporary, safe to retry. */
export function unavailable(part: string, cause: unknown): QinboxError {
  return new QinboxError(
    'SERVICE_UNAVAILABLE',
    `The ${part} cannot be reached or written right now. Try again shortly.`,
    {
      cause,
      part,
      retryAfterSeconds: 5,
    },
  );
}
