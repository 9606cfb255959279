// Creating tasks: one, a batch, once under an Idempotency-Key.
import { describe, expect, it } from 'vitest';
import { createAppWithKey, MORNING } from '#test/helpers/app.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const iso = (ms: number) => new Date(ms).toISOString();

describe('creating a task', () => {
  it('answers 201 with the whole task, its defaults filled in', async () => {
    const { call, key1 } = await createAppWithKey();
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
        createdAt: iso(MORNING),
        updatedAt: iso(MORNING),
        expiresAt: iso(MORNING + DAY),
        pinned: false,
        snoozedUntil: null,
        metadata: {},
        tags: [],
        version: 1,
        occurrences: 1,
        lastOccurredAt: iso(MORNING),
      },
    });
  });

  it('keeps everything that was said, and drops empty and repeated tags', async () => {
    const { call, key1 } = await createAppWithKey();
    const said = {
      pinned: true,
      content: 'Rotate 🔑 — "now"',
      priority: 'high',
      source: 'integration',
      expiryMinutes: 1,
      metadata: { a: [1, { b: null }], '✓': 'ü' },
      tags: [' ops ', '', 'ops', 'db'],
    };
    const { body } = await call('POST', '/tasks', { key: key1, body: said });
    const { expiryMinutes: _, ...rest } = said;
    expect(body['task']).toMatchObject({ ...rest, tags: ['ops', 'db'], expiresAt: iso(MORNING + 60_000) });
    const { body: read } = await call('GET', `/tasks/${(body['task'] as { id: string }).id}`, { key: key1 });
    expect(read['task']).toEqual(body['task']);
  });

  it.each([
    ['text/plain', 'backup failed: 100% of /var\n', 'backup failed: 100% of /var'],
    ["curl's default type", 'a=b & c', 'a=b & c'],
  ])(
    'takes a body of %s as the content itself, with headers for the rest',
    async (type, payload, content) => {
      const { call, key1 } = await createAppWithKey();
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
        expiresAt: iso(MORNING + HOUR),
      });
    },
  );

  it('takes a form with a content field as fields', async () => {
    const { call, key1 } = await createAppWithKey();
    const { body } = await call('POST', '/tasks', {
      key: key1,
      body: 'content=disk+full+%26+hot&priority=low&tags=a,b&expiryMinutes=5',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(body['task']).toMatchObject({
      content: 'disk full & hot',
      priority: 'low',
      tags: ['a', 'b'],
      expiresAt: iso(MORNING + 5 * 60_000),
    });
  });

  it('repeats a live task with the same dedupe key instead of making another', async () => {
    const { call, clock, key1 } = await createAppWithKey();
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
      lastOccurredAt: iso(MORNING + HOUR),
      expiresAt: iso(MORNING + HOUR + DAY),
    });
    expect((await call('GET', '/tasks', { key: key1 })).body['statistics']).toMatchObject({ total: 1 });
  });

  it('answers 202 and the id when asked to respond asynchronously, and the task is there', async () => {
    const { call, key1 } = await createAppWithKey();
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

describe('a batch', () => {
  it('makes every task in its order, and a retry with the same key makes none twice', async () => {
    const { call, key1 } = await createAppWithKey();
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
    const { call, key1 } = await createAppWithKey();
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
    const { call, clock, key, key1 } = await createAppWithKey();
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
    const { call, key1 } = await createAppWithKey();
    const send = () =>
      call('POST', '/tasks', { key: key1, body: { content: 'race' }, headers: { 'idempotency-key': 'r' } });
    const answers = await Promise.all([send(), send(), send()]);
    const codes = answers.map(({ status }) => status).toSorted();
    expect(codes).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body['code']).toBe('IDEMPOTENCY_IN_PROGRESS');
    expect((await send()).headers['idempotency-replayed']).toBe('true');
  });

  it('holds for a task that may come later: the same id, or 422 for another body', async () => {
    const { call, key1 } = await createAppWithKey();
    const send = (content: string) =>
      call('POST', '/tasks', {
        key: key1,
        body: { content },
        headers: { 'idempotency-key': 'l', prefer: 'respond-async' },
      });
    const first = await send('later');
    const again = await send('later');
    expect([first.status, first.headers['idempotency-replayed']]).toEqual([202, undefined]);
    expect([again.status, again.headers['idempotency-replayed'], again.body]).toEqual([
      202,
      'true',
      first.body,
    ]);
    expect((await send('other')).body['code']).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('of a refused request is not used up', async () => {
    const { call, key1 } = await createAppWithKey();
    const headers = { 'idempotency-key': 'v' };
    expect((await call('POST', '/tasks', { key: key1, body: { content: '' }, headers })).status).toBe(400);
    expect((await call('POST', '/tasks', { key: key1, body: { content: 'ok' }, headers })).status).toBe(201);
  });
});
