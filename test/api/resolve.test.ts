// Senders close tasks by their dedupe keys.
import { describe, expect, it } from 'vitest';
import { createAppWithKey } from '#test/helpers/app.ts';

describe('tasks that are resolved by their dedupe keys', () => {
  async function start() {
    const app = await createAppWithKey();
    const add = async (dedupeKey: string, key = app.key1) => {
      const body = { content: 'backup failed', dedupeKey };
      const made = await app.call('POST', '/tasks', { key, body });
      return (made.body['task'] as { id: string }).id;
    };
    const resolve = async (dedupeKeys: unknown, key = app.key1) => {
      const { status, body } = await app.call('POST', '/tasks/resolve', { key, body: { dedupeKeys } });
      return { status, resolved: body['resolved'] };
    };
    const listed = async (key = app.key1) => {
      const { body } = await app.call('GET', '/tasks', { key });
      return (body['tasks'] as { id: string }[]).map(({ id }) => id);
    };
    return { ...app, add, resolve, listed };
  }

  it('are gone, the others stay, and a key that no task has is no error', async () => {
    const { add, resolve, listed } = await start();
    await add('a');
    const other = await add('b');
    expect(await resolve(['a', 'a', 'none'])).toEqual({ status: 200, resolved: 1 });
    expect(await listed()).toEqual([other]);
    expect(await resolve(['a'])).toEqual({ status: 200, resolved: 0 });
    // The next report makes a new task.
    const again = await add('a');
    expect(await listed()).toEqual([again, other]);
  });

  it('may be pinned or snoozed, and are never those of another owner', async () => {
    const { call, key, key1, add, resolve, listed } = await start();
    const stranger = await key('other@example.com');
    const foreign = await add('a', stranger);
    await call('PATCH', `/tasks/${await add('a')}/pin`, { key: key1, body: { pinned: true } });
    await call('POST', `/tasks/${await add('b')}/snooze`, { key: key1, body: { minutes: 60 } });
    expect(await resolve(['a', 'b'])).toEqual({ status: 200, resolved: 2 });
    expect(await listed(stranger)).toEqual([foreign]);
    const { body } = await call('GET', '/tasks?snoozed=true', { key: key1 });
    expect(body['tasks']).toEqual([]);
  });

  it('are at most 500 at once, by keys that could be one', async () => {
    const { add, resolve, listed } = await start();
    const id = await add('k0');
    const many = Array.from({ length: 500 }, (_, n) => `k${n}`);
    for (const wrong of [[], [...many, 'k500'], [''], ['x'.repeat(256)], 'k0', [1], [`k0\ud800`]])
      expect([wrong.length, (await resolve(wrong)).status]).toEqual([wrong.length, 400]);
    expect(await listed()).toEqual([id]);
    expect(await resolve(many)).toEqual({ status: 200, resolved: 1 });
  });
});
