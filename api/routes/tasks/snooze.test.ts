// Snoozing over the API: hidden until a time, back at it, what is refused, and what those who listen are
// told.
import { describe, expect, it } from 'vitest';
import { createAppWithKey, MORNING } from '#test/helpers/app.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const iso = (ms: number) => new Date(ms).toISOString();

async function arrange() {
  const { call, clock, key1, parts } = await createAppWithKey();
  const ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    call(method, path, { key: key1, ...(body === undefined ? {} : { body }) });
  const add = async (fields: object = {}): Promise<string> => {
    const { body } = await ask('POST', '/tasks', { content: 'x', ...fields });
    return (body['task'] as { id: string }).id;
  };
  const snooze = (id: string, body: object) => ask('POST', `/tasks/${id}/snooze`, body);
  const listed = async (query = '') => {
    const { body } = await ask('GET', `/tasks${query}`);
    return (body['tasks'] as { id: string }[]).map(({ id }) => id);
  };
  const heard: [type: string, snoozedUntil: number | null][] = [];
  parts.bus.subscribe((event) => {
    if (event.kind === 'task') heard.push([event.type, event.task.snoozedUntil]);
  });
  return { ask, add, snooze, listed, heard, clock };
}

describe('a snoozed task over the API', () => {
  it('is out of list and counts until its time, can be read, and is back then with the time it had', async () => {
    const { ask, add, snooze, listed, clock } = await arrange();
    const [id, other] = [await add({ expiryMinutes: 90 }), await add()];
    const until = iso(MORNING + 2 * DAY);
    const answer = await snooze(id, { until: '2026-11-23T10:00:00+01:00' });
    const task = { id, snoozedUntil: until, expiresAt: iso(MORNING + 2 * DAY + 90 * MINUTE), version: 2 };
    expect([answer.status, answer.body['task']]).toEqual([200, expect.objectContaining(task)]);
    expect(answer.headers['etag']).toBe('"v2"');
    expect(await listed()).toEqual([other]);
    const { body } = await ask('GET', '/tasks/stats/summary');
    expect(body['statistics']).toEqual({ total: 1, high: 0, normal: 1, low: 0, pinned: 0, snoozed: 1 });
    expect((await ask('GET', `/tasks/${id}`)).body['task']).toMatchObject(task);
    clock.advance(DAY - 1);
    clock.advance(DAY);
    expect(await listed('?q=x')).toEqual([]);
    clock.advance(1);
    expect(await listed()).toEqual([id]);
    expect(await listed('?snoozed=true')).toEqual([]);
    clock.advance(90 * MINUTE);
    expect(await listed()).toEqual([]);
  });

  it('is changed in its sleep, woken early with the time it had, and snoozed for minutes', async () => {
    const { ask, add, snooze, listed, clock } = await arrange();
    const id = await add({ expiryMinutes: 120 });
    expect((await snooze(id, { minutes: 600 })).body['task']).toMatchObject({
      snoozedUntil: iso(MORNING + 10 * HOUR),
      expiresAt: iso(MORNING + 12 * HOUR),
    });
    expect((await ask('PATCH', `/tasks/${id}/pin`, { pinned: true })).status).toBe(200);
    expect((await ask('POST', `/tasks/${id}/extend`, { minutes: 60 })).status).toBe(200);
    clock.advance(HOUR);
    expect(await listed()).toEqual([]);
    const awake = await snooze(id, { until: null });
    expect(awake.body['task']).toMatchObject({
      snoozedUntil: null,
      pinned: true,
      expiresAt: iso(MORNING + HOUR + 3 * HOUR),
    });
    expect(await listed()).toEqual([id]);
    expect((await snooze(id, { until: null })).headers['etag']).toBe(awake.headers['etag']);
  });

  it('is listed alone by snoozed=true, the first to wake first, and filtered', async () => {
    const { ask, add, snooze, listed } = await arrange();
    const [late, soon] = [await add({ tags: ['x'] }), await add({ priority: 'high' })];
    await add();
    const { body } = await ask('PATCH', '/tasks', {
      tasks: [{ id: late, snoozedUntil: iso(MORNING + 2 * HOUR) }],
    });
    expect(body['changed']).toEqual([late]);
    await snooze(soon, { minutes: 60 });
    expect(await listed('?snoozed=true')).toEqual([soon, late]);
    expect(await listed('?snoozed=true&tag=x')).toEqual([late]);
    expect(await listed('?snoozed=true&priority=high')).toEqual([soon]);
    expect(await listed('?snoozed=true&order=expiry')).toEqual([soon, late]);
    expect((await listed('?snoozed=false')).length).toBe(1);
    await ask('PATCH', '/tasks', { tasks: [late, soon].map((id) => ({ id, snoozedUntil: null })) });
    expect(await listed('?snoozed=true')).toEqual([]);
  });

  it('is told as changed, and as back when it is woken; a restored one that sleeps on is not back', async () => {
    const { ask, add, snooze, heard } = await arrange();
    const id = await add();
    await snooze(id, { minutes: 60 });
    await ask('DELETE', `/tasks/${id}`);
    await ask('POST', `/tasks/${id}/restore`);
    await snooze(id, { until: null });
    const until = MORNING + HOUR;
    expect(heard).toEqual([
      ['task.created', null],
      ['task.updated', until],
      ['task.acknowledged', until],
      ['task.updated', until],
      ['task.restored', null],
    ]);
  });
});

describe('a snooze that is refused', () => {
  it.each<[string, object, string, string]>([
    ['nothing', {}, '', 'must have at least one field'],
    ['another field alone', { till: 1 }, 'until', 'give either until (a time, or null) or minutes'],
    ['both', { until: null, minutes: 1 }, 'until', 'give either until (a time, or null) or minutes'],
    [
      'no time',
      { until: 'soon' },
      'until',
      'must be a time with its zone, such as 2026-11-21T09:00:00Z, or null',
    ],
    ['a number', { until: 5 }, 'until', 'must be text or null'],
    ['now', { until: iso(MORNING) }, 'until', 'must be in the future'],
    ['too late', { until: iso(MORNING + 7 * DAY + 1) }, 'until', 'must be at most 7 days from now'],
    ['no minutes', { minutes: 0 }, 'minutes', 'must be at least 1'],
    ['too many minutes', { minutes: 10_081 }, 'minutes', 'must be at most 10080'],
  ])('%s: names the field, and changes nothing', async (_name, body, field, message) => {
    const { add, snooze, listed } = await arrange();
    const id = await add();
    const answer = await snooze(id, body);
    expect([answer.status, answer.body['code']]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body['details']).toEqual([{ field, message }]);
    expect(await listed()).toEqual([id]);
  });

  it('among many: names its place, and changes none', async () => {
    const { ask, add, listed } = await arrange();
    const [a, b] = [await add(), await add()];
    const answer = await ask('PATCH', '/tasks', {
      tasks: [
        { id: a, snoozedUntil: iso(MORNING + 7 * DAY) },
        { id: b, snoozedUntil: iso(MORNING - 1) },
      ],
    });
    expect([answer.status, answer.body['details']]).toEqual([
      400,
      [{ field: 'tasks/1/snoozedUntil', message: 'must be in the future' }],
    ]);
    expect(await listed()).toEqual([b, a]);
  });

  it('of a task that is gone is 404', async () => {
    const { ask, add, snooze } = await arrange();
    const id = await add();
    await ask('DELETE', `/tasks/${id}`);
    expect((await snooze(id, { minutes: 5 })).status).toBe(404);
  });
});
