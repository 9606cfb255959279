// What the /tasks calls promise: the specification's answers, and for bad input a clear refusal that changes
// nothing.
import { describe, expect, it } from 'vitest';
import { MAX_BATCH_ANSWER_BYTES, MAX_TASKS_BYTES } from '#core/contract/index.ts';
import { createTestApp, NOON, type CallOptions, type TestApp } from '#test/helpers/app.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const iso = (ms: number) => new Date(ms).toISOString();

async function withKey(env: Record<string, string> = {}): Promise<TestApp & { key1: string }> {
  const app = await createTestApp(env);
  return { ...app, key1: await app.key() };
}

describe('creating a task', () => {
  it('answers 201 with the whole task, its defaults filled in', async () => {
    const { call, key1 } = await withKey();
    const { status, body } = await call('POST', '/tasks', {
      key: key1,
      body: { content: '  backup failed \n' },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      success: true,
      task: {
        id: expect.stringMatching(/^task_[0-9A-Za-z]{22}$/),
        content: 'backup failed',
        priority: 'normal',
        source: 'api',
        createdAt: iso(NOON),
        updatedAt: iso(NOON),
        expiresAt: iso(NOON + DAY),
        pinned: false,
        metadata: {},
        tags: [],
        version: 1,
        occurrences: 1,
        lastOccurredAt: iso(NOON),
      },
    });
  });

  it('keeps everything that was said, and drops empty and repeated tags', async () => {
    const { call, key1 } = await withKey();
    const said = {
      content: 'Rotate 🔑 — "now"',
      priority: 'high',
      source: 'integration',
      expiryMinutes: 1,
      metadata: { a: [1, { b: null }], '✓': 'ü' },
      tags: [' ops ', '', 'ops', 'db'],
    };
    const { body } = await call('POST', '/tasks', { key: key1, body: said });
    const { expiryMinutes: _, ...kept } = said;
    expect(body['task']).toMatchObject({ ...kept, tags: ['ops', 'db'], expiresAt: iso(NOON + 60_000) });
    const { body: read } = await call('GET', `/tasks/${(body['task'] as { id: string }).id}`, { key: key1 });
    expect(read['task']).toEqual(body['task']);
  });

  it.each([
    ['text/plain', 'backup failed: 100% of /var\n', 'backup failed: 100% of /var'],
    ["curl's default type", 'a=b & c', 'a=b & c'],
  ])(
    'takes a body of %s as the content itself, with headers for the rest',
    async (type, payload, content) => {
      const { call, key1 } = await withKey();
      const { status, body } = await call('POST', '/tasks', {
        key: key1,
        body: payload,
        headers: {
          'content-type':
            type === 'text/plain' ? 'text/plain; charset=utf-8' : 'application/x-www-form-urlencoded',
          'x-priority': 'High',
          'x-tags': 'nas, backup,,nas',
          'x-expiry-minutes': '60',
        },
      });
      expect(status).toBe(201);
      expect(body['task']).toMatchObject({
        content,
        priority: 'high',
        tags: ['nas', 'backup'],
        expiresAt: iso(NOON + HOUR),
      });
    },
  );

  it('takes a form with a content field as fields', async () => {
    const { call, key1 } = await withKey();
    const { body } = await call('POST', '/tasks', {
      key: key1,
      body: 'content=disk+full+%26+hot&priority=low&tags=a,b&expiryMinutes=5',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(body['task']).toMatchObject({
      content: 'disk full & hot',
      priority: 'low',
      tags: ['a', 'b'],
      expiresAt: iso(NOON + 5 * 60_000),
    });
  });

  it('repeats a live task with the same dedupe key instead of making another', async () => {
    const { call, clock, key1 } = await withKey();
    const first = await call('POST', '/tasks', {
      key: key1,
      body: { content: 'CPU hot', dedupeKey: 'cpu', priority: 'low' },
    });
    clock.advance(HOUR);
    const second = await call('POST', '/tasks', {
      key: key1,
      body: { content: 'CPU hot', dedupeKey: 'cpu', priority: 'high' },
    });
    expect(second.status).toBe(201);
    expect(second.body['task']).toMatchObject({
      id: (first.body['task'] as { id: string }).id,
      occurrences: 2,
      priority: 'high',
      version: 2,
      lastOccurredAt: iso(NOON + HOUR),
      expiresAt: iso(NOON + HOUR + DAY),
    });
    expect((await call('GET', '/tasks', { key: key1 })).body['statistics']).toMatchObject({ total: 1 });
  });

  it('answers 202 and the id when asked to respond asynchronously, and the task is there', async () => {
    const { call, key1 } = await withKey();
    const { status, headers, body } = await call('POST', '/tasks', {
      key: key1,
      body: { content: 'later' },
      headers: { prefer: 'respond-async, wait=5' },
    });
    expect(status).toBe(202);
    expect(headers['preference-applied']).toBe('respond-async');
    expect((await call('GET', `/tasks/${body['id'] as string}`, { key: key1 })).status).toBe(200);
  });
});

describe('bad input', () => {
  const good = { content: 'x' };
  const json = (text: string | Buffer): CallOptions => ({
    body: text,
    headers: { 'content-type': 'application/json' },
  });
  const cases: [
    what: string,
    method: 'POST' | 'GET' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    options: CallOptions,
    status: number,
    code: string,
    field: string | null,
  ][] = [
    ['no body', 'POST', '/tasks', {}, 400, 'VALIDATION_ERROR', 'content'],
    ['an empty JSON body', 'POST', '/tasks', json(''), 400, 'VALIDATION_ERROR', 'content'],
    ['broken JSON', 'POST', '/tasks', json('{"content":'), 400, 'VALIDATION_ERROR', ''],
    ['a JSON text instead of an object', 'POST', '/tasks', json('5'), 400, 'VALIDATION_ERROR', ''],
    [
      'a wrong content type',
      'POST',
      '/tasks',
      { body: '<a/>', headers: { 'content-type': 'application/xml' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      null,
    ],
    [
      'text where JSON is wanted',
      'POST',
      '/tasks/batch',
      { body: 'x', headers: { 'content-type': 'text/plain' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      null,
    ],
    [
      '10,001 characters',
      'POST',
      '/tasks',
      { body: { content: 'x'.repeat(10_001) } },
      400,
      'VALIDATION_ERROR',
      'content',
    ],
    [
      '10,001 emoji',
      'POST',
      '/tasks',
      { body: { content: '😀'.repeat(10_001) } },
      400,
      'VALIDATION_ERROR',
      'content',
    ],
    ['blank content', 'POST', '/tasks', { body: { content: ' \n\t ' } }, 400, 'VALIDATION_ERROR', 'content'],
    [
      'blank text',
      'POST',
      '/tasks',
      { body: '  ', headers: { 'content-type': 'text/plain' } },
      400,
      'VALIDATION_ERROR',
      'content',
    ],
    [
      'content that is no text',
      'POST',
      '/tasks',
      { body: { content: 5 } },
      400,
      'VALIDATION_ERROR',
      'content',
    ],
    [
      'an unknown priority',
      'POST',
      '/tasks',
      { body: { ...good, priority: 'urgent' } },
      400,
      'VALIDATION_ERROR',
      'priority',
    ],
    [
      'a source with markup',
      'POST',
      '/tasks',
      { body: { ...good, source: '<b>' } },
      400,
      'VALIDATION_ERROR',
      'source',
    ],
    [
      'expiryMinutes 0',
      'POST',
      '/tasks',
      { body: { ...good, expiryMinutes: 0 } },
      400,
      'VALIDATION_ERROR',
      'expiryMinutes',
    ],
    [
      'expiryMinutes 10081',
      'POST',
      '/tasks',
      { body: { ...good, expiryMinutes: 10_081 } },
      400,
      'VALIDATION_ERROR',
      'expiryMinutes',
    ],
    [
      'expiryMinutes 1.5',
      'POST',
      '/tasks',
      { body: { ...good, expiryMinutes: 1.5 } },
      400,
      'VALIDATION_ERROR',
      'expiryMinutes',
    ],
    [
      'expiryMinutes "60"',
      'POST',
      '/tasks',
      { body: { ...good, expiryMinutes: '60' } },
      400,
      'VALIDATION_ERROR',
      'expiryMinutes',
    ],
    [
      'a text header expiry of "soon"',
      'POST',
      '/tasks',
      { body: 'x', headers: { 'content-type': 'text/plain', 'x-expiry-minutes': 'soon' } },
      400,
      'VALIDATION_ERROR',
      'expiryMinutes',
    ],
    [
      '21 tags',
      'POST',
      '/tasks',
      { body: { ...good, tags: Array.from({ length: 21 }, (_, i) => `t${i}`) } },
      400,
      'VALIDATION_ERROR',
      'tags',
    ],
    [
      'a tag of 51 characters',
      'POST',
      '/tasks',
      { body: { ...good, tags: ['ok', 't'.repeat(51)] } },
      400,
      'VALIDATION_ERROR',
      'tags/1',
    ],
    ['tags as text', 'POST', '/tasks', { body: { ...good, tags: 'a,b' } }, 400, 'VALIDATION_ERROR', 'tags'],
    [
      'metadata as a list',
      'POST',
      '/tasks',
      { body: { ...good, metadata: [] } },
      400,
      'VALIDATION_ERROR',
      'metadata',
    ],
    [
      'metadata null',
      'POST',
      '/tasks',
      { body: { ...good, metadata: null } },
      400,
      'VALIDATION_ERROR',
      'metadata',
    ],
    [
      'metadata of 17 KiB',
      'POST',
      '/tasks',
      { body: { ...good, metadata: { a: 'x'.repeat(17 * 1024) } } },
      400,
      'VALIDATION_ERROR',
      'metadata',
    ],
    [
      'metadata with __proto__',
      'POST',
      '/tasks',
      json('{"content":"x","metadata":{"__proto__":{"admin":true}}}'),
      400,
      'VALIDATION_ERROR',
      'metadata',
    ],
    [
      'metadata with an escaped __proto__',
      'POST',
      '/tasks',
      json('{"content":"x","metadata":{"\\u005f_proto__":{"admin":true}}}'),
      400,
      'VALIDATION_ERROR',
      'metadata',
    ],
    ['a lone surrogate', 'POST', '/tasks', json('{"content":"\\ud800"}'), 400, 'VALIDATION_ERROR', 'content'],
    [
      'an empty dedupe key',
      'POST',
      '/tasks',
      { body: { ...good, dedupeKey: '' } },
      400,
      'VALIDATION_ERROR',
      'dedupeKey',
    ],
    [
      'invalid UTF-8',
      'POST',
      '/tasks',
      json(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])),
      400,
      'VALIDATION_ERROR',
      '',
    ],
    [
      'a body of 300 KiB',
      'POST',
      '/tasks',
      { body: { content: 'x'.repeat(300 * 1024) } },
      413,
      'PAYLOAD_TOO_LARGE',
      null,
    ],
    ['a batch of none', 'POST', '/tasks/batch', { body: { tasks: [] } }, 400, 'VALIDATION_ERROR', 'tasks'],
    [
      'a batch of 501',
      'POST',
      '/tasks/batch',
      { body: { tasks: Array.from({ length: 501 }, () => good) } },
      400,
      'VALIDATION_ERROR',
      'tasks',
    ],
    [
      'a batch with one bad item',
      'POST',
      '/tasks/batch',
      { body: { tasks: [good, good, { content: ' ' }] } },
      400,
      'VALIDATION_ERROR',
      'tasks/2/content',
    ],
    [
      'a batch with an item of the wrong form',
      'POST',
      '/tasks/batch',
      { body: { tasks: [good, { content: 1 }] } },
      400,
      'VALIDATION_ERROR',
      'tasks/1/content',
    ],
    [
      'an Idempotency-Key of 256 characters',
      'POST',
      '/tasks',
      { body: good, headers: { 'idempotency-key': 'k'.repeat(256) } },
      400,
      'VALIDATION_ERROR',
      'idempotency-key',
    ],
    [
      'an empty Idempotency-Key',
      'POST',
      '/tasks',
      { body: good, headers: { 'idempotency-key': '""' } },
      400,
      'VALIDATION_ERROR',
      'idempotency-key',
    ],
    ['a negative limit', 'GET', '/tasks?limit=-1', {}, 400, 'VALIDATION_ERROR', 'limit'],
    ['limit 0', 'GET', '/tasks?limit=0', {}, 400, 'VALIDATION_ERROR', 'limit'],
    ['limit 1001', 'GET', '/tasks?limit=1001', {}, 400, 'VALIDATION_ERROR', 'limit'],
    ['limit 1.5', 'GET', '/tasks?limit=1.5', {}, 400, 'VALIDATION_ERROR', 'limit'],
    ['a negative offset', 'GET', '/tasks?offset=-1', {}, 400, 'VALIDATION_ERROR', 'offset'],
    ['an unknown priority to list', 'GET', '/tasks?priority=urgent', {}, 400, 'VALIDATION_ERROR', 'priority'],
    [
      'include_pinned=maybe',
      'GET',
      '/tasks?include_pinned=maybe',
      {},
      400,
      'VALIDATION_ERROR',
      'include_pinned',
    ],
    ['an unknown id', 'GET', '/tasks/task_nope', {}, 404, 'NOT_FOUND', null],
    ['an id of 10,000 characters', 'GET', `/tasks/${'x'.repeat(10_000)}`, {}, 400, 'VALIDATION_ERROR', 'id'],
    ['an id that is no valid escape', 'GET', '/tasks/%zz', {}, 400, 'VALIDATION_ERROR', null],
    ['an edit of nothing', 'PUT', '/tasks/task_nope', { body: {} }, 400, 'VALIDATION_ERROR', ''],
    [
      'pinned as text',
      'PATCH',
      '/tasks/task_nope/pin',
      { body: { pinned: 'yes' } },
      400,
      'VALIDATION_ERROR',
      'pinned',
    ],
    [
      'extend by 0',
      'POST',
      '/tasks/task_nope/extend',
      { body: { minutes: 0 } },
      400,
      'VALIDATION_ERROR',
      'minutes',
    ],
    [
      'no ids to acknowledge',
      'POST',
      '/tasks/acknowledge',
      { body: { ids: [] } },
      400,
      'VALIDATION_ERROR',
      'ids',
    ],
    ['an unknown route', 'GET', '/nothing/here', {}, 404, 'NOT_FOUND', null],
    ['a wrong method', 'DELETE', '/tasks', {}, 405, 'METHOD_NOT_ALLOWED', null],
  ];

  it.each(cases)(
    '%s is refused, and nothing is stored',
    async (_what, method, path, options, status, code, field) => {
      const { call, key1 } = await withKey();
      const refused = await call(method, path, { key: key1, ...options });
      expect([refused.status, refused.body['code']]).toEqual([status, code]);
      expect(refused.body).toMatchObject({
        success: false,
        error: expect.stringMatching(/\w/),
        requestId: refused.headers['x-request-id'] ?? expect.any(String),
      });
      if (field !== null)
        expect((refused.body['details'] as { field: string }[]).map((detail) => detail.field)).toContain(
          field,
        );
      expect(refused.text).not.toMatch(/ at .*\.ts|node_modules|FST_ERR/);
      expect((await call('GET', '/tasks', { key: key1 })).body['statistics']).toMatchObject({ total: 0 });
    },
  );

  it('a task of another owner is 404 for every call', async () => {
    const { call, key, key1 } = await withKey();
    const { body } = await call('POST', '/tasks', { key: key1, body: good });
    const { id } = body['task'] as { id: string };
    const other = await key('other@example.com');
    const attempts = await Promise.all([
      call('GET', `/tasks/${id}`, { key: other }),
      call('PUT', `/tasks/${id}`, { key: other, body: { content: 'mine' } }),
      call('DELETE', `/tasks/${id}`, { key: other }),
      call('PATCH', `/tasks/${id}/pin`, { key: other, body: { pinned: true } }),
      call('POST', `/tasks/${id}/extend`, { key: other, body: { minutes: 5 } }),
      call('POST', `/tasks/${id}/restore`, { key: other }),
    ]);
    expect(attempts.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
    expect((await call('GET', `/tasks/${id}`, { key: key1 })).body['task']).toEqual(body['task']);
  });
});

describe('a batch', () => {
  it('makes every task in its order, and a retry with the same key makes none twice', async () => {
    const { call, key1 } = await withKey();
    const tasks = Array.from({ length: 500 }, (_, index) => ({ content: `task ${index}` }));
    const request = { key: key1, body: { tasks }, headers: { 'idempotency-key': '"nightly"' } };
    const first = await call('POST', '/tasks/batch', request);
    expect(first.status).toBe(201);
    expect((first.body['tasks'] as { content: string }[]).map(({ content }) => content)).toEqual(
      tasks.map(({ content }) => content),
    );
    const again = await call('POST', '/tasks/batch', request);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
    const list = await call('GET', '/tasks?limit=1000', { key: key1 });
    expect((list.body['tasks'] as { content: string }[]).map(({ content }) => content)).toEqual(
      tasks.map(({ content }) => content).toReversed(),
    );
  });
});

describe('an Idempotency-Key', () => {
  it('answers the first answer again, quoted or bare, even after the task was edited', async () => {
    const { call, key1 } = await withKey();
    const send = (idempotencyKey: string) =>
      call('POST', '/tasks', {
        key: key1,
        body: { content: 'once' },
        headers: { 'idempotency-key': idempotencyKey },
      });
    const first = await send('abc');
    await call('PUT', `/tasks/${(first.body['task'] as { id: string }).id}`, {
      key: key1,
      body: { content: 'changed' },
    });
    const second = await send('"abc"');
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect([second.status, second.headers['idempotency-replayed'], second.body]).toEqual([
      201,
      'true',
      first.body,
    ]);
  });

  it('with another body is 422, for another caller a key of its own, and after 24 hours forgotten', async () => {
    const { call, clock, key, key1 } = await withKey();
    const send = (apiKey: string, content: string) =>
      call('POST', '/tasks', { key: apiKey, body: { content }, headers: { 'idempotency-key': 'k' } });
    await send(key1, 'one');
    const other = await send(key1, 'two');
    expect([other.status, other.body['code']]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect((await send(await key(), 'two')).status).toBe(201);
    clock.advance(DAY);
    const later = await send(key1, 'two');
    expect([later.status, later.headers['idempotency-replayed']]).toEqual([201, undefined]);
  });

  it('of a request that is still under way is 409', async () => {
    const { call, key1 } = await withKey();
    const send = () =>
      call('POST', '/tasks', { key: key1, body: { content: 'race' }, headers: { 'idempotency-key': 'r' } });
    const answers = await Promise.all([send(), send(), send()]);
    const codes = answers.map(({ status }) => status).toSorted();
    expect(codes).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body['code']).toBe('IDEMPOTENCY_IN_PROGRESS');
    expect((await send()).headers['idempotency-replayed']).toBe('true');
  });

  it('of a refused request is not used up', async () => {
    const { call, key1 } = await withKey();
    const headers = { 'idempotency-key': 'v' };
    expect((await call('POST', '/tasks', { key: key1, body: { content: '' }, headers })).status).toBe(400);
    expect((await call('POST', '/tasks', { key: key1, body: { content: 'ok' }, headers })).status).toBe(201);
  });
});

describe('a list', () => {
  it('has pinned ones first, then newest, with the specified pagination and statistics of the whole queue', async () => {
    const { call, clock, key1 } = await withKey();
    const make = async (content: string, priority: string) => {
      clock.advance(1000);
      return (await call('POST', '/tasks', { key: key1, body: { content, priority, tags: [content] } })).body[
        'task'
      ] as { id: string };
    };
    const a = await make('a', 'high');
    await make('b', 'normal');
    await make('c', 'low');
    await make('d', 'high');
    await call('PATCH', `/tasks/${a.id}/pin`, { key: key1, body: { pinned: true } });
    const contents = async (query: string) => {
      const { body } = await call('GET', `/tasks${query}`, { key: key1 });
      return [
        (body['tasks'] as { content: string }[]).map(({ content }) => content).join(''),
        (body['pagination'] as { total: number }).total,
      ];
    };
    const statistics = { total: 4, high: 2, normal: 1, low: 1, pinned: 1 };
    expect((await call('GET', '/tasks?limit=2&offset=1', { key: key1 })).body).toMatchObject({
      pagination: { limit: 2, offset: 1, total: 4, returned: 2 },
      statistics,
    });
    expect((await call('GET', '/tasks/stats/summary', { key: key1 })).body).toEqual({
      success: true,
      statistics,
    });
    expect((await call('GET', '/tasks', { key: key1 })).body['pagination']).toMatchObject({
      limit: 100,
      offset: 0,
    });
    expect(await contents('')).toEqual(['adcb', 4]);
    expect(await contents('?priority=high')).toEqual(['ad', 2]);
    expect(await contents('?include_pinned=false')).toEqual(['dcb', 3]);
    expect(await contents('?pinned=true')).toEqual(['a', 1]);
    expect(await contents('?tag=b')).toEqual(['b', 1]);
    expect(await contents('?q=C')).toEqual(['c', 1]);
    expect(await contents('?source=web')).toEqual(['', 0]);
  });

  it('answers 304 while nothing has changed, and not at the moment a task expires', async () => {
    const { call, clock, key1 } = await withKey();
    await call('POST', '/tasks', { key: key1, body: { content: 'short', expiryMinutes: 1 } });
    const first = await call('GET', '/tasks', { key: key1 });
    const etag = String(first.headers['etag']);
    const ask = () => call('GET', '/tasks', { key: key1, headers: { 'if-none-match': etag } });
    clock.advance(59_999);
    const unchanged = await ask();
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    expect(
      (await call('GET', '/tasks?priority=high', { key: key1, headers: { 'if-none-match': etag } })).status,
    ).toBe(200);
    clock.advance(1);
    const changed = await ask();
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ tasks: [], statistics: { total: 0 } });
  });
});

describe('the tasks of one answer', () => {
  // Each takes a hundredth of what an answer holds, or six times that as JSON, when its characters have to be
  // escaped.
  const large = (character = 'x') => ({ content: `.${character.repeat(9998)}.` });

  async function withTasks(tasks: unknown[]) {
    const { call, key1 } = await withKey({ RATE_LIMIT_PER_MINUTE: '1000' });
    const ids: string[] = [];
    for (let from = 0; from < tasks.length; from += 15) {
      const body = { tasks: tasks.slice(from, from + 15) };
      ids.push(...((await call('POST', '/tasks/batch', { key: key1, body })).body['ids'] as string[]));
    }
    return { call, key: key1, ids };
  }

  it('are as many as 1 MiB holds as JSON, and a client goes on after those that were returned', async () => {
    const { call, key, ids } = await withTasks(Array.from({ length: 60 }, () => large('\u0001')));
    const found: string[] = [];
    let answers = 0;
    for (; found.length < ids.length; answers++) {
      const { body, text } = await call('GET', `/tasks?limit=1000&offset=${found.length}`, { key });
      const tasks = body['tasks'] as { id: string }[];
      expect(body['pagination']).toMatchObject({ limit: 1000, total: ids.length, returned: tasks.length });
      expect(tasks.length).toBeGreaterThan(0);
      expect(text.length).toBeLessThan(MAX_TASKS_BYTES + 1000);
      found.push(...tasks.map(({ id }) => id));
    }
    expect(found).toEqual(ids.toReversed());
    expect(answers).toBe(4);
  });

  it('still go with an ETag that stays as long as the queue does', async () => {
    const { call, key } = await withTasks(Array.from({ length: 60 }, () => large('\u0001')));
    const first = await call('GET', '/tasks?limit=1000', { key });
    const headers = { 'if-none-match': String(first.headers['etag']) };
    expect((await call('GET', '/tasks?limit=1000', { key, headers })).status).toBe(304);
    await call('POST', '/tasks', { key, body: { content: 'new' } });
    expect((await call('GET', '/tasks?limit=1000', { key, headers })).status).toBe(200);
  });

  it('that were acknowledged or restored are the first that fit; a restore names all', async () => {
    const { call, key, ids } = await withTasks(Array.from({ length: 150 }, () => large()));
    await call('POST', '/tasks/acknowledge', { key, body: { ids } });
    const recent = await call('GET', '/tasks/acknowledged', { key });
    const shown = (recent.body['tasks'] as { task: { id: string } }[]).map(({ task }) => task.id);
    expect(shown).toEqual(ids.toReversed().slice(0, shown.length));
    expect(shown.length).toBeGreaterThan(90);
    expect(recent.text.length).toBeLessThan(MAX_TASKS_BYTES + 1000);
    const back = await call('POST', '/tasks/restore', { key, body: { ids } });
    expect(back.body['restored']).toEqual(ids);
    const tasks = (back.body['tasks'] as { id: string }[]).map(({ id }) => id);
    expect(tasks).toEqual(ids.slice(0, tasks.length));
    expect(tasks.length).toBeGreaterThan(90);
    expect(back.text.length).toBeLessThan(MAX_TASKS_BYTES + 20_000);
  });

  it('of a batch are all, and 2 MiB of them when its items repeat large ones; its ids are those of all items', async () => {
    const { call, key, ids } = await withTasks([
      { ...large(), dedupeKey: 'k', metadata: { text: 'y'.repeat(16_000) } },
    ]);
    const tasks = Array.from({ length: 500 }, () => ({ content: 'again', dedupeKey: 'k' }));
    const { body, text } = await call('POST', '/tasks/batch', { key, body: { tasks } });
    expect(body['ids']).toEqual(tasks.map(() => ids[0]));
    expect((body['tasks'] as unknown[]).length).toBeGreaterThan(70);
    expect(text.length).toBeLessThan(MAX_BATCH_ANSWER_BYTES + 20_000);
  });
});

describe("a task's life over the API", () => {
  it('is edited, pinned, outlives its time, is unpinned with an hour to go, extended, acknowledged, restored', async () => {
    const { call, clock, key1 } = await withKey();
    const { id } = (await call('POST', '/tasks', { key: key1, body: { content: 'x' } })).body['task'] as {
      id: string;
    };
    const at = (path: string, method: 'PUT' | 'PATCH' | 'POST' | 'DELETE', body?: unknown) =>
      call(method, `/tasks/${id}${path}`, { key: key1, ...(body === undefined ? {} : { body }) });

    expect(
      (await at('', 'PUT', { content: ' y ', priority: 'high', tags: ['a', 'a'] })).body['task'],
    ).toMatchObject({ content: 'y', priority: 'high', tags: ['a'], version: 2, expiresAt: iso(NOON + DAY) });
    expect((await at('/pin', 'PATCH', { pinned: true })).body['task']).toMatchObject({
      pinned: true,
      version: 3,
    });
    clock.advance(3 * DAY);
    expect((await at('/pin', 'PATCH', { pinned: false })).body['task']).toMatchObject({
      pinned: false,
      expiresAt: iso(NOON + 3 * DAY + HOUR),
    });
    expect((await at('/extend', 'POST', { minutes: 1440 })).body['task']).toMatchObject({
      expiresAt: iso(NOON + 4 * DAY + HOUR),
    });
    expect((await at('/extend', 'POST', { minutes: 10_080 })).body['task']).toMatchObject({
      expiresAt: iso(NOON + 10 * DAY),
    });

    const gone = await at('', 'DELETE');
    expect([gone.status, gone.body['message'], gone.body['restorableUntil']]).toEqual([
      200,
      'Task acknowledged successfully',
      iso(NOON + 3 * DAY + 10 * 60_000),
    ]);
    expect((await at('', 'DELETE')).status).toBe(404);
    expect((await call('GET', '/tasks/acknowledged', { key: key1 })).body['tasks']).toMatchObject([
      { task: { id }, acknowledgedAt: iso(NOON + 3 * DAY) },
    ]);
    expect((await at('/restore', 'POST')).status).toBe(200);
    await at('', 'DELETE');
    clock.advance(10 * 60_000);
    expect((await at('/restore', 'POST')).status).toBe(404);
  });

  it('is extended once by a call that is sent twice with the end that was seen', async () => {
    const { call, key1 } = await withKey();
    const { id, expiresAt } = (await call('POST', '/tasks', { key: key1, body: { content: 'x' } })).body[
      'task'
    ] as { id: string; expiresAt: string };
    const extend = (body: object) => call('POST', `/tasks/${id}/extend`, { key: key1, body });
    for (const from of [expiresAt, expiresAt, expiresAt.toLowerCase()])
      expect((await extend({ minutes: 60, from })).body['task']).toMatchObject({
        expiresAt: iso(NOON + DAY + HOUR),
        version: 2,
      });
    for (const from of ['soon', '', 0]) expect((await extend({ minutes: 60, from })).status).toBe(400);
    expect((await extend({ minutes: 60, from: '2026-06-30T23:59:60Z' })).status).toBe(200);
  });

  it('in bulk says which ids were there, each once', async () => {
    const { call, key1 } = await withKey();
    const { body } = await call('POST', '/tasks/batch', {
      key: key1,
      body: { tasks: [{ content: 'a' }, { content: 'b' }] },
    });
    const ids = (body['tasks'] as { id: string }[]).map(({ id }) => id);
    const done = await call('POST', '/tasks/acknowledge', {
      key: key1,
      body: { ids: [...ids, ids[0], 'task_no'] },
    });
    expect(done.body).toMatchObject({ acknowledged: ids, notFound: ['task_no'] });
    const back = await call('POST', '/tasks/restore', { key: key1, body: { ids: [ids[1], 'task_no'] } });
    expect(back.body).toMatchObject({ restored: [ids[1]], notFound: ['task_no'], tasks: [{ content: 'b' }] });
  });
});
