// A delivery from the request to the intake service, with a simple intake service in memory: what is
// answered, ingested, logged, and never stored.
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { StoredRequest } from '#core/domain/intake.ts';
import { QinboxError } from '#core/errors.ts';
import type { HttpResponse, HttpRequest } from '#core/ports/adapter/http.ts';
import type { Delivery, IntakeService, IntakeWithSecrets } from '#core/ports/adapter/intake.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { intakeOf } from '#test/helpers/records.ts';
import adapter from '../adapter.ts';
import { createWebhookHandler } from './webhook-handler.ts';
import { presets } from '../presets/index.ts';
import { signers } from '../../../../test/helpers/webhook-signers.ts';

const NOW = Date.UTC(2026, 10, 21, 9);
const SECRET = 'a-secret-of-tests';

interface Refusal {
  reason: string;
  request?: StoredRequest;
}

function setUp(changes: Partial<IntakeWithSecrets> = {}) {
  const intake: IntakeWithSecrets = {
    ...intakeOf('user_1', { id: 'intake_1', name: 'CI', preset: 'generic' }),
    secrets: {},
    ...changes,
  };
  const taken: Delivery[] = [];
  const refused: Refusal[] = [];
  const handshakes: string[] = [];
  const seen = new Set<string>();
  const logged: string[] = [];
  const intakeService: IntakeService = {
    find: (token) => Promise.resolve(token === 'good' ? intake : null),
    checkPaused() {
      if (intake.paused) throw new QinboxError('SERVICE_UNAVAILABLE', 'Paused.', { retryAfterSeconds: 300 });
    },
    authorize: () => Promise.resolve(),
    ingest(arrival) {
      const { parsed, replayKey } = arrival;
      if (replayKey !== null && seen.has(replayKey))
        return Promise.resolve({ kind: 'duplicate', deliveryId: 'dlv_1', taskIds: ['task_1'] });
      if (replayKey !== null) seen.add(replayKey);
      if (parsed.tasks.length + parsed.resolves.length === 0)
        return Promise.resolve({ kind: 'ignored', deliveryId: 'dlv_1', reason: parsed.ignored ?? '' });
      taken.push(arrival);
      return Promise.resolve({
        kind: 'accepted',
        deliveryId: 'dlv_1',
        taskIds: parsed.tasks.map((_, at) => `task_${at + 1}`),
      });
    },
    refuse(_intake, reason, about = {}) {
      refused.push({ reason, ...(about.request === undefined ? {} : { request: about.request }) });
      return true;
    },
    noteHandshake: (_intake, reason) => void handshakes.push(reason),
  };
  const note = (fields: object, message: string) => void logged.push(JSON.stringify({ ...fields, message }));
  const log = { debug: note, info: note, warn: note, error: note };
  const hooks = createWebhookHandler({ intakeService, clock: createFakeClock(NOW), log, presets });
  const send = async (
    body: string | Buffer | object,
    { headers = {}, ...rest }: Partial<HttpRequest> = {},
  ): Promise<HttpResponse & { body: Record<string, unknown> }> => {
    const bytes = Buffer.isBuffer(body)
      ? body
      : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const answer = await hooks.handle({
      method: 'POST',
      path: '/hooks/good',
      params: { token: 'good' },
      query: {},
      headers: { 'content-type': 'application/json', ...headers },
      body: bytes,
      address: '203.0.113.7',
      requestId: 'req_1',
      ...rest,
    });
    return { ...answer, body: (answer.body ?? {}) as Record<string, unknown> };
  };
  return { intake, taken, refused, handshakes, logged, send };
}

const tasksOf = (taken: readonly Delivery[]) => taken.flatMap(({ parsed }) => parsed.tasks);

it('answers 202 with the task ids once the delivery is taken', async () => {
  const { send, taken } = setUp();
  expect(await send({ title: 'Deploy failed', service: 'api', status: 'failed' })).toMatchObject({
    status: 202,
    body: { success: true, status: 'accepted', taskIds: ['task_1'], deliveryId: 'dlv_1' },
  });
  expect(tasksOf(taken)).toMatchObject([
    { content: 'Deploy failed: api, failed', priority: 'high', metadata: { payload: { service: 'api' } } },
  ]);
});

it('answers an unknown token like an address where nothing is, whatever is asked of it', async () => {
  const { send } = setUp();
  for (const method of ['POST', 'GET', 'HEAD', 'OPTIONS', 'DELETE'])
    await expect(send('{}', { method, params: { token: 'bad' } })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
});

it('tells those who look at the address with GET what it is for, and takes every method that has a body', async () => {
  const { send, taken } = setUp();
  expect(await send('', { method: 'GET' })).toMatchObject({
    status: 405,
    headers: { allow: 'POST, PUT, PATCH, DELETE, OPTIONS' },
    body: { code: 'METHOD_NOT_ALLOWED', requestId: 'req_1' },
  });
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    expect((await send({ title: 'x' }, { method })).status).toBe(202);
  expect(taken).toHaveLength(4);
});

it('answers the question that CloudEvents senders ask first', async () => {
  const { send } = setUp();
  expect(
    await send('', { method: 'OPTIONS', headers: { 'webhook-request-origin': 'events.example.com' } }),
  ).toMatchObject({
    status: 200,
    headers: { 'webhook-allowed-origin': 'events.example.com', 'webhook-allowed-rate': '600' },
  });
  expect(
    (await send('', { method: 'OPTIONS', headers: { 'webhook-request-origin': 'a\r\nb' } })).headers,
  ).toMatchObject({
    'webhook-allowed-origin': '*',
  });
  expect(await send('', { method: 'OPTIONS' })).toMatchObject({ status: 204 });
});

describe('with a signature', () => {
  const signed = {
    preset: 'github',
    verification: { scheme: 'github', options: {} },
    secrets: { secret: SECRET },
  };
  const body = Buffer.from(
    JSON.stringify({ ...(presets.find(({ id }) => id === 'github')?.sample.body as object) }),
  );
  const headersFor = (bytes: Buffer, id = 'one') => ({
    'x-github-event': 'pull_request',
    ...signers['github']?.({ body: bytes, secret: SECRET, id, at: NOW }),
  });

  it('fails closed: nothing is ingested, nothing of the body stored, and only the owner sees why', async () => {
    const { send, taken, refused, logged } = setUp(signed);
    const forged = await send(Buffer.from(body.toString().replace('Fix', 'Break')), {
      headers: headersFor(body),
    });
    expect(forged).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    expect(await send(body)).toMatchObject({ status: 401 });
    expect(taken).toEqual([]);
    expect(refused).toEqual([
      { reason: expect.stringContaining('does not match') },
      { reason: expect.stringContaining('x-hub-signature-256 is missing') },
    ]);
    expect(JSON.stringify([forged, logged])).not.toMatch(/does not match|a-secret/);
  });

  it('takes a replay for a duplicate, also under a new id', async () => {
    const { send, taken } = setUp(signed);
    expect((await send(body, { headers: headersFor(body) })).body['status']).toBe('accepted');
    expect((await send(body, { headers: headersFor(body) })).body['status']).toBe('duplicate');
    expect((await send(body, { headers: headersFor(body, 'two') })).body['status']).toBe('duplicate');
    // Packed, it is the same that was signed.
    const packed = { 'content-encoding': 'gzip' };
    expect((await send(gzipSync(body), { headers: { ...headersFor(body), ...packed } })).body['status']).toBe(
      'duplicate',
    );
    expect(taken).toHaveLength(1);
    expect(tasksOf(taken)[0]?.content).toContain('Fix the pump');
  });

  it('takes a signature over the packed bytes as well', async () => {
    const { send } = setUp(signed);
    const packed = gzipSync(body);
    expect(
      (await send(packed, { headers: { ...headersFor(packed), 'content-encoding': 'gzip' } })).status,
    ).toBe(202);
  });

  it('asks for the credentials of HTTP by their name', async () => {
    const { send } = setUp({ verification: { scheme: 'basic', options: {} }, secrets: { secret: SECRET } });
    expect((await send('{}')).headers?.['www-authenticate']).toMatch(/^Basic /);
  });

  it('refuses everything when its scheme is gone', async () => {
    const { send, taken } = setUp({ verification: { scheme: 'gone', options: {} } });
    expect((await send('{}')).status).toBe(401);
    expect(taken).toEqual([]);
  });
});

it('keeps no header that proves, and neither presets nor templates see one', async () => {
  const { send, taken } = setUp({
    verification: { scheme: 'bearer', options: { header: 'X-Shop' } },
    secrets: { secret: SECRET },
    mapping: {
      content:
        'From {{ headers.x-shop }}{{ headers.authorization }}{{ headers.x-note }} {{ headers.x-kind }}',
    },
  });
  const secretHeaders = {
    'x-shop': SECRET,
    authorization: 'Basic abcdefghijkl',
    cookie: 'session=1',
    'x-api-key': 'k',
    'x-note': `my ${SECRET}`,
    'x-forwarded-for': '203.0.113.9',
    'x-hub-signature-256': 'sha256=0',
  };
  expect((await send({ a: 1 }, { headers: { ...secretHeaders, 'x-kind': 'order' } })).status).toBe(202);
  expect(taken[0]?.request.headers).toEqual({ 'content-type': 'application/json', 'x-kind': 'order' });
  expect(tasksOf(taken)[0]?.content).toBe('From  order');
  expect(JSON.stringify(taken[0])).not.toContain(`my ${SECRET}`);
});

it.each([
  ['broken JSON', '{', 'application/json', 400],
  ['1 MiB of nested lists', '['.repeat(1024 * 1024), 'application/json', 400],
  [
    '100,000 keys',
    `{${Array.from({ length: 90_000 }, (_, at) => `"${at}":1`).join(',')}}`,
    'application/json',
    413,
  ],
  ['invalid UTF-8', Buffer.from([0xff]), 'text/plain', 400],
  ['an unknown charset', 'x', 'text/plain; charset=x', 415],
  ['repeated keys and __proto__', '{"__proto__":{"a":1},"b":1,"b":2}', 'application/json', 202],
  ['nothing', '', '', 202],
])('answers %s with a status that fits, and notes it', async (_name, body, type, status) => {
  const { send, taken, refused } = setUp();
  expect((await send(body, { headers: { 'content-type': type } })).status).toBe(status);
  expect(taken).toHaveLength(status === 202 ? 1 : 0);
  expect(refused).toHaveLength(status === 202 ? 0 : 1);
});

it('answers a bomb with 413, an unknown encoding with 415 and what is understood', async () => {
  const { send } = setUp();
  const headers = (encoding: string) => ({ headers: { 'content-encoding': encoding } });
  expect(await send(gzipSync(Buffer.alloc(3 * 1024 * 1024)), headers('gzip'))).toMatchObject({ status: 413 });
  expect(await send('{}', headers('zstd'))).toMatchObject({
    status: 415,
    headers: { 'accept-encoding': 'gzip, deflate, br' },
  });
});

it('passes on that there is no room, with the time to wait', async () => {
  const { send } = setUp({ paused: true });
  await expect(send('{}')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 300 });
});

it('makes a summary instead when the mapping fails, says why, and reads it again when it is mended', async () => {
  const broken = setUp({ mapping: { content: '{{ nothing }}' } });
  expect((await broken.send({ title: 'Backup failed' })).status).toBe(202);
  const [arrival] = broken.taken;
  expect(arrival?.parsed).toMatchObject({
    failed: expect.stringContaining('came out empty'),
    tasks: [{ content: 'Backup failed' }],
  });
  const plan = { ...broken.intake, mapping: { content: 'Mended: {{ title }}' } };
  const again = await adapter.intakes?.read(plan, arrival?.request as StoredRequest);
  expect(again).toMatchObject({ tasks: [{ content: 'Mended: Backup failed' }] });
  expect(again).not.toHaveProperty('failed');
});

it('keeps at most 64 KiB of a body, in whole characters, and says when that is too little to read it again', async () => {
  const { send, taken, intake } = setUp();
  await send(`"${'ü'.repeat(100_000)}"`);
  const request = taken[0]?.request as StoredRequest;
  expect(request).toMatchObject({ clipped: true, encoding: 'text' });
  expect(request.body).toMatch(/^"ü+$/);
  expect(Buffer.byteLength(request.body)).toBeLessThanOrEqual(65_536);
  expect(await adapter.intakes?.read(intake, request)).toMatchObject({
    tasks: [],
    failed: expect.stringContaining('Too little'),
  });
  await send(Buffer.from([0, 255, 1]), { headers: { 'content-type': 'image/png' } });
  expect(taken[1]?.request).toMatchObject({
    encoding: 'base64',
    body: Buffer.from([0, 255, 1]).toString('base64'),
  });
  await send(Buffer.from([0xe9]), { headers: { 'content-type': 'text/plain; charset=latin1' } });
  expect(await adapter.intakes?.read(intake, taken[2]?.request as StoredRequest)).toMatchObject({
    tasks: [{ content: 'é' }],
  });
});

it('knows a sender that the intake does not name, and keeps of the payload what each task is about', async () => {
  const { send, taken } = setUp({ preset: null });
  const alert = (name: string, fingerprint: string, status = 'firing') => ({
    status,
    fingerprint,
    labels: { alertname: name, severity: 'critical', password: 'hunter2' },
    annotations: {},
    startsAt: '2026-11-21T09:00:00Z',
  });
  await send({
    version: '4',
    groupKey: 'g',
    receiver: 'qinbox',
    status: 'firing',
    alerts: [
      alert('DiskFull', 'aaaaaaaaaaaaaaa1'),
      alert('HostDown', 'aaaaaaaaaaaaaaa2'),
      alert('Gone', 'aaaaaaaaaaaaaaa3', 'resolved'),
    ],
  });
  const tasks = tasksOf(taken);
  expect(
    tasks.map(({ metadata }) => (metadata?.['payload'] as { fingerprint?: string } | undefined)?.fingerprint),
  ).toEqual(['aaaaaaaaaaaaaaa1', 'aaaaaaaaaaaaaaa2']);
  expect(tasks.every(({ metadata }) => metadata?.['sender'] === 'alertmanager')).toBe(true);
  expect(taken[0]?.parsed.resolves).toHaveLength(1);
  expect(JSON.stringify(tasks.map(({ metadata }) => metadata?.['payload']))).not.toContain('hunter2');
  for (const { metadata } of tasks) expect(JSON.stringify(metadata).length).toBeLessThan(16_384);
});

describe('the kind of intake', () => {
  const kind = adapter.intakes;
  const plan = {
    preset: 'generic',
    verification: { scheme: 'none', options: {} },
    secrets: {},
    mapping: null,
    settings: {},
  };

  it('offers every preset with a scheme that it has, and a sample that it reads', async () => {
    const schemes = new Set(kind?.schemes.map(({ id }) => id));
    for (const preset of kind?.presets ?? []) {
      expect(schemes.has(preset.scheme)).toBe(true);
      const sampled = { ...plan, preset: preset.id };
      const parsed = await kind?.read(sampled, kind.sample(sampled));
      expect(parsed, preset.id).not.toHaveProperty('failed');
      expect((parsed?.tasks.length ?? 0) + (parsed?.resolves.length ?? 0), preset.id).toBeGreaterThan(0);
    }
  });

  it('marks its secrets, so that they are stored apart', () => {
    for (const { id, fields } of kind?.schemes ?? []) {
      const properties = fields.properties as Record<string, { secret?: boolean; title?: string }>;
      expect(properties['secret']?.secret === true, id).toBe(id !== 'none');
      for (const field of Object.values(properties)) expect(field.title, id).toBeTruthy();
    }
  });

  it('checks templates and secrets before they are stored', async () => {
    expect(await kind?.check({ ...plan, mapping: { content: '{{ a | b }}' } })).toMatchObject([
      { field: 'mapping/content' },
    ]);
    const wrong = {
      verification: { scheme: 'standard-webhooks', options: {} },
      secrets: { secret: 'whsec_' },
    };
    expect(await kind?.check({ ...plan, ...wrong })).toMatchObject([{ field: 'verification/secret' }]);
    expect(await kind?.check(plan)).toEqual([]);
    expect(kind?.address('tok', { publicUrl: 'https://q.example.com', smtpDomain: '' })).toBe(
      'https://q.example.com/hooks/tok',
    );
  });
});
