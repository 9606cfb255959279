// What a key may not read it is not told by a write either: an answer to it holds what it sent itself, or a
// receipt.
import { describe, expect, it } from 'vitest';
import type { Scope } from '#core/contract/index.ts';
import { createTestApp, type CallOptions } from '#test/helpers/app.ts';

const SECRET = 'the payroll of March';
const mine = {
  content: SECRET,
  tags: ['payroll-tag'],
  metadata: { salary: 'payroll-metadata' },
  source: 'payroll-source',
  priority: 'high',
  dedupeKey: 'backup',
};
type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

async function withTask(...scopes: Scope[]) {
  const { call, key, clock } = await createTestApp();
  const made = await call('POST', '/tasks', { key: await key(), body: mine });
  const { id } = made.body['task'] as { id: string };
  clock.advance(1000);
  const narrow = await key('me@example.com', scopes);
  const ask = (method: Method, path: string, options: CallOptions = {}) =>
    call(method, path, { key: narrow, ...options });
  return { ask, id, call, key };
}

const receipt = (id: string, version: number, occurrences = 1) => ({ id, version, occurrences });

describe.each<Scope>(['ingest', 'write'])('a key with the scope %s alone', (scope) => {
  it('is told of the task that its dedupe key repeats no more than its id, version and occurrences', async () => {
    const { ask, id } = await withTask(scope);
    const again = await ask('POST', '/tasks', { body: { content: 'x', dedupeKey: 'backup' } });
    expect(again).toMatchObject({ status: 201, body: { success: true } });
    expect(again.body['task']).toEqual(receipt(id, 2, 2));
    expect(again.text).not.toContain('payroll');
  });

  it('is told of a batch what it made, and of what it repeated a receipt', async () => {
    const { ask, id } = await withTask(scope);
    const tasks = [{ content: 'new' }, { content: 'x', dedupeKey: 'backup' }];
    const { status, body, text } = await ask('POST', '/tasks/batch', { body: { tasks } });
    expect([status, body['tasks']]).toEqual([
      201,
      [expect.objectContaining({ content: 'new', version: 1 }), receipt(id, 2, 2)],
    ]);
    expect(text).not.toContain('payroll');
  });

  it('is given its own first answer again for the same Idempotency-Key, and nothing beyond it', async () => {
    const { ask, id } = await withTask(scope);
    const send = (body: object, key: string) =>
      ask('POST', '/tasks', { body, headers: { 'idempotency-key': key } });
    const made = await send({ content: 'new' }, 'a');
    const repeated = await send({ content: 'x', dedupeKey: 'backup' }, 'b');
    const again = [
      await send({ content: 'new' }, 'a'),
      await send({ content: 'x', dedupeKey: 'backup' }, 'b'),
    ];
    expect(again.map(({ headers }) => headers['idempotency-replayed'])).toEqual(['true', 'true']);
    expect(again.map(({ body }) => body)).toEqual([made.body, repeated.body]);
    expect(made.body['task']).toMatchObject({ content: 'new' });
    expect(repeated.body['task']).toEqual(receipt(id, 2, 2));
  });

  it('is told the id alone when it asks for the queue', async () => {
    const { ask, id } = await withTask(scope);
    const { status, body } = await ask('POST', '/tasks', {
      body: { content: 'x', dedupeKey: 'backup' },
      headers: { prefer: 'respond-async' },
    });
    expect([status, body]).toEqual([202, { success: true, id }]);
  });
});

it.each<[string, Method, string, object | undefined]>([
  ['an edit', 'PUT', '', { priority: 'low' }],
  ['a pin', 'PATCH', '/pin', { pinned: true }],
  ['an extension', 'POST', '/extend', { minutes: 5 }],
  ['a snooze', 'POST', '/snooze', { minutes: 5 }],
])('a key that may write and not read is answered %s with a receipt', async (_name, method, path, body) => {
  const { ask, id } = await withTask('write', 'ingest');
  const changed = await ask(method, `/tasks/${id}${path}`, { body });
  expect([changed.status, changed.body]).toEqual([200, { success: true, task: receipt(id, 2) }]);
});

it('a key that may write and not read acknowledges and restores without seeing what', async () => {
  const { ask, id } = await withTask('write');
  expect((await ask('DELETE', `/tasks/${id}`)).text).not.toContain('payroll');
  const restored = await ask('POST', `/tasks/${id}/restore`);
  expect(restored.body).toEqual({ success: true, task: receipt(id, 3) });
  expect((await ask('POST', '/tasks/acknowledge', { body: { ids: [id] } })).text).not.toContain('payroll');
  const all = await ask('POST', '/tasks/restore', { body: { ids: [id] } });
  expect(all.body).toEqual({ success: true, restored: [id], notFound: [], tasks: [receipt(id, 5)] });
  const tasks = [{ id, pinned: true }];
  const changed = await ask('PATCH', '/tasks', { body: { tasks } });
  expect(changed.body).toEqual({ success: true, changed: [id], notFound: [], tasks: [receipt(id, 6)] });
});

it('a key that may read and write is answered the whole task', async () => {
  const { ask, id } = await withTask('read', 'write');
  const again = await ask('POST', '/tasks', { body: { content: 'x', dedupeKey: 'backup' } });
  expect(again.body['task']).toMatchObject({ id, content: SECRET, occurrences: 2 });
  const edited = await ask('PUT', `/tasks/${id}`, { body: { priority: 'low' } });
  expect(edited.body['task']).toMatchObject({ id, content: SECRET, version: 3 });
});

it('what was delivered to an intake is read by keys that may read and write only', async () => {
  const { call, key, session, parts } = await createTestApp();
  const { accessToken: token } = await session();
  const made = await call('POST', '/intakes', {
    token,
    body: { name: 'x', adapter: 'webhook', verification: { scheme: 'none' } },
  });
  const { id, address } = made.body['intake'] as { id: string; address: string };
  const body = { title: SECRET };
  await call('POST', `/hooks/${new URL(address).pathname.split('/').at(-1) ?? ''}`, { body });
  await parts.deliveries.flush();
  const whole = await key('me@example.com', ['read', 'write']);
  const listed = await call('GET', `/intakes/${id}/deliveries`, { key: whole });
  const [{ id: deliveryId }] = listed.body['deliveries'] as [{ id: string }];
  const status = async (path: string, ...scopes: Scope[]) =>
    (await call('GET', path, { key: await key('me@example.com', scopes) })).status;
  for (const path of [`/intakes/${id}/deliveries`, `/intakes/${id}/deliveries/${deliveryId}`])
    expect([
      await status(path, 'write'),
      await status(path, 'read'),
      await status(path, 'read', 'write'),
    ]).toEqual([403, 403, 200]);
  expect(await status('/intakes', 'write')).toBe(200);
});
