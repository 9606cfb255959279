// What a user chooses for pushes, through the API. What is sent: test/push.
import { describe, expect, it } from 'vitest';
import { DEFAULT_RULES } from '#core/domain/push.ts';
import { createAppWithKey, MORNING } from '#test/helpers/app.ts';
import { createSubscriptionKeys } from '#test/helpers/push-keys.ts';

interface Device {
  id: string;
  name: string;
}

const subscription = (fields: object = {}) => ({
  endpoint: 'https://push.example.com/send/abc',
  keys: createSubscriptionKeys().keys,
  name: 'Firefox on Linux',
  ...fields,
});

async function withPush() {
  const app = await createAppWithKey();
  const { call, key1 } = app;
  const add = (fields: object = {}, key = key1) =>
    call('POST', '/push/devices', { key, body: subscription(fields) });
  const get = async (key = key1) =>
    (await call('GET', '/push', { key })).body['push'] as {
      publicKey: string;
      devices: Device[];
      rules: object;
    };
  const rules = (fields: object, key = key1) =>
    call('PUT', '/push/rules', { key, body: { ...DEFAULT_RULES, ...fields } });
  return { ...app, add, get, rules };
}

describe('the token of a notification', () => {
  async function pushed() {
    const app = await withPush();
    const { parts, call, key1, add, user } = app;
    const { id: ownerId } = await user('me@example.com');
    const device = (await add()).body['device'] as Device;
    const made = await call('POST', '/tasks', { key: key1, body: { content: 'disk full' } });
    const { id } = made.body['task'] as { id: string };
    const act = (token: string, action: string) => call('POST', '/push/actions', { body: { token, action } });
    const tasks = async () => (await call('GET', '/tasks', { key: key1 })).body['tasks'];
    return {
      ...app,
      ownerId,
      device,
      id,
      act,
      tasks,
      token: parts.pushActions.tokenFor({ ownerId, id }, device.id),
    };
  }

  it('pins and acknowledges its task without a session, and no more', async () => {
    const { act, token, id, tasks, call, logged } = await pushed();
    expect(await act(token, 'pin')).toMatchObject({ status: 200, body: { success: true } });
    expect(await tasks()).toMatchObject([{ id, pinned: true }]);
    expect((await act(token, 'edit')).status).toBe(400);
    expect((await call('GET', '/tasks', { key: token })).status).toBe(401);
    expect((await act(token, 'acknowledge')).status).toBe(200);
    expect(await tasks()).toEqual([]);
    expect((await act(token, 'acknowledge')).status).toBe(404);
    expect(logged()).not.toContain(token);
  });

  it('ends with its device, after seven days, and when it is not what the server made', async () => {
    const { act, token, tasks, call, key1, device, clock, ownerId, id, parts } = await pushed();
    const gone = {
      status: 401,
      body: { error: 'This notification can act no longer. Open Qinbox instead.' },
    };
    await call('PATCH', `/tasks/${id}/pin`, { key: key1, body: { pinned: true } });
    expect(await act(`${token.slice(0, -2)}xx`, 'acknowledge')).toMatchObject(gone);
    expect(await act('v1.x', 'acknowledge')).toMatchObject(gone);
    const other = parts.pushActions.tokenFor({ ownerId, id }, 'push_other');
    expect(await act(other, 'acknowledge')).toMatchObject(gone);
    clock.advance(7 * 24 * 3_600_000);
    expect(await act(token, 'acknowledge')).toMatchObject(gone);
    const fresh = parts.pushActions.tokenFor({ ownerId, id }, device.id);
    await call('DELETE', `/push/devices/${device.id}`, { key: key1 });
    expect(await act(fresh, 'acknowledge')).toMatchObject(gone);
    expect(await tasks()).toHaveLength(1);
  });

  it('ends when another user has the browser', async () => {
    const { act, token, tasks, add, key } = await pushed();
    expect((await act(token, 'pin')).status).toBe(200);
    expect((await add({}, await key('other@example.com'))).status).toBe(201);
    expect((await act(token, 'acknowledge')).status).toBe(401);
    expect(await tasks()).toHaveLength(1);
  });
});

describe('devices that pushes go to', () => {
  it('are added, listed and removed, each of its own user, and their addresses are never shown', async () => {
    const { add, get, call, key, key1, logged } = await withPush();
    const made = await add({ name: ' Firefox ' });
    const device = {
      id: expect.stringMatching(/^push_/),
      name: 'Firefox',
      createdAt: '2026-11-21T09:00:00.000Z',
      lastUsedAt: null,
    };
    expect([made.status, made.body]).toEqual([201, { success: true, device }]);
    expect((await get()).devices).toEqual([device]);
    const { id } = made.body['device'] as Device;

    const other = await key('other@example.com');
    expect((await get(other)).devices).toEqual([]);
    for (const [method, path] of [
      ['DELETE', `/push/devices/${id}`],
      ['POST', `/push/devices/${id}/test`],
    ] as const)
      expect((await call(method, path, { key: other })).status).toBe(404);
    expect((await call('DELETE', `/push/devices/${id}`, { key: key1 })).body).toEqual({ success: true });
    expect((await call('DELETE', `/push/devices/${id}`, { key: key1 })).status).toBe(404);
    expect((await get()).devices).toEqual([]);
    expect(logged()).not.toContain('push.example.com');
  });

  it('are one for each browser: the same again is renewed, and of another user is taken', async () => {
    const { add, get, clock, key } = await withPush();
    const { id } = (await add()).body['device'] as Device;
    clock.advance(60_000);
    const again = await add({ name: 'Chrome' });
    expect(again.body['device']).toMatchObject({ id, name: 'Chrome', createdAt: '2026-11-21T09:00:00.000Z' });
    await add({ endpoint: 'https://push.example.com/send/def' });
    expect((await get()).devices.map(({ name }) => name)).toEqual(['Chrome', 'Firefox on Linux']);
    const other = await key('other@example.com');
    await add({}, other);
    expect((await get(other)).devices).toHaveLength(1);
    expect((await get()).devices.map(({ name }) => name)).toEqual(['Firefox on Linux']);
  });

  it('are at most 20, and the same again is none more', async () => {
    const { add, get } = await withPush();
    const endpoint = (index: number) => `https://push.example.com/send/${index}`;
    for (let index = 0; index < 20; index++)
      expect((await add({ endpoint: endpoint(index) })).status).toBe(201);
    const refused = await add({ endpoint: endpoint(20) });
    expect([refused.status, refused.body['error']]).toEqual([
      409,
      'There are 20 devices already. Remove one that is no longer used first.',
    ]);
    expect((await add({ endpoint: endpoint(7), name: 'Seven' })).status).toBe(201);
    expect((await get()).devices).toHaveLength(20);
  });

  it.each([
    ['endpoint', { endpoint: 'http://push.example.com/' }],
    ['endpoint', { endpoint: 'https://user:secret@push.example.com/' }],
    ['endpoint', { endpoint: 'https://' }],
    ['endpoint', { endpoint: `https://push.example.com/${'x'.repeat(2048)}` }],
    ['keys/p256dh', { keys: { ...createSubscriptionKeys().keys, p256dh: 'A'.repeat(87) } }],
    ['keys/auth', { keys: { ...createSubscriptionKeys().keys, auth: 'short' } }],
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(61) }],
  ])('are refused for a wrong %s, which is named, and nothing is stored', async (field, wrong) => {
    const { add, get } = await withPush();
    const refused = await add(wrong);
    const [first] = refused.body['details'] as object[];
    expect([refused.status, first]).toMatchObject([400, { field }]);
    expect((await get()).devices).toEqual([]);
  });

  it('have one public key for ever, a point of 65 bytes', async () => {
    const { get, key } = await withPush();
    const { publicKey } = await get();
    const bytes = Buffer.from(publicKey, 'base64url');
    expect([bytes.length, bytes[0]]).toEqual([65, 4]);
    expect((await get(await key('other@example.com'))).publicKey).toBe(publicKey);
  });

  it('need a key that may read as well as write: they are told what tasks say', async () => {
    const { add, get, key } = await withPush();
    for (const scopes of [['write'], ['ingest'], ['write', 'ingest'], ['read']] as const)
      expect((await add({}, await key('me@example.com', scopes))).status, scopes.join()).toBe(403);
    expect((await get()).devices).toEqual([]);
  });

  it('end with the key that added them, when it is revoked and at its own end', async () => {
    const { call, clock, parts, session, user } = await withPush();
    const { id: ownerId } = await user('me@example.com');
    const { accessToken: token } = await session();
    const addWith = async (fields: object, expiresAt: number | null = null) => {
      const made = await parts.apiKeys.create(ownerId, { name: 'x', expiresAt });
      const added = await call('POST', '/push/devices', { key: made.key, body: subscription(fields) });
      expect(added.status).toBe(201);
      return made;
    };
    const told = async () => (await parts.storage.push.get(ownerId))?.devices.map(({ name }) => name);
    await call('POST', '/push/devices', { token, body: subscription() });
    const { record } = await addWith({ endpoint: 'https://push.example.com/a', name: 'revoked' });
    await addWith({ endpoint: 'https://push.example.com/b', name: 'expires' }, MORNING + 60_000);
    expect(await told()).toEqual(['Firefox on Linux', 'revoked', 'expires']);
    await call('DELETE', `/auth/api-keys/${record.id}`, { token });
    expect(await told()).toEqual(['Firefox on Linux', 'expires']);
    const [, device] = (await parts.storage.push.get(ownerId))?.devices ?? [];
    const isTold = () => parts.push.test(ownerId, device?.id ?? '');
    clock.advance(59_999);
    expect(await isTold()).toBe(true);
    clock.advance(1);
    expect(await isTold()).toBe(false);
  });

  it('need a key that may write, and go with a session that ends while one is added', async () => {
    const { call, key, session, parts, user } = await withPush();
    const reader = await key('me@example.com', ['read']);
    expect((await call('POST', '/push/devices', { key: reader, body: subscription() })).status).toBe(403);
    expect((await call('GET', '/push')).status).toBe(401);
    const { accessToken: token } = await session();
    const { id } = await user();
    const change = parts.storage.push.change.bind(parts.storage.push);
    parts.storage.push.change = async (...args) => {
      const changed = await change(...args);
      await parts.storage.accounts.revokeSessions(id, MORNING);
      return changed;
    };
    expect((await call('POST', '/push/devices', { token, body: subscription() })).status).toBe(401);
    expect((await parts.storage.push.get(id))?.devices).toEqual([]);
  });
});

describe('what is pushed', () => {
  const quiet = { from: '22:00', to: '07:00', zone: 'Europe/Berlin', days: [1, 2], pass: ['high'] };

  it('is tasks of high priority until something else is chosen, which is of the user alone', async () => {
    const { get, rules, key } = await withPush();
    expect((await get()).rules).toEqual(DEFAULT_RULES);
    const wanted = {
      priorities: ['normal', 'high'],
      intakes: ['int_1'],
      tags: ['ops'],
      withhold: true,
      quiet,
      doNotDisturbUntil: '2026-11-21T10:00:00.000Z',
    };
    expect(await rules(wanted)).toMatchObject({ status: 200, body: { success: true, rules: wanted } });
    expect((await get()).rules).toEqual(wanted);
    expect((await get(await key('other@example.com'))).rules).toEqual(DEFAULT_RULES);
  });

  it('says nothing of a time that is past', async () => {
    const { get, rules, clock } = await withPush();
    await rules({ doNotDisturbUntil: '2026-11-21T09:00:01.000Z' });
    expect((await get()).rules).toMatchObject({ doNotDisturbUntil: '2026-11-21T09:00:01.000Z' });
    clock.advance(1000);
    expect((await get()).rules).toMatchObject({ doNotDisturbUntil: null });
    expect((await rules({ doNotDisturbUntil: '2020-01-01T00:00:00Z' })).body['rules']).toMatchObject({
      doNotDisturbUntil: null,
    });
  });

  it.each([
    ['priorities/0', { priorities: ['urgent'] }],
    ['quiet/from', { quiet: { ...quiet, from: '24:00' } }],
    ['quiet/zone', { quiet: { ...quiet, zone: 'Europe/Nowhere' } }],
    ['quiet/zone', { quiet: { ...quiet, zone: '+02:00' } }],
    ['quiet/to', { quiet: { ...quiet, to: '22:00' } }],
    ['quiet/days', { quiet: { ...quiet, days: [] } }],
    ['quiet/days/0', { quiet: { ...quiet, days: [7] } }],
    ['doNotDisturbUntil', { doNotDisturbUntil: '2028-01-01T00:00:00Z' }],
    ['tags/0', { tags: ['\ud800'] }],
    ['intakes', { intakes: Array.from({ length: 51 }, String) }],
  ])('is refused for a wrong %s, and stays as it was', async (field, wrong) => {
    const { get, rules } = await withPush();
    const refused = await rules(wrong);
    const [first] = refused.body['details'] as object[];
    expect([refused.status, first]).toMatchObject([400, { field }]);
    expect((await get()).rules).toEqual(DEFAULT_RULES);
  });
});
