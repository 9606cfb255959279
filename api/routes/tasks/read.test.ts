// Lists of tasks: order, filters, pages, and how much one answer holds.
import { describe, expect, it } from 'vitest';
import { MAX_BATCH_ANSWER_BYTES, MAX_TASKS_BYTES } from '#core/contract/index.ts';
import { createAppWithKey } from '#test/helpers/app.ts';

describe('a list', () => {
  it('has pinned ones first, then newest, with the specified pagination and statistics of the whole queue', async () => {
    const { call, clock, key1 } = await createAppWithKey();
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
    const statistics = { total: 4, high: 2, normal: 1, low: 1, pinned: 1, snoozed: 0 };
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

  it('is searched everywhere, filtered by several tags and put in order, by one call', async () => {
    const { call, clock, key1 } = await createAppWithKey();
    const make = async (content: string, fields: object) => {
      clock.advance(1000);
      await call('POST', '/tasks', { key: key1, body: { content, ...fields } });
    };
    await make('a', { source: 'Web', tags: ['x', 'y'], metadata: { body: 'Über alles "hinaus"' } });
    await make('b', { source: 'api', tags: ['y', 'x'], expiryMinutes: 5, priority: 'high' });
    await make('c', { source: 'web', tags: ['x'], metadata: { from: 'Ada <ada@example.com>' } });
    const contents = async (query: string) => {
      const { status, body } = await call('GET', `/tasks${query}`, { key: key1 });
      expect(status).toBe(200);
      return (body['tasks'] as { content: string }[]).map(({ content }) => content).join('');
    };
    expect(await contents('?tag=x')).toBe('cba');
    expect(await contents('?tag=x&tag=y')).toBe('ba');
    expect(await contents('?tag=x&tag=y&tag=z')).toBe('');
    expect(await contents('?q=%C3%BCBER')).toBe('a');
    expect(await contents('?q=ADA%40')).toBe('c');
    expect(await contents('?q=%22')).toBe('a');
    expect(await contents('?intake=none')).toBe('');
    expect(await contents('?order=newest')).toBe('cba');
    expect(await contents('?order=priority')).toBe('bca');
    expect(await contents('?order=expiry')).toBe('bac');
    expect(await contents('?order=source')).toBe('bac');
    expect(await contents('?order=tag&tag=x&limit=2&offset=1')).toBe('ab');
  });

  it('has an ETag of its own for each filter and order', async () => {
    const { call, key1 } = await createAppWithKey();
    await call('POST', '/tasks', { key: key1, body: { content: 'a' } });
    const queries = [
      '',
      '?order=tag',
      '?order=source',
      '?intake=a',
      '?tag=a',
      '?tag=a&tag=b',
      '?tag=b&tag=a',
    ];
    const tags: string[] = [];
    for (const query of queries) {
      const { status, headers } = await call('GET', `/tasks${query}`, { key: key1 });
      expect(status).toBe(200);
      tags.push(String(headers['etag']));
    }
    expect(new Set(tags).size).toBe(queries.length);
    for (const [index, query] of queries.entries()) {
      const headers = { 'if-none-match': tags[index] ?? '' };
      expect((await call('GET', `/tasks${query}`, { key: key1, headers })).status).toBe(304);
    }
  });

  it('comes with what it can be filtered by', async () => {
    const { call, key1 } = await createAppWithKey();
    const none = await call('GET', '/tasks/facets', { key: key1 });
    expect(none.body).toEqual({ success: true, facets: { sources: [], tags: [], intakes: [] } });
    await call('POST', '/tasks', { key: key1, body: { content: 'a', tags: ['x'] } });
    await call('POST', '/tasks', { key: key1, body: { content: 'b', tags: ['y', 'x'], source: 'cron' } });
    expect((await call('GET', '/tasks/facets', { key: key1 })).body['facets']).toEqual({
      sources: [
        { value: 'api', count: 1 },
        { value: 'cron', count: 1 },
      ],
      tags: [
        { value: 'x', count: 2 },
        { value: 'y', count: 1 },
      ],
      intakes: [],
    });
  });

  it('answers 304 while nothing has changed, and not at the moment a task expires', async () => {
    const { call, clock, key1 } = await createAppWithKey();
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
    const { call, key1 } = await createAppWithKey({ RATE_LIMIT_PER_MINUTE: '1000' });
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
