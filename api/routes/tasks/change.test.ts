// The life of a task over the API, from its creation to its restoration.
import { describe, expect, it } from 'vitest';
import { createAppWithKey, MORNING } from '#test/helpers/app.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const iso = (ms: number) => new Date(ms).toISOString();

describe("a task's life over the API", () => {
  it('is edited, pinned, outlives its time, is unpinned with an hour to go, extended, acknowledged, restored', async () => {
    const { call, clock, key1 } = await createAppWithKey();
    const { id } = (await call('POST', '/tasks', { key: key1, body: { content: 'x' } })).body['task'] as {
      id: string;
    };
    const at = (path: string, method: 'PUT' | 'PATCH' | 'POST' | 'DELETE', body?: unknown) =>
      call(method, `/tasks/${id}${path}`, { key: key1, ...(body === undefined ? {} : { body }) });

    expect(
      (await at('', 'PUT', { content: ' y ', priority: 'high', tags: ['a', 'a'] })).body['task'],
    ).toMatchObject({
      content: 'y',
      priority: 'high',
      tags: ['a'],
      version: 2,
      expiresAt: iso(MORNING + DAY),
    });
    expect((await at('/pin', 'PATCH', { pinned: true })).body['task']).toMatchObject({
      pinned: true,
      version: 3,
    });
    clock.advance(3 * DAY);
    expect((await at('/pin', 'PATCH', { pinned: false })).body['task']).toMatchObject({
      pinned: false,
      expiresAt: iso(MORNING + 3 * DAY + HOUR),
    });
    expect((await at('/extend', 'POST', { minutes: 1440 })).body['task']).toMatchObject({
      expiresAt: iso(MORNING + 4 * DAY + HOUR),
    });
    expect((await at('/extend', 'POST', { minutes: 10_080 })).body['task']).toMatchObject({
      expiresAt: iso(MORNING + 10 * DAY),
    });

    const gone = await at('', 'DELETE');
    expect([gone.status, gone.body['message'], gone.body['restorableUntil']]).toEqual([
      200,
      'Task acknowledged successfully',
      iso(MORNING + 3 * DAY + 10 * 60_000),
    ]);
    expect((await at('', 'DELETE')).status).toBe(404);
    expect((await call('GET', '/tasks/acknowledged', { key: key1 })).body['tasks']).toMatchObject([
      { task: { id }, acknowledgedAt: iso(MORNING + 3 * DAY) },
    ]);
    expect((await at('/restore', 'POST')).status).toBe(200);
    await at('', 'DELETE');
    clock.advance(10 * 60_000);
    expect((await at('/restore', 'POST')).status).toBe(404);
  });

  it('is extended once by a call that is sent twice with the end that was seen', async () => {
    const { call, key1 } = await createAppWithKey();
    const { id, expiresAt } = (await call('POST', '/tasks', { key: key1, body: { content: 'x' } })).body[
      'task'
    ] as { id: string; expiresAt: string };
    const extend = (body: object) => call('POST', `/tasks/${id}/extend`, { key: key1, body });
    for (const from of [expiresAt, expiresAt, expiresAt.toLowerCase()])
      expect((await extend({ minutes: 60, from })).body['task']).toMatchObject({
        expiresAt: iso(MORNING + DAY + HOUR),
        version: 2,
      });
    for (const from of ['soon', '', 0]) expect((await extend({ minutes: 60, from })).status).toBe(400);
    expect((await extend({ minutes: 60, from: '2026-06-30T23:59:60Z' })).status).toBe(200);
  });

  it('in bulk says which ids were there, each once', async () => {
    const { call, key1 } = await createAppWithKey();
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
