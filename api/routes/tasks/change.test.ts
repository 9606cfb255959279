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

  describe('changed with others in one call', () => {
    async function withTasks(...contents: string[]) {
      const app = await createAppWithKey();
      const { call, key1, key } = app;
      const { body } = await call('POST', '/tasks/batch', {
        key: key1,
        body: { tasks: contents.map((content) => ({ content })) },
      });
      const ids = (body['tasks'] as { id: string }[]).map(({ id }) => id);
      const change = async (tasks: object[], asKey = key1) =>
        call('PATCH', '/tasks', { key: asKey, body: { tasks } });
      const read = async (id: string | undefined) =>
        (await call('GET', `/tasks/${id}`, { key: key1 })).body['task'];
      return { ...app, ids, change, read, key };
    }

    it('is as its item says, in one version, and sent again it changes nothing', async () => {
      const { ids, change, parts } = await withTasks('a', 'b');
      const events: string[] = [];
      parts.bus.subscribe((event) => {
        if (event.kind === 'task') events.push(`${event.type} ${event.task.content} v${event.task.version}`);
      });
      const changes = [
        { id: ids[1], content: ' B ', priority: 'high', tags: ['x', 'x'], pinned: true },
        { id: 'task_no', pinned: true },
        { id: ids[0], expiresAt: iso(MORNING + 7 * DAY) },
      ];
      const done = await change(changes);
      expect([done.status, done.body]).toMatchObject([
        200,
        {
          changed: [ids[1], ids[0]],
          notFound: ['task_no'],
          tasks: [
            { content: 'B', priority: 'high', tags: ['x'], pinned: true, version: 2 },
            { content: 'a', expiresAt: iso(MORNING + 7 * DAY), version: 2 },
          ],
        },
      ]);
      expect(events).toEqual(['task.updated B v2', 'task.updated a v2']);
      expect((await change(changes)).body).toEqual(done.body);
      expect(events).toHaveLength(2);
    });

    it.each([
      ['now', 0, 'must be in the future'],
      ['long ago', -DAY, 'must be in the future'],
      ['more than 7 days ahead', 7 * DAY + 1, 'must be at most 7 days from now'],
    ])('is not changed, nor are the others, when its end is %s', async (_when, ms, message) => {
      const { ids, change, read } = await withTasks('a', 'b');
      const refused = await change([
        { id: ids[0], pinned: true },
        { id: ids[1], expiresAt: iso(MORNING + ms) },
      ]);
      expect([refused.status, refused.body['details']]).toEqual([
        400,
        [{ field: 'tasks/1/expiresAt', message }],
      ]);
      expect(await read(ids[0])).toMatchObject({ pinned: false, version: 1 });
    });

    it('ends exactly when it says, or has one more hour when its time was up as it was unpinned', async () => {
      const { ids, change, clock, read } = await withTasks('a', 'b');
      await change([
        { id: ids[0], pinned: true },
        { id: ids[1], expiresAt: iso(MORNING + 1000).toLowerCase() },
      ]);
      clock.advance(999);
      expect(await read(ids[1])).toMatchObject({ content: 'b' });
      clock.advance(1);
      expect(await read(ids[1])).toBeUndefined();
      clock.advance(3 * DAY);
      const unpinned = await change([{ id: ids[0], pinned: false }]);
      expect(unpinned.body['tasks']).toMatchObject([{ expiresAt: iso(clock.now() + HOUR), version: 3 }]);
      expect((await change([{ id: ids[0], pinned: false }])).body).toEqual(unpinned.body);
    });

    it('may be one of 500 with much to say, and is answered as far as an answer holds', async () => {
      const contents = Array.from({ length: 400 }, (_, index) => `task ${index}`);
      const { ids, change } = await withTasks(...contents);
      const text = 'x'.repeat(2500);
      const { status, body } = await change(ids.map((id) => ({ id, content: text })));
      expect(status).toBe(200);
      expect(body['changed']).toEqual(ids);
      const tasks = body['tasks'] as { id: string }[];
      expect(tasks.length).toBeGreaterThan(100);
      expect(tasks.map(({ id }) => id)).toEqual(ids.slice(0, tasks.length));
      const tooMuch = await change(ids.map((id) => ({ id, content: 'x'.repeat(3000) })));
      expect([tooMuch.status, tooMuch.body['code']]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });
  });
});
