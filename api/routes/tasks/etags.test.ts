// A caller that read a task can change it only while it is unchanged, and need not read again what has not
// changed.
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#test/helpers/app.ts';

async function arrange() {
  const { call, key: makeKey } = await createTestApp();
  const key = await makeKey();
  const made = await call('POST', '/tasks', { key, body: { content: 'one' } });
  const { id } = made.body['task'] as { id: string };
  const ask = (
    method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE',
    path: string,
    headers: Record<string, string> = {},
    body?: object,
  ) => call(method, `/tasks/${id}${path}`, { key, headers, ...(body === undefined ? {} : { body }) });
  return { ask, made, current: async () => (await ask('GET', '')).body['task'] as Record<string, unknown> };
}

const CHANGES = [
  ['PUT', '', { content: 'two' }],
  ['PATCH', '/pin', { pinned: true }],
  ['POST', '/extend', { minutes: 5 }],
  ['POST', '/snooze', { minutes: 5 }],
  ['DELETE', '', undefined],
] as const;

describe('the ETag of a task', () => {
  it('is its version, on every answer with one task', async () => {
    const { ask, made } = await arrange();
    expect(made.headers['etag']).toBe('"v1"');
    expect((await ask('GET', '')).headers['etag']).toBe('"v1"');
    let version = 1;
    for (const [method, path, body] of CHANGES.slice(0, 4))
      expect((await ask(method, path, {}, body)).headers['etag']).toBe(`"v${++version}"`);
    await ask('DELETE', '');
    expect((await ask('POST', '/restore')).headers['etag']).toBe('"v7"');
  });

  it.each(['"v1"', 'W/"v1"', '"v9", "v1"', '*'])(
    'in If-None-Match: %s answers 304 while it is the same',
    async (known) => {
      const { ask } = await arrange();
      const unchanged = await ask('GET', '', { 'if-none-match': known });
      expect(unchanged).toMatchObject({ status: 304, text: '' });
      expect(unchanged.headers['etag']).toBe('"v1"');
      await ask('PUT', '', {}, { content: 'two' });
      if (known === '*') return;
      expect(await ask('GET', '', { 'if-none-match': known })).toMatchObject({
        status: 200,
        body: { task: { content: 'two' } },
      });
    },
  );
});

describe('If-Match', () => {
  it.each(CHANGES)('lets %s %s through while the task is as it was read', async (method, path, body) => {
    for (const tag of ['"v1"', '*', '"v7" , "v1"'])
      expect((await (await arrange()).ask(method, path, { 'if-match': tag }, body)).status).toBe(200);
  });

  it.each(CHANGES)(
    'refuses %s %s with 412 when it has changed since, and changes nothing',
    async (method, path, body) => {
      const { ask, current } = await arrange();
      await ask('PUT', '', {}, { priority: 'high' });
      const before = await current();
      for (const tag of ['"v1"', 'W/"v2"', '"2"', '""', '"v02"']) {
        const refused = await ask(method, path, { 'if-match': tag }, body);
        expect(refused).toMatchObject({
          status: 412,
          body: { code: 'PRECONDITION_FAILED', error: expect.stringMatching(/version 2 now/) },
        });
      }
      expect(await current()).toEqual(before);
    },
  );

  it.each(['v1', '1', '"v1', '"v1" "v2"', '', '*, "v1"'])(
    'that is malformed (%j) is refused by name',
    async (tag) => {
      const { ask } = await arrange();
      expect(await ask('DELETE', '', { 'if-match': tag })).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR', details: [{ field: 'if-match' }] },
      });
    },
  );

  it('guards the undo as well, and leaves what is gone 404', async () => {
    const { ask } = await arrange();
    await ask('DELETE', '', { 'if-match': '"v1"' });
    for (const tag of ['*', '"v1"', '"v2"'])
      expect((await ask('PUT', '', { 'if-match': tag }, { content: 'x' })).status).toBe(404);
    expect((await ask('POST', '/restore', { 'if-match': '"v1"' })).status).toBe(412);
    expect((await ask('POST', '/restore', { 'if-match': '"v2"' })).status).toBe(200);
  });
});
