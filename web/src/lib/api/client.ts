// The API client: typed by the route records, with a timeout of ten seconds and the session's credentials. A
// 401 is followed by one refresh and one replay; unchanged answers (304) come from a cache.
import type { ErrorBody } from '#core/contract/index.ts';
import { API_BASE } from '#core/contract/protocol.ts';
import { asRecord, parseJson } from '../json.ts';
import type { ServerClock } from '../server-clock.ts';
import type { Session } from '../session/session.ts';
import { ACCOUNT_CHANGED, ApiError } from './api-error.ts';
import type { Answer, Api, CallArguments, CallExtras, CallName } from './calls.ts';
import { createTokenRefresh } from './token-refresh.ts';

export const REQUEST_TIMEOUT_MS = 10_000;
const MAX_CACHED_ANSWERS = 40;

interface Dependencies {
  session: Session;
  clock: ServerClock;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Runs `work` while no other tab does the same. */
  exclusively?: <T>(work: () => Promise<T>) => Promise<T>;
  /** Called for every failed call, but for 401s. */
  log?: (call: string, error: ApiError) => void;
}

type QueryValue = string | number | boolean | undefined;

interface LooseOptions extends CallExtras {
  params?: Record<string, string>;
  query?: Record<string, QueryValue | readonly QueryValue[]>;
  body?: unknown;
}

interface CachedAnswer {
  etag: string;
  credentials: string;
  answer: unknown;
}

export function createApi({ session, clock, fetch, exclusively, log }: Dependencies): Api {
  const cache = new Map<string, CachedAnswer>();
  const refreshTokens = createTokenRefresh({
    session,
    post: (path, body) => exchange('POST', path, { body }, {}),
    exclusively,
  });

  async function call<K extends CallName>(name: K, ...[options]: CallArguments<K>): Promise<Answer<K>> {
    const loose: LooseOptions = options ?? {};
    const [method = 'GET', path = '/'] = name.split(' ');
    try {
      return (await sendWithRefresh(method, address(path, loose), loose)) as Answer<K>;
    } catch (error) {
      if (error instanceof ApiError && error.status !== 401) log?.(name, error);
      throw error;
    }
  }

  async function sendWithRefresh(method: string, url: string, options: LooseOptions): Promise<unknown> {
    if (options.as === 'nobody') return exchange(method, url, options, {});
    if (options.as !== undefined) return exchange(method, url, options, { 'x-api-key': options.as.apiKey });
    const usedToken = session.accessToken;
    const used = credentialsOf(session);
    const wasGuest = session.getState().method === 'none';
    try {
      return await exchange(method, url, options, used);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      if (session.refreshToken === null) {
        // A late answer about former credentials says nothing about the present ones.
        if (JSON.stringify(used) === JSON.stringify(credentialsOf(session)))
          session.require({ background: wasGuest && method === 'GET' });
        throw error;
      }
      await refreshTokens(usedToken);
      return exchange(method, url, options, credentialsOf(session));
    }
  }

  async function exchange(
    method: string,
    url: string,
    options: LooseOptions,
    credentials: Record<string, string>,
  ): Promise<unknown> {
    // Asked right before each sending, since another tab may have signed someone else in.
    if (options.onlyWhile?.() === false) throw new ApiError('', ACCOUNT_CHANGED, 0);
    const known = method === 'GET' ? cache.get(url) : undefined;
    const credentialsText = JSON.stringify(credentials);
    const etag = known !== undefined && known.credentials === credentialsText ? known.etag : undefined;
    const { response, text } = await withTimeout(options, async (signal) => {
      const answered = await fetch(API_BASE + url, {
        method,
        signal,
        cache: 'no-store',
        credentials: 'omit',
        headers: {
          accept: 'application/json',
          ...credentials,
          ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(etag === undefined ? {} : { 'if-none-match': etag }),
          ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
        },
        ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      });
      return { response: answered, text: answered.status === 304 ? '' : await answered.text() };
    });
    clock.setFromDateHeader(response.headers.get('date'));
    if (response.status === 304 && known !== undefined) return known.answer;
    const body = parseJson(text);
    if (!response.ok) throw errorOf(response, body);
    if (body === undefined || body === null) throw new ApiError('', 'INVALID_ANSWER', response.status);
    if (isErrorBody(body)) throw errorOf(response, body);
    const newEtag = response.headers.get('etag');
    if (method === 'GET' && newEtag !== null) {
      cache.delete(url);
      cache.set(url, { etag: newEtag, credentials: credentialsText, answer: body });
      const oldest = cache.keys().next().value;
      if (cache.size > MAX_CACHED_ANSWERS && oldest !== undefined) cache.delete(oldest);
    }
    return body;
  }

  return call;
}

function credentialsOf(session: Session): Record<string, string> {
  const { accessToken, apiKey } = session;
  if (accessToken !== null) return { authorization: `Bearer ${accessToken}` };
  return apiKey === null ? {} : { 'x-api-key': apiKey };
}

function address(path: string, { params = {}, query = {} }: LooseOptions): string {
  const filled = path.replace(/:([a-z]+)/gi, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const each of [value].flat()) if (each !== undefined) search.append(name, String(each));
  return search.size === 0 ? filled : `${filled}?${search}`;
}

async function withTimeout<T>(
  { signal: outer, timeoutMs = REQUEST_TIMEOUT_MS }: CallExtras,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, timeoutMs);
  const abort = () => controller.abort();
  if (outer?.aborted) abort();
  outer?.addEventListener('abort', abort);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (timedOut) throw new ApiError('', 'TIMEOUT', 0);
    if (outer?.aborted) throw error;
    throw new ApiError('', 'NETWORK_ERROR', 0);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', abort);
  }
}

function isErrorBody(body: unknown): body is Partial<ErrorBody> {
  return asRecord(body)['success'] === false;
}

function errorOf({ status, headers }: Response, body: unknown): ApiError {
  const { error, code, details } = isErrorBody(body) ? body : {};
  const retryAfter = headers.get('retry-after');
  return new ApiError(
    typeof error === 'string' ? error : '',
    typeof code === 'string' ? code : `HTTP_${status}`,
    status,
    Array.isArray(details) ? details : [],
    // In seconds: our server sends no dates.
    retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1000 : null,
  );
}
