// Talks to a server over its API, as anybody with a key does. What goes wrong becomes one sentence that says
// what to do, and an exit code.
import { setTimeout as pause } from 'node:timers/promises';
import type { ErrorBody, Method } from '#core/contract/index.ts';
import { API_BASE } from '#core/contract/protocol.ts';
import { retryAfter } from '#core/domain/retry-after.ts';
import { CommandError, EXIT_KEY_REFUSED, EXIT_REFUSED, EXIT_UNREACHABLE } from '../command.ts';
import type { Login } from './login-file.ts';
import { printable } from './printable.ts';

const TIMEOUT_MS = 10_000;
/** Waits before a call that may be repeated is made again. */
const PAUSES_MS = [500, 1500];
const MAX_RETRY_AFTER_MS = 5000;

/** One call of the API. */
export interface Request {
  method: Method;
  /** Below `API_BASE`, with its query. */
  path: string;
  body?: unknown;
  /** Makes the call safe to repeat, which is done when the server is busy or away for a moment. */
  idempotencyKey?: string;
  /** Whether making it twice is as making it once. */
  mayRepeat?: boolean;
  /** Gives it up. */
  ending?: AbortSignal;
}

/** Makes one call; throws the server's own words when it refuses. */
export async function call<T>(login: Login, request: Request): Promise<T> {
  for (const defaultPauseMs of isRepeatable(request) ? PAUSES_MS : []) {
    try {
      return await callOnce<T>(login, request);
    } catch (error) {
      if (!(error instanceof CommandError) || !(error.cause instanceof Passing)) throw error;
      await pause(error.cause.waitMs ?? defaultPauseMs);
    }
  }
  return callOnce<T>(login, request);
}

function isRepeatable({ idempotencyKey, mayRepeat }: Request): boolean {
  return idempotencyKey !== undefined || mayRepeat === true;
}

/** What comes before the body of an answer. */
type Head = Pick<Response, 'status' | 'headers'>;

/** The reason of a failure that may pass by itself. */
class Passing extends Error {
  readonly waitMs: number | undefined;

  constructor(waitMs?: number) {
    super('may pass by itself');
    this.waitMs = waitMs;
  }
}

async function callOnce<T>(login: Login, request: Request): Promise<T> {
  const { method, path, body, idempotencyKey, ending } = request;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  let response: Response;
  let answer: Answer;
  try {
    response = await fetch(`${login.url}${API_BASE}${path}`, {
      method,
      headers: {
        'x-api-key': login.key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      // Another server must not be sent the key.
      redirect: 'manual',
      signal: ending === undefined ? timeout : AbortSignal.any([timeout, ending]),
    });
    answer = readAnswer(await response.text());
  } catch (error) {
    ending?.throwIfAborted();
    throw unreachable(login.url, error as Error);
  }
  if (!response.ok || answer?.success !== true) throw refused(login.url, response, answer);
  return answer as T;
}

/** Says why a server refused, by the text of its answer. */
export function refusal(url: string, response: Head, text: string): CommandError {
  return refused(url, response, readAnswer(text));
}

/** The body of an answer of Qinbox; null where it is that of a proxy, or of another program. */
type Answer = { success: true } | ErrorBody | null;

function readAnswer(text: string): Answer {
  try {
    const answer = JSON.parse(text) as Partial<Record<keyof ErrorBody, unknown>> | null;
    const isOurs = answer?.success === true || (answer?.success === false && isErrorBody(answer));
    return isOurs ? (answer as Answer) : null;
  } catch {
    return null;
  }
}

function isErrorBody({ error, details }: Partial<Record<keyof ErrorBody, unknown>>): boolean {
  return typeof error === 'string' && (details === undefined || Array.isArray(details));
}

/** Says that nothing answers at an address. */
export function unreachable(url: string, error: Error): CommandError {
  const { message } = error.cause instanceof Error && error.cause.message !== '' ? error.cause : error;
  // Of TLS, OpenSSL gives its place in the source as well.
  const why = message.replace(/^.*:SSL routines:[^:]*:([^:]+):.*$/s, 'TLS: $1');
  return new CommandError(
    `${url} does not answer (${why}). Check the address, and that the server runs.`,
    EXIT_UNREACHABLE,
    { cause: new Passing() },
  );
}

function refused(url: string, response: Head, answer: Answer): CommandError {
  const { status, headers } = response;
  const told = answer?.success === false ? answer : null;
  if (status >= 300 && status < 400)
    return new CommandError(sentOn(url, headers.get('location') ?? ''), EXIT_REFUSED);
  if (status === 429 || status >= 500) return busy(url, response, told);
  const message = told?.error ?? `${url} answered ${status}, and not as Qinbox does. Check the address.`;
  const details = told?.details?.map(({ field, message }) => `${field} ${message}`) ?? [];
  const isKey = status === 401 || told?.code === 'INSUFFICIENT_SCOPE';
  const advice = status === 401 ? ' Log in with another key: qinbox login' : '';
  const text = printable(details.length === 0 ? message : details.join('; '));
  return new CommandError(`${text}${advice}`, isKey ? EXIT_KEY_REFUSED : EXIT_REFUSED);
}

/** Names the server where a call is sent on to, not the address of the call, which nobody can log in with. */
function sentOn(url: string, location: string): string {
  const target = location !== '' && URL.canParse(location, url) ? new URL(location, url).href : null;
  const server = target?.includes(API_BASE) === true ? target.slice(0, target.indexOf(API_BASE)) : null;
  if (server !== null && server !== url) return `${url} sends on to ${server}: log in with that address.`;
  return `${url} sends on to ${target ?? 'another address'}, and not as Qinbox does. Check the address.`;
}

function busy(url: string, { status, headers }: Head, told: ErrorBody | null): CommandError {
  const waitMs = waitOf(headers);
  const words = told === null ? null : printable(told.error);
  const message = words ?? `${url} answered ${status}. Try again, and look at the server's log.`;
  const mayPass = waitMs === undefined || waitMs <= MAX_RETRY_AFTER_MS;
  return new CommandError(
    message,
    status === 429 ? EXIT_REFUSED : EXIT_UNREACHABLE,
    mayPass ? { cause: new Passing(waitMs) } : {},
  );
}

/** The wait that an answer asks for, by the clock of who answers; undefined where it asks for none. */
function waitOf(headers: Headers): number | undefined {
  const answered = Date.parse(headers.get('date') ?? '');
  const now = Number.isNaN(answered) ? Date.now() : answered;
  const again = retryAfter(headers.get('retry-after') ?? undefined, now);
  return again === null || again === now ? undefined : again - now;
}
