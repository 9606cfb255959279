// Webhooks out, from the call that makes one to the receiver that is told.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createHmac } from 'node:crypto';
import type { Webhook, WebhookDelivery } from '#core/contract/index.ts';
import { WEBHOOK_WORK } from '#core/domain/webhook.ts';
import { MOST_WAITING, newWork } from '#core/domain/work.ts';
import { buildFixture, type CallOptions, type Fixture } from '#test/helpers/app.ts';
import { startReceiver, type Answer, type Receiver } from '#test/helpers/receivers.ts';
import { waitFor } from '#test/program/wait.ts';

const SECOND = 1000;
const HOUR = 3_600_000;
const EVENTS = ['task.created', 'task.updated', 'task.acknowledged', 'task.expired'];

let app: Fixture;
let owners = 0;
beforeAll(async () => {
  app = await buildFixture({
    OUTGOING_ALLOW: '127.0.0.1',
    WEBHOOK_HTTP: 'true',
    RATE_LIMIT_PER_MINUTE: '100000',
  });
});
afterAll(() => app.close());

async function owner() {
  const email = `webhooks${++owners}@example.com`;
  const key = await app.key(email);
  // A session ends while the time passes.
  const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => {
    const { accessToken: token } = await app.session(email);
    const options: CallOptions = { token, ...(body === undefined ? {} : { body }) };
    return app.call(method, path, options);
  };
  return {
    email,
    key,
    call,
    add: async (body: object = {}) => {
      const made = await app.call('POST', '/tasks', { key, body: { content: 'backup failed', ...body } });
      return (made.body['task'] as { id: string }).id;
    },
    acknowledge: (id: string) => app.call('DELETE', `/tasks/${id}`, { key }),
    async contents(): Promise<string[]> {
      const { body } = await app.call('GET', '/tasks', { key });
      return (body['tasks'] as { content: string }[]).map(({ content }) => content);
    },
  };
}

async function receiver(answer: Answer = 204): Promise<Receiver> {
  const started = await startReceiver(answer);
  onTestFinished(started.close);
  return started;
}

/** An owner with a webhook to a receiver of its own. */
async function told(answer: Answer = 204, settings: object = {}) {
  const from = await owner();
  const to = await receiver(answer);
  const input = { name: 'Bot', url: to.url, events: EVENTS, ...settings };
  const made = await from.call('POST', '/webhooks', input);
  expect(made.status).toBe(201);
  const { id } = made.body['webhook'] as Webhook;
  const deliveries = async () =>
    (await from.call('GET', `/webhooks/${id}/deliveries`)).body['deliveries'] as WebhookDelivery[];
  const webhook = async () => (await from.call('GET', `/webhooks/${id}`)).body['webhook'] as Webhook;
  return {
    ...from,
    to,
    id,
    input,
    secret: made.body['secret'] as string,
    webhook,
    deliveries,
    /** Resolves when the latest delivery is as asked. */
    delivery: (what: string, is: (delivery: WebhookDelivery) => boolean) =>
      waitFor(what, async () => (await deliveries()).find(is)),
  };
}

const signatureOf = (secret: string, id: string, timestamp: string, body: string) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')}`;

describe('a webhook', () => {
  it('is made, read, changed and deleted by its owner in a session, its secret shown once', async () => {
    const { call, id, secret, input, key } = await told();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const list = await call('GET', '/webhooks');
    expect(list.body).toMatchObject({
      webhooks: [{ id, name: 'Bot', events: EVENTS, paused: false, off: null }],
    });
    expect(list.text).not.toContain(secret.slice(6));
    expect(app.logged()).not.toContain(secret.slice(6));
    const saved = await call('PUT', `/webhooks/${id}`, {
      ...input,
      name: ' Other ',
      filter: { tags: ['a', 'a'] },
    });
    expect(saved.body).toMatchObject({ webhook: { name: 'Other', filter: { tags: ['a'], priorities: [] } } });
    for (const [method, path] of [
      ['POST', '/webhooks'],
      ['PUT', `/webhooks/${id}`],
      ['POST', `/webhooks/${id}/secret`],
    ] as const)
      expect(
        (await app.call(method, path, { key, ...(path.endsWith('secret') ? {} : { body: input }) })).status,
      ).toBe(403);
    expect((await app.call('GET', `/webhooks/${id}`, { key })).status).toBe(200);
    const stranger = await owner();
    for (const [method, path, body] of [
      ['GET', `/webhooks/${id}`, undefined],
      ['PUT', `/webhooks/${id}`, input],
      ['DELETE', `/webhooks/${id}`, undefined],
      ['POST', `/webhooks/${id}/secret`, undefined],
      ['POST', `/webhooks/${id}/test`, undefined],
      ['GET', `/webhooks/${id}/deliveries`, undefined],
      ['POST', `/webhooks/${id}/deliveries/x/replay`, undefined],
    ] as const)
      expect([path, (await stranger.call(method, path, body)).status]).toEqual([path, 404]);
    expect((await call('DELETE', `/webhooks/${id}`)).status).toBe(200);
    expect((await call('DELETE', `/webhooks/${id}`)).status).toBe(404);
  });

  it.each([
    [{ url: 'ftp://example.com/' }, 'url', 'such as https'],
    [{ url: 'hooks.example.com' }, 'url', 'such as https'],
    [{ url: 'https://user:secret@example.com/' }, 'url', 'user name'],
    [{ url: 'https://192.168.0.1/' }, 'url', 'public internet'],
    [{ url: 'https://0x7f.1.1/' }, 'url', 'public internet'],
    [{ url: 'https://[::ffff:10.0.0.1]/' }, 'url', 'public internet'],
    [{ name: '  ' }, 'name', 'empty'],
    [{ events: [] }, 'events', ''],
    [{ events: ['task.exploded'] }, 'events/0', ''],
    [{ filter: { tags: ['\ud800'] } }, 'filter/tags/0', 'Unicode'],
  ])('is refused with %j, with the field and what to do', async (wrong, field, words) => {
    const { call } = await owner();
    const input = { name: 'Bot', url: 'https://hooks.example.com/', events: EVENTS };
    const refused = await call('POST', '/webhooks', { ...input, ...wrong });
    expect(refused.status).toBe(400);
    const [detail] = refused.body['details'] as { field: string; message: string }[];
    expect(detail?.field).toBe(field);
    expect(detail?.message).toContain(words);
    expect((await call('GET', '/webhooks')).body).toMatchObject({ webhooks: [] });
  });

  it('is one of ten at the most', async () => {
    const { call } = await owner();
    const input = { name: 'Bot', url: 'https://hooks.example.com/', events: EVENTS };
    for (let n = 0; n < 10; n++) expect((await call('POST', '/webhooks', input)).status).toBe(201);
    expect((await call('POST', '/webhooks', input)).status).toBe(409);
  });
});

describe('a message', () => {
  it('says what happened to which task, is signed, and comes in the order of the task', async () => {
    const { to, add, acknowledge, call, secret, delivery } = await told();
    const id = await add({ tags: ['db'], priority: 'high' });
    await call('PUT', `/tasks/${id}`, { priority: 'low' });
    await acknowledge(id);
    await call('POST', `/tasks/${id}/restore`);
    const all = await to.count(4);
    expect(to.types()).toEqual(['task.created', 'task.updated', 'task.acknowledged', 'task.updated']);
    expect(all.map(({ task }) => task.version)).toEqual([1, 2, 3, 4]);
    const [first] = all;
    if (first === undefined) throw new Error('nothing came');
    expect(JSON.parse(first.body)).toMatchObject({
      type: 'task.created',
      timestamp: expect.stringMatching(/^2026-11-21T/) as string,
      data: { id, content: 'backup failed', tags: ['db'], priority: 'high', version: 1 },
    });
    expect(first.body).not.toContain('ownerId');
    const { 'webhook-timestamp': timestamp = '', 'webhook-signature': signature } = first.headers;
    expect(signature).toBe(signatureOf(secret, first.id, timestamp, first.body));
    expect(first.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Qinbox' });
    const shown = await delivery('the delivery', (one) => one.id === first.id && one.status === 'delivered');
    expect(shown).toMatchObject({ event: 'task.created', taskId: id, attempts: 1, nextAttemptAt: null });
    expect(shown.answer).toMatchObject({ status: 204, error: null, body: '' });
  });

  it('is tried again under the same id, later each time, and the task’s next events wait for it', async () => {
    const { to, add, acknowledge, delivery } = await told((_, response) =>
      response.writeHead(500).end('no\u0000 luck'),
    );
    const id = await add();
    await acknowledge(id);
    const failed = await delivery('the failure', (one) => one.attempts === 1);
    expect(failed).toMatchObject({
      status: 'waiting',
      answer: { status: 500, error: 'It did not take it.', body: 'no\u0000 luck' },
    });
    const wait = Date.parse(failed.nextAttemptAt ?? '') - app.clock.now();
    expect(wait).toBeGreaterThan(3 * SECOND);
    expect(wait).toBeLessThanOrEqual(5 * SECOND);
    to.answer(200);
    app.clock.advance(5 * SECOND);
    const [first, second, third] = await to.count(3);
    expect(second?.id).toBe(first?.id);
    expect([second?.type, third?.type]).toEqual(['task.created', 'task.acknowledged']);
  });

  it('does not come again before the time in Retry-After', async () => {
    const { to, add, delivery } = await told((_, response) =>
      response.writeHead(503, { 'retry-after': '3600' }).end(),
    );
    await add();
    const failed = await delivery('the failure', (one) => one.attempts === 1);
    expect(Date.parse(failed.nextAttemptAt ?? '')).toBeGreaterThanOrEqual(app.clock.now() + HOUR - SECOND);
    to.answer(200);
    await add();
    app.clock.advance(HOUR - 2 * SECOND);
    app.clock.advance(4 * SECOND);
    await to.count(3);
    expect(to.received).toHaveLength(3);
  });

  it('is not sent where it redirects, and not inside', async () => {
    const inside = await receiver();
    const { to, add, delivery, call, id, input } = await told((_, response) =>
      response.writeHead(302, { location: inside.url }).end(),
    );
    await add();
    const failed = await delivery('the failure', (one) => one.attempts === 1);
    expect(failed.answer).toMatchObject({
      status: 302,
      error: expect.stringContaining('redirects') as string,
    });
    // Its name leads to ::1 or 127.0.0.1; only the latter is allowed here, and nobody listens on the port.
    await call('PUT', `/webhooks/${id}`, { ...input, url: `http://[::ffff:7f00:2]:${to.port}/` }).then(
      ({ status }) => expect(status).toBe(400),
    );
    expect(inside.received).toEqual([]);
  });

  it('is sent as a test, and again when its owner asks', async () => {
    const { to, call, id, add, delivery } = await told();
    const sent = await call('POST', `/webhooks/${id}/test`);
    expect(sent.status).toBe(201);
    const [test] = await to.count(1);
    expect(test).toMatchObject({ type: 'webhook.test', id: (sent.body['delivery'] as WebhookDelivery).id });
    await add();
    await to.count(2);
    const done = await delivery(
      'the delivery',
      (one) => one.event === 'task.created' && one.status === 'delivered',
    );
    const again = await call('POST', `/webhooks/${id}/deliveries/${done.id}/replay`);
    expect(again.status).toBe(201);
    expect((await to.count(3))[2]).toMatchObject({ id: done.id, type: 'task.created' });
    expect((await call('POST', `/webhooks/${id}/deliveries/none/replay`)).status).toBe(404);
  });

  it('is sent as a test at once, also where the address rests because it has failed', async () => {
    const { to, call, id, add, delivery } = await told((_, response) => response.writeHead(500).end());
    // More than the failures in a row after which it rests.
    for (let at = 1; at <= 6; at++) {
      await add();
      await to.count(at);
    }
    await delivery('the last failure', (one) => one.attempts === 1);
    to.answer(200);
    const sent = await call('POST', `/webhooks/${id}/test`);
    const test = (sent.body['delivery'] as WebhookDelivery).id;
    const delivered = await delivery('the test', (one) => one.id === test && one.status === 'delivered');
    expect(delivered.attempts).toBe(1);
  });

  it('is signed by a new secret and, for a day, by the former one', async () => {
    const { to, call, id, secret, webhook } = await told();
    const fresh = (await call('POST', `/webhooks/${id}/secret`)).body['secret'] as string;
    expect((await webhook()).previousSecretUntil).not.toBeNull();
    const sent = async (many: number) => {
      await call('POST', `/webhooks/${id}/test`);
      const message = (await to.count(many))[many - 1];
      if (message === undefined) throw new Error('nothing came');
      const { id: event, body, headers } = message;
      const by = (one: string) => signatureOf(one, event, headers['webhook-timestamp'] ?? '', body);
      return { got: headers['webhook-signature'], by };
    };
    const both = await sent(1);
    expect(both.got).toBe(`${both.by(fresh)} ${both.by(secret)}`);
    app.clock.advance(24 * HOUR);
    const one = await sent(2);
    expect(one.got).toBe(one.by(fresh));
    expect((await webhook()).previousSecretUntil).toBeNull();
  });

  it('comes to a receiver that is paused only of what happened before and after', async () => {
    const { to, call, id, input, add } = await told();
    await add();
    await to.count(1);
    await call('PUT', `/webhooks/${id}`, { ...input, paused: true });
    await add();
    expect((await call('POST', `/webhooks/${id}/test`)).status).toBe(409);
    await call('PUT', `/webhooks/${id}`, input);
    const last = await add();
    expect((await to.count(2))[1]?.task.id).toBe(last);
  });
});

describe('a webhook is switched off', () => {
  it('when its receiver is gone, and its owner is told; saving it switches it on', async () => {
    const { to, add, contents, webhook, call, id, input, delivery } = await told(410);
    await add();
    const off = await waitFor('it to be off', async () => (await webhook()).off);
    expect(off.reason).toContain('410');
    expect(await contents()).toContainEqual(expect.stringContaining('Webhook “Bot” was switched off.'));
    await delivery('the refusal', (one) => one.status === 'failed' && one.answer?.status === 410);
    await add();
    expect(to.received).toHaveLength(1);
    to.answer(204);
    await call('PUT', `/webhooks/${id}`, input);
    expect((await webhook()).off).toBeNull();
    await add();
    await to.count(2);
  });

  it('when too many bytes wait for it, also while it rests for a day', async () => {
    const { to, add, contents, webhook, id, email, delivery } = await told((_, response) =>
      response.writeHead(503, { 'retry-after': '86400' }).end(),
    );
    await add();
    await delivery('the failure', (one) => one.attempts === 1);
    const { id: ownerId } = await app.user(email);
    const { work } = app.parts.storage;
    const payload = JSON.stringify('x'.repeat(4 * 1024 * 1024));
    const send = (key: string) => {
      const about = { id: key, key, kind: WEBHOOK_WORK, ownerId, lane: id, sequence: 1, payload };
      return work.add([newWork(about, app.clock.now())]);
    };
    const most = MOST_WAITING.bytes / payload.length;
    for (let n = 1; n < most; n++) await send(`waits ${n}`);
    expect(await webhook()).toMatchObject({ off: null });
    for (let n = 0; n < 8; n++) await send(`one more ${n}`);
    const off = await waitFor('it to be off', async () => (await webhook()).off);
    expect(off.reason).toContain('256 MiB');
    // But what was sent after that.
    const isGivenUp = async () => (await work.waiting(id)).count <= 8;
    await waitFor('what waits to be given up', isGivenUp, 30_000);
    expect(await contents()).toContainEqual(expect.stringContaining('256 MiB'));
    expect(to.received).toHaveLength(1);
  });

  it('when nothing was taken for three days, after many attempts', { timeout: 900_000 }, async () => {
    const { to, add, contents, webhook, deliveries } = await told(500);
    await add({ expiryMinutes: 10_080 });
    let last = 0;
    await waitFor('it to be off', async () => {
      if ((await webhook()).off !== null) return true;
      const [one] = await deliveries();
      if (one !== undefined && one.attempts > last) {
        last = one.attempts;
        app.clock.advance(Math.max(0, Date.parse(one.nextAttemptAt ?? '') - app.clock.now()) + HOUR / 4);
      } else app.clock.advance(SECOND);
      return null;
    });
    expect(to.received.length).toBeGreaterThan(8);
    expect(new Set(to.received.map(({ id }) => id)).size).toBe(1);
    expect(await contents()).toContainEqual(expect.stringContaining('Every delivery has failed since'));
  });

  it('not by what fails right after the machine slept for days, and what waited is told then', async () => {
    const { to, add, webhook } = await told(500);
    const tasks: string[] = [];
    for (let count = 0; count < 4; count++) tasks.push(await add({ expiryMinutes: 10_080 }));
    await waitFor('it to count as failing', async () => (await webhook()).failingSince);
    const { length: before } = to.received;
    app.clock.sleep(4 * 24 * HOUR);
    await waitFor('an attempt after that', () => to.received.length > before);
    expect((await webhook()).off).toBeNull();
    to.answer(204);
    await waitFor('all to be told', () => {
      // Not all at once: the hour begins with the note of the attempt that failed.
      app.clock.advance(HOUR / 4);
      return tasks.every((id) => to.received.slice(before + 1).some(({ task }) => task.id === id));
    });
    expect((await webhook()).off).toBeNull();
  });
});
