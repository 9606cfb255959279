// Intakes at the addresses of other hubs' protocols: the answers that their clients wait for, one task for
// what is sent twice, and nothing said to callers without a token. The clients themselves: test/clients.
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildFixture, createTestApp, MORNING, type Fixture, type TestApp } from '#test/helpers/app.ts';

interface Shown {
  content: string;
  priority: string;
  tags: string[];
  occurrences: number;
  metadata: { url?: string };
}

interface OtherAddress {
  title: string;
  address: string;
  key: string | null;
  apps: string | null;
}

let app: Fixture;
let owners = 0;
beforeAll(async () => {
  app = await buildFixture();
});
afterAll(() => app.close());

async function intake(fields: object = {}, on: TestApp = app) {
  const email = `protocols${++owners}@example.com`;
  const { accessToken: token } = await on.session(email);
  const body = { name: 'x', adapter: 'webhook', verification: { scheme: 'none' }, ...fields };
  const made = await on.call('POST', '/intakes', { token, body });
  const { address, id } = made.body['intake'] as { address: string; id: string };
  return {
    id,
    ownerId: (await on.user(email)).id,
    token: address.split('/').at(-1) as string,
    async otherAddresses(): Promise<OtherAddress[]> {
      const shown = await on.call('GET', `/intakes/${id}`, { token });
      return (shown.body['intake'] as { otherAddresses: OtherAddress[] }).otherAddresses;
    },
    async rotate() {
      const rotated = await on.call('POST', `/intakes/${id}/rotate`, { token, body: { graceMinutes: 0 } });
      expect(rotated.status).toBe(200);
    },
    async pause() {
      expect((await on.call('PATCH', `/intakes/${id}`, { token, body: { paused: true } })).status).toBe(200);
    },
    async tasks(): Promise<Shown[]> {
      return (await on.call('GET', '/tasks', { token })).body['tasks'] as Shown[];
    },
    async deliveries(): Promise<{ verdict: string; reason: string | null; request: unknown }[]> {
      const answer = await on.call('GET', `/intakes/${id}/deliveries`, { token });
      return answer.body['deliveries'] as { verdict: string; reason: string | null; request: unknown }[];
    },
  };
}

async function send(
  url: string,
  payload: object | string,
  headers: Record<string, string> = {},
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' = 'POST',
) {
  const isJson = typeof payload !== 'string';
  const answer = await app.app.inject({
    method,
    url,
    ...(method === 'GET' ? {} : { payload }),
    headers: { ...(isJson ? { 'content-type': 'application/json' } : {}), ...headers },
  });
  const isJsonAnswer = /json/.test(answer.headers['content-type'] ?? '');
  return {
    status: answer.statusCode,
    body: (isJsonAnswer ? answer.json() : answer.body) as Record<string, unknown>,
    headers: answer.headers,
  };
}

const text = 'text/plain;charset=utf-8';

describe('ntfy', () => {
  it('publishes to a topic with every header, and answers with the message', async () => {
    const { token, tasks } = await intake();
    const headers = {
      'content-type': text,
      title: '=?UTF-8?B?U3RvcmFnZSDwn5SL?=',
      priority: 'urgent',
      tags: 'warning,disk',
      click: 'https://nas.example.com/',
    };
    const published = await send(`/${token}`, 'Disk full', headers);
    expect(published).toMatchObject({
      status: 200,
      body: {
        id: expect.stringMatching(/^[0-9a-f]{12}$/) as string,
        time: MORNING / 1000,
        event: 'message',
        topic: token,
        title: 'Storage 🔋',
        message: 'Disk full',
        priority: 5,
        tags: ['warning', 'disk'],
        click: 'https://nas.example.com/',
      },
    });
    expect(await send(`/${token}`, 'Disk full', headers, 'PUT')).toMatchObject({
      body: { id: published.body['id'] },
    });
    expect(await tasks()).toMatchObject([
      {
        content: '⚠️ Storage 🔋\nDisk full',
        priority: 'high',
        tags: ['disk'],
        occurrences: 2,
        metadata: { url: 'https://nas.example.com/' },
      },
    ]);
  });

  it('publishes JSON to the root, and stores no topic that is a token', async () => {
    const { token, tasks, deliveries } = await intake();
    const message = { topic: token, message: 'Disk full', title: 'NAS', priority: 4, tags: ['disk'] };
    expect(await send('/', message)).toMatchObject({ status: 200, body: { topic: token, priority: 4 } });
    expect(await tasks()).toMatchObject([{ content: 'NAS\nDisk full', priority: 'high', tags: ['disk'] }]);
    await expect.poll(deliveries).toHaveLength(1);
    expect(JSON.stringify([await tasks(), await deliveries()])).not.toContain(token);
  });

  it.each(['publish', 'send', 'trigger'])(
    'publishes by GET to /%s, with everything in the query',
    async (word) => {
      const { token, tasks } = await intake();
      const query = 'message=Disk+full&title=NAS&p=1&tags=disk&click=https://nas.example.com/';
      expect(await send(`/${token}/${word}?${query}`, '', {}, 'GET')).toMatchObject({ status: 200 });
      expect(await tasks()).toMatchObject([
        {
          content: 'NAS\nDisk full',
          priority: 'low',
          tags: ['disk'],
          metadata: { url: 'https://nas.example.com/' },
        },
      ]);
    },
  );

  it.each([
    ['a bearer token', (token: string) => ({ authorization: `Bearer ${token}` }), ''],
    ['a password', (token: string) => ({ authorization: `Basic ${btoa(`me:${token}`)}` }), ''],
    ['?auth=', () => ({}), '?auth='],
  ])('takes the token as %s of a topic with a name', async (_place, headers, query) => {
    const { token, tasks } = await intake();
    const auth = query === '' ? '' : `${query}${Buffer.from(`Bearer ${token}`).toString('base64url')}`;
    const sent = await send(`/backups${auth}`, 'Disk full', { 'content-type': text, ...headers(token) });
    expect(sent).toMatchObject({ status: 200, body: { topic: 'backups' } });
    expect(await tasks()).toMatchObject([{ content: 'Disk full' }]);
  });

  it('deletes and clears what it published, by the sequence id or by the id that was answered', async () => {
    const { token, tasks } = await intake();
    const plain = { 'content-type': text };
    const { body } = await send(`/${token}`, 'one', plain);
    expect(body).not.toHaveProperty('sequence_id');
    expect(await send(`/${token}/backup`, 'two', plain)).toMatchObject({ body: { sequence_id: 'backup' } });
    await send('/', { topic: token, message: 'three', sequence_id: 'third' });
    const named = { ...plain, authorization: `Bearer ${token}` };
    await send('/alerts', 'four', { ...named, 'x-sequence-id': 'backup' });
    expect(await tasks()).toHaveLength(4);
    const gone = await send(`/${token}/${String(body['id'])}`, '', {}, 'DELETE');
    expect(gone).toMatchObject({ status: 200, body: { event: 'message_delete', sequence_id: body['id'] } });
    expect((await tasks()).map(({ content }) => content).toSorted()).toEqual(['four', 'three', 'two']);
    await send(`/${token}/backup/clear`, '', {}, 'PUT');
    await send(`/${token}/third/read`, '', {}, 'PUT');
    // The topic is part of it.
    expect(await tasks()).toMatchObject([{ content: 'four', tags: ['alerts'] }]);
    await send('/alerts/backup', '', { authorization: `Bearer ${token}` }, 'DELETE');
    expect(await tasks()).toEqual([]);
    expect((await send(`/${token}/of-nothing`, '', {}, 'DELETE')).status).toBe(200);
  });

  it('replaces what a message says by a later one with its sequence id', async () => {
    const { token, tasks } = await intake();
    const plain = { 'content-type': text };
    await send(`/${token}/backup`, 'At 10%', { ...plain, priority: 'high', title: 'Backup', tags: 'nas' });
    expect(await send(`/${token}/backup`, 'Done', { ...plain, click: 'https://nas.example/' })).toMatchObject(
      {
        status: 200,
        body: { message: 'Done', sequence_id: 'backup' },
      },
    );
    expect(await tasks()).toMatchObject([
      {
        content: 'Done',
        priority: 'normal',
        tags: [],
        occurrences: 2,
        metadata: { url: 'https://nas.example/' },
      },
    ]);
  });

  it('refuses a priority that is none with its own code, and makes nothing', async () => {
    const { token, tasks, deliveries } = await intake();
    expect(await send(`/${token}`, 'x', { 'content-type': text, priority: '9' })).toMatchObject({
      status: 400,
      body: { code: 40007, http: 400, error: 'invalid priority parameter' },
    });
    expect(await tasks()).toEqual([]);
    await expect.poll(deliveries).toMatchObject([{ verdict: 'refused' }]);
  });

  it('carries out the templates of a message over its JSON, and says what it made of them', async () => {
    const { token, tasks } = await intake();
    const query = String(
      new URLSearchParams({
        tpl: '1',
        t: 'Error: {{.error.level}}',
        m: '{{.error.desc}} on {{.host}}',
      }),
    );
    const body = { host: 'nas-2', error: { level: 'severe', desc: 'Disk full' }, title: 'x', message: 'y' };
    const sent = await send(`/${token}?${query}`, body);
    expect(sent).toMatchObject({
      status: 200,
      body: { title: 'Error: severe', message: 'Disk full on nas-2' },
    });
    expect(await tasks()).toMatchObject([{ content: 'Error: severe\nDisk full on nas-2' }]);
    expect(await send(`/${token}?${query}`, 'no JSON', { 'content-type': text })).toMatchObject({
      status: 400,
      body: { code: 40042 },
    });
    expect(await tasks()).toHaveLength(1);
  });

  it('takes a file that is too long to be read, by what its headers say, and keeps nothing of it', async () => {
    const { token, tasks, deliveries } = await intake();
    const file = '\u0000'.repeat(2 * 1024 * 1024);
    const headers = { filename: 'nas.img', title: 'Backup', message: 'Done', priority: 'high' };
    const sent = await send(`/${token}`, file, headers, 'PUT');
    expect(sent).toMatchObject({ status: 200, body: { title: 'Backup', message: 'Done' } });
    await send(`/${token}/weekly`, file, { filename: 'nas.img', 'content-encoding': 'gzip' }, 'PUT');
    await send(`/${token}`, file, {}, 'PUT');
    const metadata = { attachment: 'nas.img', attachmentBytes: 2 * 1024 * 1024 };
    expect((await tasks()).toSorted((a, b) => a.content.localeCompare(b.content))).toMatchObject([
      { content: 'Backup\nDone', priority: 'high', metadata },
      { content: 'File: attachment', metadata: { ...metadata, attachment: 'attachment' } },
      { content: 'File: nas.img', metadata },
    ]);
    await expect.poll(deliveries).toHaveLength(3);
    expect(JSON.stringify(await deliveries()).length).toBeLessThan(10_000);
    expect((await send(`/${token}/${String(sent.body['id'])}`, '', {}, 'DELETE')).status).toBe(200);
    expect(await tasks()).toHaveLength(2);
  });

  it('says in its words what is too large or cannot be, before it is read as well', async () => {
    const { token, tasks } = await intake();
    const tooLarge = { status: 413, body: { code: 41301, http: 413 } };
    const jsonTooLarge = { status: 413, body: { code: 41303, http: 413 } };
    const file = ' '.repeat(15 * 1024 * 1024 + 1);
    expect(await send(`/${token}`, file, { filename: 'nas.img' }, 'PUT')).toMatchObject(tooLarge);
    const chunked = await app.app.inject({
      method: 'PUT',
      url: `/${token}`,
      payload: Readable.from(Array.from({ length: 17 }, () => Buffer.alloc(1024 * 1024))),
      headers: { 'transfer-encoding': 'chunked' },
    });
    expect({ status: chunked.statusCode, body: chunked.json() }).toMatchObject(tooLarge);
    const json = { topic: token, message: 'x'.repeat(1024 * 1024) };
    for (const url of ['/', `/${token}`, `/${token}?tpl=1`])
      expect(await send(url, json)).toMatchObject(jsonTooLarge);
    const named = { authorization: `Bearer ${token}`, 'content-type': text };
    expect(await send('/docs', 'x', named)).toMatchObject({ status: 405, body: { http: 405 } });
    expect(await send('/docs', 'x')).toMatchObject({ body: { code: 'METHOD_NOT_ALLOWED' } });
    const gotify = await send(`/message?token=${token}`, { message: 'x'.repeat(1024 * 1024) });
    expect(gotify).toMatchObject({ status: 413, body: { error: 'Request Entity Too Large' } });
    const slack = await send(`/services/T0/B0/${token}`, { text: 'x'.repeat(1024 * 1024) });
    expect(slack).toMatchObject({ status: 413, body: 'invalid_payload' });
    expect(await tasks()).toEqual([]);
  });

  it('is healthy', async () => {
    expect(await send('/v1/health', '', {}, 'GET')).toMatchObject({ status: 200, body: { healthy: true } });
  });
});

describe('Gotify', () => {
  it.each([
    ['the query', (token: string) => [`/message?token=${token}`, {}] as const],
    ['X-Gotify-Key', (token: string) => ['/message', { 'x-gotify-key': token }] as const],
    [
      'a bearer token, below a prefix',
      (token: string) => ['/gotify/message', { authorization: `Bearer ${token}` }] as const,
    ],
  ])('takes a message with the token in %s', async (_place, call) => {
    const { token, tasks } = await intake();
    const [url, headers] = call(token);
    const message = { title: 'NAS', message: 'Disk full', priority: 8 };
    const sent = await send(url, message, headers);
    expect(sent).toMatchObject({
      status: 200,
      body: { ...message, appid: expect.any(Number), date: new Date(MORNING).toISOString() },
    });
    expect(Number.isSafeInteger(sent.body['id'])).toBe(true);
    expect((await send(url, message, headers)).body['id']).toBe(sent.body['id']);
    expect(await tasks()).toMatchObject([{ content: 'NAS\nDisk full', priority: 'high', occurrences: 2 }]);
  });

  it('takes a form, and parameters of the query', async () => {
    const { token, tasks } = await intake();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    await send(`/message?token=${token}`, 'title=NAS&message=one', form);
    await send(`/message?token=${token}&message=two&priority=1`, '');
    expect((await tasks()).map(({ content }) => content).toSorted()).toEqual(['NAS\none', 'two']);
  });

  it('takes the short form of the token, which clients of Gotify insist on, until the address is replaced', async () => {
    const { tasks, otherAddresses, rotate } = await intake();
    const { address, key } = (await otherAddresses()).find(({ title }) => title === 'Gotify') ?? {};
    expect(key).toMatch(/^A[a-z2-7]{14}$/);
    expect(address).not.toContain(key);
    expect((await send(`/message?token=${key}`, { message: 'x' })).status).toBe(200);
    expect(await tasks()).toMatchObject([{ content: 'x' }]);
    await rotate();
    expect((await send(`/message?token=${key}`, { message: 'x' })).status).toBe(401);
    const fresh = (await otherAddresses()).find(({ title }) => title === 'Gotify');
    expect((await send(`/message?token=${fresh?.key}`, { message: 'x' })).status).toBe(200);
  });

  it('takes the short form for an intake that was made without one, once its owner has looked at it', async () => {
    const { id, ownerId, otherAddresses, tasks } = await intake();
    const { intakes } = app.parts.storage;
    await intakes.change(ownerId, id, (record) => ({ ...record, tokens: record.tokens.slice(0, 1) }));
    for (let time = 0; time < 2; time++) {
      const { key } = (await otherAddresses()).find(({ title }) => title === 'Gotify') ?? {};
      expect((await send(`/message?token=${key}`, { message: 'x' })).status).toBe(200);
      expect((await intakes.get(ownerId, id))?.tokens).toHaveLength(2);
    }
    expect(await tasks()).toMatchObject([{ content: 'x', occurrences: 2 }]);
  });

  it('refuses a priority that is no whole number, and makes nothing', async () => {
    const { token, tasks } = await intake();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const refused = { status: 400, body: { error: 'Bad Request', errorCode: 400 } };
    expect(await send(`/message?token=${token}`, 'message=x&priority=abc', form)).toMatchObject(refused);
    expect(await send(`/message?token=${token}&message=x&priority=abc`, '')).toMatchObject(refused);
    for (const priority of ['abc', 5.5, true, [5]])
      expect(await send(`/message?token=${token}`, { message: 'x', priority })).toMatchObject(refused);
    expect(await tasks()).toEqual([]);
    expect((await send(`/message?token=${token}`, 'message=x&priority=', form)).status).toBe(200);
    expect((await send(`/message?token=${token}`, { message: 'x', priority: null })).status).toBe(200);
    expect(await tasks()).toMatchObject([{ content: 'x', occurrences: 2 }]);
  });

  it('refuses as Gotify does, and says its version', async () => {
    const { token } = await intake();
    expect(await send('/message?token=nobody', { message: 'x' })).toMatchObject({
      status: 401,
      body: { error: 'Unauthorized', errorCode: 401 },
    });
    expect(await send(`/message?token=${token}`, { title: 'x' })).toMatchObject({
      status: 400,
      body: { errorCode: 400, errorDescription: "Field 'message' is required" },
    });
    expect((await send('/version', '', {}, 'GET')).body).toHaveProperty('version');
    expect((await send('/gotifyinfo', '', {}, 'GET')).body).toMatchObject({ oidc: false, register: false });
  });
});

describe('an incoming webhook of Slack', () => {
  it('answers ok as plain text, to JSON and to a form', async () => {
    const { token, tasks } = await intake();
    const sent = await send(`/services/T0/B0/${token}`, { text: '<https://ci.example.com|Build> failed' });
    expect(sent).toMatchObject({ status: 200, body: 'ok' });
    expect(sent.headers['content-type']).toContain('text/plain');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const payload = encodeURIComponent(JSON.stringify({ text: 'from a form' }));
    expect(await send(`/hooks/rocket/${token}`, `payload=${payload}`, form)).toMatchObject({ body: 'ok' });
    expect((await tasks()).map(({ content }) => content).toSorted()).toEqual(['Build failed', 'from a form']);
  });

  it('answers ok at the address of an intake with the preset, as Mattermost does', async () => {
    const { token } = await intake({ preset: 'slack' });
    expect(await send(`/hooks/${token}`, { text: 'x' })).toMatchObject({ status: 200, body: 'ok' });
  });

  it('names faults as Slack does', async () => {
    const { token } = await intake();
    expect(await send(`/services/T0/B0/${token}`, { text: '' })).toMatchObject({
      status: 400,
      body: 'no_text',
    });
    expect(await send('/services/T0/B0/nobody', { text: 'x' })).toMatchObject({
      status: 404,
      body: 'no_service',
    });
    const broken = await send(`/services/T0/B0/${token}`, '{', { 'content-type': 'application/json' });
    expect(broken).toMatchObject({ status: 400, body: 'invalid_payload' });
  });
});

describe('a webhook of Discord', () => {
  it('answers nothing, or with ?wait the message', async () => {
    const { token, tasks } = await intake();
    const url = `/api/webhooks/123/${token}`;
    expect(await send(url, { content: 'Build **failed**' })).toMatchObject({ status: 204, body: '' });
    expect(await send(`${url}?wait=true`, { content: 'Build **failed**' })).toMatchObject({
      status: 200,
      body: {
        id: expect.stringMatching(/^\d{17,20}$/) as string,
        content: 'Build **failed**',
        webhook_id: '123',
      },
    });
    expect(await tasks()).toMatchObject([{ content: 'Build failed', occurrences: 2 }]);
  });

  it("reads Slack's and GitHub's payloads at their addresses", async () => {
    const { token, tasks } = await intake();
    const url = `/api/v10/webhooks/123/${token}`;
    expect(await send(`${url}/slack`, { text: '*bold*' })).toMatchObject({ status: 200, body: 'ok' });
    const ping = { zen: 'Keep it simple', hook_id: 1, hook: { type: 'Repository' } };
    expect(await send(`${url}/github`, ping, { 'x-github-event': 'ping' })).toMatchObject({ status: 204 });
    expect(await tasks()).toMatchObject([{ content: 'bold' }]);
  });

  it('does not know other webhooks', async () => {
    expect(await send('/api/webhooks/123/nobody', { content: 'x' })).toMatchObject({
      status: 404,
      body: { message: 'Unknown Webhook', code: 10015 },
    });
  });
});

describe("PagerDuty's events", () => {
  it('trigger one task by their key and resolve it', async () => {
    const { token, tasks } = await intake();
    const event = (event_action: string, more: object = {}) =>
      send('/v2/enqueue', { routing_key: token, event_action, ...more });
    const problem = { payload: { summary: 'Disk full', source: 'db-3', severity: 'critical' } };
    const first = await event('trigger', problem);
    expect(first).toMatchObject({ status: 202, body: { status: 'success', message: 'Event processed' } });
    const { dedup_key } = first.body;
    // Sent again without a key: the same one is made.
    expect((await event('trigger', problem)).body).toMatchObject({ dedup_key });
    expect(await tasks()).toMatchObject([{ content: 'Disk full\ndb-3', priority: 'high', occurrences: 2 }]);
    expect((await event('acknowledge', { dedup_key })).status).toBe(202);
    expect(await tasks()).toHaveLength(1);
    expect(await event('resolve', { dedup_key })).toMatchObject({ status: 202, body: { dedup_key } });
    expect(await tasks()).toEqual([]);
    expect((await event('resolve', { dedup_key: 'of nothing' })).status).toBe(202);
  });

  it('of version 1 and changes have their own answers', async () => {
    const { token, tasks } = await intake();
    const old = { service_key: token, event_type: 'trigger', incident_key: 'k', description: 'Disk full' };
    expect(await send('/generic/2010-04-15/create_event.json', old)).toMatchObject({
      status: 200,
      body: { incident_key: 'k' },
    });
    const change = { routing_key: token, payload: { summary: 'Deployed' } };
    expect(await send('/v2/change/enqueue', change)).toMatchObject({
      status: 202,
      body: { message: 'Change event processed' },
    });
    expect((await tasks()).map(({ priority }) => priority).toSorted()).toEqual(['high', 'low']);
  });

  it('without a summary, or with an unknown key, are refused with what is wrong', async () => {
    const { token } = await intake();
    const refused = (payload: object) => send('/v2/enqueue', payload);
    expect(await refused({ routing_key: token, event_action: 'trigger', payload: {} })).toMatchObject({
      status: 400,
      body: { status: 'invalid event', errors: ["'payload.summary' is missing or blank"] },
    });
    expect(await refused({ routing_key: 'nobody', event_action: 'trigger' })).toMatchObject({
      status: 400,
      body: { errors: ['Invalid routing key'] },
    });
  });

  it('leave no key in what is stored', async () => {
    const { token, tasks, deliveries } = await intake();
    await send('/v2/enqueue', { routing_key: token, event_action: 'trigger', payload: { summary: 'x' } });
    await expect.poll(deliveries).toHaveLength(1);
    expect(JSON.stringify([await tasks(), await deliveries()])).not.toContain(token);
  });
});

describe("Opsgenie's alerts", () => {
  it('are one task by their alias until they are closed', async () => {
    const { token, tasks } = await intake();
    const headers = { authorization: `GenieKey ${token}` };
    const alert = {
      message: 'Disk full',
      alias: 'db-3',
      priority: 'P1',
      details: { url: 'https://db.example.com' },
    };
    for (let time = 0; time < 2; time++)
      expect(await send('/v2/alerts', alert, headers)).toMatchObject({
        status: 202,
        body: { result: 'Request will be processed' },
      });
    expect(await tasks()).toMatchObject([{ content: 'Disk full', priority: 'high', occurrences: 2 }]);
    expect((await send('/v2/alerts/db-3/acknowledge?identifierType=alias', {}, headers)).status).toBe(202);
    expect(await tasks()).toHaveLength(1);
    expect((await send('/v2/alerts/db-3/close?identifierType=alias', {}, headers)).status).toBe(202);
    expect(await tasks()).toEqual([]);
  });

  it('without a message, or with an unknown key, are refused', async () => {
    const { token } = await intake();
    expect((await send('/v2/alerts', {}, { authorization: `GenieKey ${token}` })).status).toBe(422);
    expect((await send('/v2/alerts', { message: 'x' }, { authorization: 'GenieKey nobody' })).status).toBe(
      401,
    );
  });
});

describe('the Apprise API', () => {
  it.each([
    ['the path', (token: string) => [`/notify/${token}`, {}] as const],
    ['a header', (token: string) => ['/notify', { 'x-apprise-config-id': token }] as const],
  ])('takes a notification with the token in %s; a warning is high', async (_place, call) => {
    const { token, tasks } = await intake();
    const [url, headers] = call(token);
    expect((await send(url, { title: 'NAS', body: 'Disk full', type: 'warning' }, headers)).status).toBe(200);
    expect(await tasks()).toMatchObject([{ content: 'NAS\nDisk full', priority: 'high' }]);
  });
});

describe('every protocol', () => {
  const calls: readonly (readonly [string, (token: string) => Promise<{ status: number; body: unknown }>])[] =
    [
      ['ntfy', (token) => send(`/${token}`, 'x', { 'content-type': text })],
      ['gotify', (token) => send(`/message?token=${token}`, { message: 'x' })],
      ['slack', (token) => send(`/services/T/B/${token}`, { text: 'x' })],
      ['discord', (token) => send(`/api/webhooks/1/${token}`, { content: 'x' })],
      [
        'pagerduty',
        (token) =>
          send('/v2/enqueue', { routing_key: token, event_action: 'trigger', payload: { summary: 'x' } }),
      ],
      ['opsgenie', (token) => send('/v2/alerts', { message: 'x' }, { authorization: `GenieKey ${token}` })],
      ['apprise', (token) => send(`/notify/${token}`, { body: 'x' })],
    ];

  it.each(calls)('%s repeats no token that is unknown, and logs none', async (_name, call) => {
    const unknown = 'abcdefghijklmnopqrstuvwx23';
    const refused = await call(unknown);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.status).toBeLessThan(500);
    expect(JSON.stringify(refused.body)).not.toContain(unknown);
    const { token } = await intake();
    expect((await call(token)).status).toBeLessThan(300);
    expect(app.logged()).not.toContain(unknown);
    expect(app.logged()).not.toContain(token);
  });

  it.each(calls)('%s does not get around the verification of the intake', async (_name, call) => {
    const { token, tasks } = await intake({
      preset: 'github',
      verification: { scheme: 'github', secret: 'a long random text' },
    });
    expect((await call(token)).status).toBeGreaterThanOrEqual(400);
    expect(await tasks()).toEqual([]);
  });

  it.each(calls)('%s asks to come back when nothing can be taken now', async (_name, call) => {
    const { token, pause } = await intake();
    await pause();
    const later = await call(token);
    expect(later).toMatchObject({ status: 503, headers: { 'retry-after': '300' } });
  });

  it('is among the addresses that the intake shows, unless it is off', async () => {
    const { otherAddresses, token } = await intake();
    const shown = await otherAddresses();
    expect(shown.map(({ title }) => title)).toEqual([
      'ntfy',
      'Gotify',
      'Slack incoming webhook',
      'Discord webhook',
      'PagerDuty Events',
      'Opsgenie',
      'Apprise API',
    ]);
    for (const { title, address, key } of shown)
      if (title !== 'Gotify') expect(`${address} ${key}`).toContain(token);
    // What those who read need is theirs, and no token of an intake.
    const apps = shown.flatMap((each) => each.apps ?? []);
    expect(apps).toHaveLength(2);
    for (const setup of apps) {
      expect(setup).toContain('an API key as password');
      expect(setup).not.toContain(token);
    }
    const few = await intake({}, await createTestApp({ QINBOX_PROTOCOLS: 'slack' }));
    expect((await few.otherAddresses()).map(({ title }) => title)).toEqual(['Slack incoming webhook']);
  });

  it('hides no address of another kind', async () => {
    expect(await send('/health', 'x', { 'content-type': text }, 'PUT')).toMatchObject({
      status: 405,
      headers: { allow: expect.stringContaining('GET') as string },
    });
  });

  it('leaves words that are no topics to the app, and to the API its answers', async () => {
    const codeOf = async (url: string) => (await send(url, 'x', { 'content-type': text })).body['code'];
    expect(await codeOf('/inbox')).toBe('METHOD_NOT_ALLOWED');
    expect(await codeOf('/no-such-page')).toBe('NOT_FOUND');
    expect((await send('/no-such-page', '', { accept: 'text/html' }, 'GET')).status).toBe(404);
  });
});

it('is switched off by its name, each by itself', async () => {
  const other = await createTestApp({ QINBOX_PROTOCOLS: 'gotify, slack' });
  const { token } = await intake({}, other);
  const status = async (url: string, payload: object) =>
    (await other.app.inject({ method: 'POST', url, payload })).statusCode;
  expect(await status(`/message?token=${token}`, { message: 'x' })).toBe(200);
  expect(await status(`/services/T/B/${token}`, { text: 'x' })).toBe(200);
  expect(await status(`/${token}`, { message: 'x' })).toBe(404);
  expect(await status(`/api/webhooks/1/${token}`, { content: 'x' })).toBe(404);
  await expect(createTestApp({ QINBOX_PROTOCOLS: 'morse' })).rejects.toThrow(
    'QINBOX_PROTOCOLS must be all, none, or some of',
  );
});

describe('what a push is answered', () => {
  it('is the id and the application that Gotify’s lists show, by which it is deleted', async () => {
    const { token, ownerId, tasks } = await intake();
    const key = (await app.parts.apiKeys.create(ownerId, { name: 'gotify' })).key;
    const pushed = await send(`/message?token=${token}`, { message: 'disk full' });
    const again = await send(`/message?token=${token}`, { message: 'disk full' });
    const { body } = await send('/message', '', { 'x-gotify-key': key }, 'GET');
    const [shown] = body['messages'] as { id: number; appid: number }[];
    const { id, appid } = pushed.body as unknown as { id: number; appid: number };
    expect({ id, appid }).toEqual({ id: shown?.id, appid: shown?.appid });
    expect(again.body).toMatchObject({ id, appid });
    expect((await send(`/message/${id}`, '', { 'x-gotify-key': key }, 'DELETE')).status).toBe(200);
    expect(await tasks()).toEqual([]);
  });
});

describe('a header of ntfy', () => {
  const bytes = (text: string) => Buffer.from(text).toString('latin1');

  it.each([
    ['in UTF-8', bytes('Übung ✓'), 'Übung ✓'],
    ['in RFC 2047', '=?UTF-8?B?w5xidW5nIOKckw==?=', 'Übung ✓'],
    ['in Latin-1', '\u00dcbung', 'Übung'],
  ])('is read %s', async (_how, title, shown) => {
    const { token, tasks } = await intake();
    expect((await send(`/${token}`, 'now', { title })).body).toMatchObject({ title: shown });
    expect((await tasks())[0]?.content).toBe(`${shown}\nnow`);
  });

  it('named Priority that says an urgency of HTTP is no priority of the message', async () => {
    const { token, tasks } = await intake();
    expect((await send(`/${token}`, 'one', { priority: 'u=1, i' })).status).toBe(200);
    expect((await send(`/${token}`, 'two', { priority: 'u=4', p: 'urgent' })).status).toBe(200);
    expect((await tasks()).map(({ priority }) => priority)).toEqual(['high', 'normal']);
  });

  it('is not needed: a topic alone is triggered, as JSON too', async () => {
    const { token, tasks } = await intake();
    expect((await send('/', { topic: token })).body).toMatchObject({ message: 'triggered' });
    expect((await tasks())[0]?.content).toBe('ntfy was triggered');
  });

  it('with the name of a file lets the body be any bytes, whatever their type is called', async () => {
    const { token, tasks } = await intake();
    const type = 'application/x-www-form-urlencoded';
    for (const query of ['?f=door.jpg&m=Motion', '?filename=door.jpg']) {
      const answer = await app.app.inject({
        method: 'PUT',
        url: `/${token}${query}`,
        payload: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00]),
        headers: { 'content-type': type },
      });
      expect(answer.statusCode).toBe(200);
    }
    expect((await tasks()).map(({ content }) => content)).toEqual(['File: door.jpg', 'Motion']);
    expect((await send(`/${token}?f=a.csv`, 'a=1&b=%FC', { 'content-type': type })).status).toBe(200);
  });

  it('with a message ends its lines by a backslash and an n', async () => {
    const { token, tasks } = await intake();
    await send(`/${token}`, '', { message: 'one\\ntwo' });
    expect((await tasks())[0]?.content).toBe('one\ntwo');
  });
});
