// Sends a request as the reader has filled it in, and reads whatever comes back, also what is no JSON.
import { parseJson } from '../../../lib/json.ts';
import { api, session } from '../../../lib/services.ts';
import type { HttpRequest } from '../model/code.ts';

export interface Answer {
  status: number;
  statusText: string;
  /** From sending to the last byte. */
  durationMs: number;
  headers: Headers;
  text: string;
  /** Undefined where it is no JSON. */
  json: unknown;
  /** Whether more came than is read. */
  isCut: boolean;
}

/** Whose credentials go with a request. */
export type SentWith = 'session' | 'key' | 'nobody';

const MAX_READ_CHARACTERS = 500_000;
const TIMEOUT_MS = 30_000;

/** The header of the session's credentials; none for a guest. */
function sessionHeaders(): [string, string][] {
  const { accessToken, apiKey } = session;
  if (accessToken !== null) return [['authorization', `Bearer ${accessToken}`]];
  return apiKey === null ? [] : [['x-api-key', apiKey]];
}

/**
 * Sends `request`, whose address is relative. A token that has expired meanwhile is renewed once. Rejects
 * where there is no answer, and when `signal` aborts.
 */
export async function send(request: HttpRequest, isOfSession: boolean, signal: AbortSignal): Promise<Answer> {
  if (!isOfSession) return exchange(request, signal);
  const usedToken = session.accessToken;
  const answer = await exchange(withSession(request), signal);
  if (answer.status !== 401 || session.refreshToken === null) return answer;
  await renew();
  const isRenewed = session.accessToken !== null && session.accessToken !== usedToken;
  return isRenewed ? exchange(withSession(request), signal) : answer;
}

/** Notices also that the session has ended, and says so. */
export async function renew(): Promise<void> {
  await api('GET /auth/profile').catch(() => undefined);
}

function withSession(request: HttpRequest): HttpRequest {
  return { ...request, headers: [...sessionHeaders(), ...request.headers] };
}

async function exchange({ method, url, headers, body }: HttpRequest, signal: AbortSignal): Promise<Answer> {
  const startedAt = performance.now();
  const response = await fetch(url, {
    method,
    headers: [...headers],
    cache: 'no-store',
    credentials: 'omit',
    signal: withTimeout(signal),
    ...(body === null ? {} : { body: 'text' in body ? body.text : JSON.stringify(body.json) }),
  });
  const { text, isCut } = await read(response);
  return {
    status: response.status,
    statusText: response.statusText,
    durationMs: performance.now() - startedAt,
    headers: response.headers,
    text,
    json: parseJson(text),
    isCut,
  };
}

// AbortSignal.any, which Safari has from version 17.4 on.
function withTimeout(signal: AbortSignal): AbortSignal {
  const either = new AbortController();
  for (const each of [signal, AbortSignal.timeout(TIMEOUT_MS)]) {
    if (each.aborted) either.abort(each.reason);
    each.addEventListener('abort', () => either.abort(each.reason), { signal: either.signal });
  }
  return either.signal;
}

async function read(response: Response): Promise<{ text: string; isCut: boolean }> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (reader !== undefined && text.length < MAX_READ_CHARACTERS) {
    const { done, value } = await reader.read();
    if (done) return { text, isCut: false };
    text += value;
  }
  await reader?.cancel();
  return { text: text.slice(0, MAX_READ_CHARACTERS), isCut: reader !== undefined };
}
