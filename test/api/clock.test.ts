// The wall clock jumps, days ahead and back: nobody is locked out for longer than a window, nobody is let in
// for longer, nothing is lost.
import { describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#test/helpers/app.ts';

const JUMP = 2 * 24 * 60 * 60_000;
const MINUTE = 60_000;

async function spend({ call }: TestApp, key: string, times: number): Promise<number> {
  let status = 0;
  for (let time = 0; time < times; time++) status = (await call('GET', '/tasks', { key })).status;
  return status;
}

describe('a wall clock that jumps two days ahead and back', () => {
  it.each([
    ['spent while it was ahead', JUMP, -JUMP],
    ['spent while it was behind', -JUMP, JUMP],
  ])('locks no key out for longer than a minute (%s)', async (_how, there, back) => {
    const app = await createTestApp();
    const key = await app.key();
    app.clock.jump(there);
    expect(await spend(app, key, 101)).toBe(429);
    app.clock.jump(back);
    const refused = await app.call('GET', '/tasks', { key });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    app.clock.advance(MINUTE);
    expect(await spend(app, key, 1)).toBe(200);
  });

  it('gives nobody a new window', async () => {
    const app = await createTestApp();
    const key = await app.key();
    expect(await spend(app, key, 101)).toBe(429);
    for (const jump of [JUMP, -JUMP, -JUMP, JUMP]) {
      app.clock.jump(jump);
      expect(await spend(app, key, 1)).toBe(429);
    }
  });

  it('lets a revoked key in no longer than a second, wherever it was revoked', async () => {
    const app = await createTestApp();
    const key = await app.key();
    app.clock.jump(JUMP);
    expect(await spend(app, key, 1)).toBe(200);
    app.clock.jump(-JUMP);
    const { id: owner } = await app.user();
    const [record] = await app.parts.storage.accounts.listKeys(owner);
    await app.parts.storage.accounts.revokeKey(owner, record?.id ?? '', app.clock.now());
    app.clock.advance(999);
    expect(await spend(app, key, 1)).toBe(401);
  });

  it('opens an intake that its sender filled while the clock was ahead, and closes one that was revoked elsewhere', async () => {
    const app = await createTestApp();
    const { id: owner } = await app.user();
    const { accessToken: token } = await app.session();
    const made = await app.call('POST', '/intakes', {
      token,
      body: { name: 'hook', adapter: 'webhook', hourlyCap: 3, verification: { scheme: 'none' } },
    });
    const { id, address } = made.body['intake'] as { id: string; address: string };
    const path = new URL(address).pathname;
    const deliver = async () =>
      (await app.app.inject({ method: 'POST', url: path, payload: { text: 'x' } })).statusCode;
    app.clock.jump(JUMP);
    for (const status of [202, 202, 202, 503]) expect(await deliver()).toBe(status);
    app.clock.jump(-JUMP);
    expect(await deliver()).toBe(503);
    app.clock.advance(60 * MINUTE);
    expect(await deliver()).toBe(202);

    app.clock.jump(JUMP);
    expect(await deliver()).toBe(202);
    app.clock.jump(-JUMP);
    await app.parts.storage.intakes.change(owner, id, (intake) => ({
      ...intake,
      revokedAt: app.clock.now(),
    }));
    app.clock.advance(30_000);
    expect(await deliver()).toBe(404);
  });

  it('hides tasks while it is ahead and shows them again, and lets sessions go on', async () => {
    const app = await createTestApp();
    const key = await app.key();
    await app.call('POST', '/tasks', { key, body: { content: 'still there' } });
    const { accessToken: token, refreshToken } = await app.session();
    const tasks = async () => (await app.call('GET', '/tasks', { key })).body['tasks'];
    app.clock.jump(JUMP);
    expect(await tasks()).toEqual([]);
    expect((await app.call('GET', '/auth/profile', { token })).status).toBe(401);
    const refreshed = await app.call('POST', '/auth/refresh', { body: { refreshToken } });
    expect(refreshed.status).toBe(200);
    app.clock.jump(-JUMP);
    expect(await tasks()).toMatchObject([{ content: 'still there' }]);
    const next = (refreshed.body['tokens'] ?? refreshed.body) as {
      accessToken: string;
      refreshToken: string;
    };
    for (const each of [next.accessToken, token])
      expect((await app.call('GET', '/auth/profile', { token: each })).status).toBe(200);
    const again = await app.call('POST', '/auth/refresh', { body: { refreshToken: next.refreshToken } });
    expect(again.status).toBe(200);
  });
});
