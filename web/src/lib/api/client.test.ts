import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import { aTask, aUser } from '../../../test/tasks.ts';
import { createLocalStore } from '../local-store.ts';
import { ServerClock } from '../server-clock.ts';
import { Session } from '../session/session.ts';
import { ApiError } from './api-error.ts';
import type { Api } from './calls.ts';
import { createApi, REQUEST_TIMEOUT_MS } from './client.ts';

let server: FakeServer;
let session: Session;
let api: Api;
let events: string[];
const EXPIRED = refusal(401, 'TOKEN_EXPIRED', 'The access token has expired.');

beforeEach(() => {
  server = new FakeServer();
  const target = new EventTarget();
  session = new Session(createLocalStore(null), target);
  events = [];
  for (const name of ['auth:expired', 'auth:required'])
    target.addEventListener(name, () => void events.push(name));
  api = createApi({ session, clock: new ServerClock(), fetch: server.fetch });
  session.storeTokens({ accessToken: 'old', refreshToken: 'refresh-1' }, aUser);
});

/** Refuses the access token "old" and takes every other. */
function expireOldToken() {
  server.replies.set('GET /tasks/stats/summary', ({ headers }) =>
    headers.get('authorization') === 'Bearer old'
      ? EXPIRED
      : { status: 200, body: { success: true, statistics: {} } },
  );
  server.replies.set('POST /auth/refresh', () => ({
    status: 200,
    body: { success: true, tokens: { accessToken: 'new', refreshToken: 'refresh-2' } },
  }));
}

describe('credentials', () => {
  test('are the bearer token where there is one, else the stored key, and never both', async () => {
    await api('GET /tasks');
    session.storeApiKey('qi_abc', aUser);
    expect(session.accessToken).toBeNull();
    expect(session.refreshToken).toBeNull();
    await api('GET /tasks');
    session.storeTokens({ accessToken: 'a', refreshToken: 'r' });
    expect(session.apiKey).toBeNull();
    expect(
      server.calls.map(({ headers }) => [headers.get('authorization'), headers.get('x-api-key')]),
    ).toEqual([
      ['Bearer old', null],
      [null, 'qi_abc'],
    ]);
  });
});

describe('a 401', () => {
  test('is answered by one refresh and one replay, with the new tokens stored', async () => {
    expireOldToken();
    await expect(api('GET /tasks/stats/summary')).resolves.toMatchObject({ success: true });
    expect(server.called('POST /auth/refresh').map(({ body }) => body)).toEqual([
      { refreshToken: 'refresh-1' },
    ]);
    expect(server.called('GET /tasks/stats/summary')).toHaveLength(2);
    expect([session.accessToken, session.refreshToken]).toEqual(['new', 'refresh-2']);
    expect(events).toEqual([]);
  });

  test('of ten requests at once leads to a single refresh', async () => {
    expireOldToken();
    await Promise.all(Array.from({ length: 10 }, () => api('GET /tasks/stats/summary')));
    expect(server.called('POST /auth/refresh')).toHaveLength(1);
  });

  test('after the replay is an error and no second refresh', async () => {
    expireOldToken();
    server.replies.set('GET /tasks/stats/summary', () => EXPIRED);
    await expect(api('GET /tasks/stats/summary')).rejects.toMatchObject({
      status: 401,
      code: 'TOKEN_EXPIRED',
    });
    expect(server.called('POST /auth/refresh')).toHaveLength(1);
  });

  test('with a refused refresh clears tokens, user and key and raises auth:expired', async () => {
    expireOldToken();
    server.replies.set('POST /auth/refresh', () => refusal(401, 'UNAUTHORIZED', 'Sign in again.'));
    await expect(api('GET /tasks/stats/summary')).rejects.toThrow('Sign in again.');
    expect(session.getState()).toEqual({ method: 'none', user: null, loading: false });
    expect([session.accessToken, session.refreshToken, session.apiKey]).toEqual([null, null, null]);
    expect(events).toEqual(['auth:expired']);
  });

  test('that comes when the session has already ended, or another has begun, raises nothing', async () => {
    const late = Promise.withResolvers<void>();
    server.replies.set('GET /tasks/stats/summary', async () => {
      await late.promise;
      return EXPIRED;
    });
    const failures = [api('GET /tasks/stats/summary')];
    session.clear();
    session.storeApiKey('qi_first', aUser);
    failures.push(api('GET /tasks/stats/summary'));
    session.storeApiKey('qi_second', aUser);
    late.resolve();
    for (const failure of failures) await expect(failure).rejects.toMatchObject({ status: 401 });
    expect(session.apiKey).toBe('qi_second');
    expect(events).toEqual([]);
  });

  test('while the server cannot be asked for new tokens keeps the session', async () => {
    expireOldToken();
    server.replies.set('POST /auth/refresh', () => Promise.reject(new TypeError('network')));
    await expect(api('GET /tasks/stats/summary')).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    expect(session.getState().method).toBe('jwt');
    expect(events).toEqual([]);
  });

  test('without a refresh token clears key and user and raises auth:required', async () => {
    session.storeApiKey('qi_revoked', aUser);
    server.guest = true;
    await expect(api('GET /tasks')).rejects.toMatchObject({ status: 401 });
    expect(session.getState()).toEqual({ method: 'none', user: null, loading: false });
    expect(session.apiKey).toBeNull();
    expect(events).toEqual(['auth:required']);
  });
});

describe('an error', () => {
  test('that is no 401 is logged by the name of the call, and thrown again', async () => {
    const log = vi.fn<(call: string, error: ApiError) => void>();
    const logged = createApi({ session, clock: new ServerClock(), fetch: server.fetch, log });
    server.replies.set('GET /tasks/task_1', () => refusal(500, 'INTERNAL_ERROR', 'No.'));
    await expect(logged('GET /tasks/:id', { params: { id: 'task_1' } })).rejects.toThrow('No.');
    expect(log.mock.calls).toEqual([['GET /tasks/:id', expect.objectContaining({ status: 500 })]]);
    session.clear();
    server.replies.set('GET /tasks/task_1', () => EXPIRED);
    await expect(logged('GET /tasks/:id', { params: { id: 'task_1' } })).rejects.toThrow();
    expect(log).toHaveBeenCalledTimes(1);
  });

  test('carries the message, code, status and details of the server', async () => {
    server.replies.set('POST /tasks', () => ({
      status: 400,
      body: {
        success: false,
        error: 'content: must not be blank',
        code: 'VALIDATION_ERROR',
        requestId: 'r',
        details: [{ field: 'content', message: 'must not be blank' }],
      },
    }));
    const error: unknown = await api('POST /tasks', { body: { content: ' ' } }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      message: 'content: must not be blank',
      code: 'VALIDATION_ERROR',
      status: 400,
      details: [{ field: 'content', message: 'must not be blank' }],
    });
  });

  test('comes after ten seconds without an answer, and the request is aborted', async () => {
    vi.useFakeTimers();
    let signal: AbortSignal | null | undefined;
    const silent = createApi({
      session,
      clock: new ServerClock(),
      fetch: (_, init) =>
        new Promise((_resolve, reject) => {
          signal = init?.signal;
          signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
        }),
    });
    const failure = silent('GET /health').catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(REQUEST_TIMEOUT_MS - 1);
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await expect(failure).resolves.toMatchObject({ code: 'TIMEOUT', status: 0 });
    vi.useRealTimers();
  });
});

describe('an unchanged list', () => {
  test('is asked for by its ETag, and a 304 gives the data that is held', async () => {
    const tasks = [aTask()];
    const page = { success: true, tasks, pagination: {}, statistics: {} };
    server.replies.set('GET /tasks', ({ headers }) =>
      headers.get('if-none-match') === '"7"'
        ? { status: 304 }
        : { status: 200, body: page, headers: { etag: '"7"' } },
    );
    const first = await api('GET /tasks', { query: { limit: 50 } });
    await expect(api('GET /tasks', { query: { limit: 50 } })).resolves.toBe(first);
    session.storeApiKey('qi_other', aUser);
    await api('GET /tasks', { query: { limit: 50 } });
    expect(server.calls.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, '"7"', null]);
  });
});

describe('a call', () => {
  test('puts parameters into the path, escaped, and leaves undefined query fields out', async () => {
    await api('PATCH /tasks/:id/pin', { params: { id: 'a/b c' }, body: { pinned: true } }).catch(
      () => undefined,
    );
    await api('GET /tasks', { query: { limit: 5, priority: undefined as never } });
    expect(server.calls[0]?.path).toBe('/tasks/a%2Fb%20c/pin');
    expect(server.calls[1]?.query.toString()).toBe('limit=5');
  });

  test('sends each value of a list', async () => {
    await api('GET /tasks', { query: { tag: ['ops', 'a b'], order: 'expiry' } });
    expect(server.calls[0]?.query.toString()).toBe('tag=ops&tag=a+b&order=expiry');
  });
});

describe('what an outbox needs', () => {
  const task = (): Promise<unknown> =>
    api('POST /tasks', { body: { content: 'x' }, idempotencyKey: 'k1', onlyWhile: () => mine });
  let mine = true;
  beforeEach(() => {
    mine = true;
  });

  test('is a key that makes a call happen once, and the time after which a server wants to be asked again', async () => {
    server.replies.set('POST /tasks', () => ({
      ...refusal(503, 'SERVICE_UNAVAILABLE', 'Busy.'),
      headers: { 'retry-after': '7' },
    }));
    await expect(task()).rejects.toMatchObject({ status: 503, retryAfterMs: 7000 });
    server.replies.set('POST /tasks', () => ({
      ...refusal(503, 'SERVICE_UNAVAILABLE', 'Busy.'),
      headers: { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' },
    }));
    await expect(task()).rejects.toMatchObject({ status: 503, retryAfterMs: null });
    expect(server.called('POST /tasks').map(({ headers }) => headers.get('idempotency-key'))).toEqual([
      'k1',
      'k1',
    ]);
  });

  test('is that nothing goes with the credentials of someone else, not even after a refresh', async () => {
    mine = false;
    await expect(task()).rejects.toMatchObject({ code: 'ACCOUNT_CHANGED' });
    expect(server.calls).toEqual([]);
    mine = true;
    server.replies.set('POST /tasks', () => EXPIRED);
    server.replies.set('POST /auth/refresh', () => {
      mine = false;
      return {
        status: 200,
        body: { success: true, tokens: { accessToken: 'new', refreshToken: 'refresh-2' } },
      };
    });
    await expect(task()).rejects.toMatchObject({ code: 'ACCOUNT_CHANGED' });
    expect(server.called('POST /tasks')).toHaveLength(1);
    expect(events).toEqual([]);
  });
});
