// Webhooks through the whole program: an intake made over the API, signed deliveries to its address, and what
// its owner then sees.
import { createHmac, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Task } from '#core/contract/index.ts';
import { signers } from '#test/helpers/webhook-signers.ts';
import { buildFixture, type Fixture } from '#test/helpers/app.ts';
import { waitFor } from '#test/program/wait.ts';

interface Intake {
  id: string;
  address: string;
}
interface ShownDelivery {
  id: string;
  verdict: string;
  reason: string | null;
  event: string | null;
  taskIds: string[];
  notes: Record<string, string>;
  canReplay: boolean;
}

let app: Fixture;
let owners = 0;
beforeAll(async () => {
  app = await buildFixture({ PUBLIC_URL: 'https://q.example.com' });
});
afterAll(() => app.close());

async function owner() {
  const email = `hooks${++owners}@example.com`;
  const { accessToken: token } = await app.session(email);
  const key = await app.key(email);
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
    app.call(method, path, { token, ...(body === undefined ? {} : { body }) });
  return {
    call,
    async make(fields: object = {}): Promise<Intake> {
      const made = await call('POST', '/intakes', {
        name: 'hook',
        adapter: 'webhook',
        verification: { scheme: 'none' },
        ...fields,
      });
      expect(made.status, made.text).toBe(201);
      return made.body['intake'] as Intake;
    },
    tasks: async () => (await app.call('GET', '/tasks', { key })).body['tasks'] as Task[],
    acknowledge: (id: string) => app.call('DELETE', `/tasks/${id}`, { key }),
    pin: (id: string) => app.call('PATCH', `/tasks/${id}/pin`, { key, body: { pinned: true } }),
    deliveries: (id: string, count: number) =>
      waitFor(`${count} deliveries`, async () => {
        const { body } = await call('GET', `/intakes/${id}/deliveries`);
        const found = body['deliveries'] as ShownDelivery[];
        return found.length >= count ? found : null;
      }),
  };
}

/** Delivers below /api/v1, where the answer is held to the documentation. */
function deliver(
  to: Intake,
  body: string | Buffer,
  headers: Record<string, string> = {},
  remoteAddress = '203.0.113.7',
) {
  const token = new URL(to.address).pathname.split('/').at(-1) ?? '';
  return app.call('POST', `/hooks/${token}`, {
    body: Buffer.from(body),
    headers: { 'content-type': 'application/json', ...headers },
    remoteAddress,
  });
}

const schemes: { scheme: string; secret: string; options?: Record<string, string> }[] = [
  { scheme: 'hmac-sha256', secret: 'canary-hmac', options: { timestampHeader: 'X-Time', prefix: 'v1=' } },
  { scheme: 'github', secret: 'canary-github' },
  { scheme: 'gitlab', secret: 'canary-gitlab' },
  { scheme: 'stripe', secret: 'whsec_canary_stripe' },
  { scheme: 'sentry', secret: 'canary-sentry' },
  { scheme: 'grafana', secret: 'canary-grafana', options: { timestampHeader: 'X-Grafana-Time' } },
  { scheme: 'standard-webhooks', secret: `whsec_${randomBytes(32).toString('base64')}` },
  { scheme: 'basic', secret: 'canary-basic', options: { username: 'me' } },
  { scheme: 'bearer', secret: 'canary-bearer' },
];

describe.each(schemes)('an intake with $scheme', ({ scheme, secret, options = {} }) => {
  it('takes a proven delivery once, refuses others, and lets its secret out nowhere', async () => {
    const me = await owner();
    const intake = await me.make({ verification: { scheme, secret, ...options } });
    const body = Buffer.from(
      JSON.stringify({ id: 'evt_0001', title: 'Disk full', host: 'nas', password: 'canary-payload' }),
    );
    const proof = signers[scheme]?.({ body, secret, id: 'delivery-1', at: app.clock.now(), options }) ?? {};
    const headers = { ...proof, 'idempotency-key': 'delivery-1' };

    const first = await deliver(intake, body, headers);
    expect(first).toMatchObject({
      status: 202,
      body: { success: true, status: 'accepted', taskIds: [expect.any(String)] },
    });
    const again = await deliver(intake, body, headers);
    expect(again).toMatchObject({
      status: 202,
      body: { status: 'duplicate', taskIds: first.body['taskIds'] },
    });

    const isShared = scheme === 'basic' || scheme === 'bearer' || scheme === 'gitlab';
    const tampered = isShared ? body : Buffer.from(body.toString().replace('full', 'fine'));
    const unproven = [
      await deliver(intake, body),
      await deliver(
        intake,
        tampered,
        isShared ? { ...headers, authorization: 'Bearer x', 'x-gitlab-token': 'x' } : headers,
      ),
    ];
    expect(unproven.map(({ status }) => status)).toEqual([401, 401]);

    const tasks = await me.tasks();
    expect(tasks).toMatchObject([
      { id: (first.body['taskIds'] as string[])[0], content: 'Disk full: nas', source: 'webhook' },
    ]);
    const deliveries = await me.deliveries(intake.id, 4);
    expect(deliveries.map(({ verdict }) => verdict).toSorted()).toEqual([
      'accepted',
      'duplicate',
      'refused',
      'refused',
    ]);
    const refused = deliveries.filter(({ verdict }) => verdict === 'refused');
    for (const { id, reason } of refused) {
      expect(reason).toBeTruthy();
      expect((await me.call('GET', `/intakes/${intake.id}/deliveries/${id}`)).body['request']).toBeNull();
    }
    const shown = [
      tasks,
      deliveries,
      (await me.call('GET', '/intakes')).text,
      first.text,
      unproven,
      app.logged(),
    ];
    expect(JSON.stringify(shown)).not.toContain(secret);
    expect(JSON.stringify([tasks, app.logged()])).not.toContain('canary-payload');
    const stored = await me.call(
      'GET',
      `/intakes/${intake.id}/deliveries/${deliveries.find(({ canReplay }) => canReplay)?.id ?? ''}`,
    );
    expect(JSON.stringify(stored.body)).not.toContain(secret);
  });
});

it('serves the address that it shows, and answers an unknown one like nothing', async () => {
  const me = await owner();
  const intake = await me.make();
  expect(intake.address).toMatch(/^https:\/\/q\.example\.com\/hooks\/[a-z2-7]{20,}$/);
  const at = (method: 'GET' | 'POST' | 'PUT' | 'HEAD' | 'OPTIONS', path: string, headers = {}) =>
    app.app.inject({
      method,
      url: path,
      headers,
      ...(method === 'POST' || method === 'PUT' ? { payload: 'disk full' } : {}),
    });
  const { pathname } = new URL(intake.address);
  const curl = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const method of ['POST', 'PUT'] as const)
    expect((await at(method, pathname, curl)).statusCode).toBe(202);
  expect((await at('POST', pathname)).statusCode).toBe(202);
  expect((await at('POST', `${pathname}/`)).statusCode).toBe(202);
  expect((await me.tasks()).map(({ content }) => content)).toEqual(Array(4).fill('disk full'));
  expect(await at('GET', pathname)).toMatchObject({
    statusCode: 405,
    headers: { allow: expect.stringContaining('POST') },
  });
  const asked = await at('OPTIONS', pathname, { 'webhook-request-origin': 'events.example.com' });
  expect(asked).toMatchObject({
    statusCode: 200,
    headers: { 'webhook-allowed-origin': 'events.example.com' },
  });

  expect((await at('POST', '/hooks/aaaaaaaaaaaaaaaaaaaaaaaaaa/', curl)).statusCode).toBe(404);
  const unknown = await at('POST', '/hooks/aaaaaaaaaaaaaaaaaaaaaaaaaa', curl);
  const nothing = await at('POST', '/hookz/aaaaaaaaaaaaaaaaaaaaaaaaaa', curl);
  const told = ({ body }: { body: string }) => ({
    ...(JSON.parse(body.replace('hookz', 'hooks')) as object),
    requestId: '',
  });
  expect([unknown.statusCode, told(unknown)]).toEqual([404, told(nothing)]);
});

it('sends 503 with Retry-After, never 429, when paused or full, and nothing is stored', async () => {
  const me = await owner();
  const paused = await me.make();
  await me.call('PATCH', `/intakes/${paused.id}`, { paused: true });
  const full = await me.make({ hourlyCap: 2 });
  for (const title of ['one', 'two'])
    expect((await deliver(full, JSON.stringify({ title }))).status).toBe(202);
  for (const intake of [paused, full]) {
    const answer = await deliver(intake, '{"title":"three"}');
    expect(answer).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  }
  expect((await me.tasks()).map(({ content }) => content).toSorted()).toEqual(['one', 'two']);
  expect((await me.deliveries(full.id, 3)).filter(({ verdict }) => verdict === 'refused')).toMatchObject([
    { reason: expect.stringContaining('Too many') },
  ]);
});

it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
  'refuses what is not proven in a header named %s, and takes in what is',
  async (header) => {
    const me = await owner();
    const secret = 'canary-of-a-strange-header';
    for (const verification of [
      { scheme: 'bearer', secret, header },
      { scheme: 'hmac-sha256', secret, header },
      { scheme: 'hmac-sha256', secret, timestampHeader: header },
      { scheme: 'grafana', secret, timestampHeader: header },
    ]) {
      const intake = await me.make({ verification });
      expect(await deliver(intake, '{"title":"x"}'), JSON.stringify(verification)).toMatchObject({
        status: 401,
      });
      if (header === '__proto__') continue; // No Node server sees a header of this name.
      const { scheme, secret: _, ...options } = verification;
      const body = Buffer.from('{"title":"y"}');
      const proof = signers[scheme]?.({ body, secret, id: '1', at: app.clock.now(), options }) ?? {};
      expect((await deliver(intake, body, proof)).status).toBe(202);
    }
  },
);

describe('forged deliveries', () => {
  const secret = 'canary-of-the-forged';
  const verification = { scheme: 'github', secret };
  let ids = 0;

  function signed(to: Intake, remoteAddress?: string) {
    const body = Buffer.from(JSON.stringify({ title: `signed ${++ids}` }));
    const proof = signers['github']?.({ body, secret, id: `${ids}`, at: app.clock.now() });
    return deliver(to, body, proof, remoteAddress);
  }
  const forged = (to: Intake, headers: Record<string, string> = {}, remoteAddress?: string) =>
    deliver(
      to,
      '{"title":"forged"}',
      { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}`, ...headers },
      remoteAddress,
    );

  it('spend nothing of what the sender may deliver, however many they are', async () => {
    const me = await owner();
    const intake = await me.make({ verification, hourlyCap: 2 });
    // More than a minute's deliveries to any intake, from the sender's own address and from another.
    for (let times = 0; times < 310; times++)
      expect([(await forged(intake)).status, (await forged(intake, {}, '198.51.100.1')).status]).toEqual([
        401, 401,
      ]);
    expect([
      (await signed(intake)).status,
      (await signed(intake)).status,
      (await signed(intake)).status,
    ]).toEqual([202, 202, 503]);
    expect((await forged(intake)).status).toBe(401);
  });

  it('let a signed one through that comes amid thousands, also with packed bodies', async () => {
    const me = await owner();
    const intake = await me.make({ verification });
    const bomb = gzipSync(Buffer.alloc(1024 * 1024, 32));
    const flood = Array.from({ length: 300 }, (_, at) => [
      forged(intake),
      deliver(
        intake,
        bomb,
        { 'content-encoding': 'gzip', 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` },
        `198.51.100.${at % 250}`,
      ),
    ]).flat();
    expect((await signed(intake)).status).toBe(202);
    const packed = gzipSync('{"title":"signed before it was packed"}');
    const proof = signers['github']?.({
      body: Buffer.from('{"title":"signed before it was packed"}'),
      secret,
      id: 'p',
      at: app.clock.now(),
    });
    expect((await deliver(intake, packed, { ...proof, 'content-encoding': 'gzip' })).status).toBe(202);
    const told = new Set((await Promise.all(flood)).map(({ status }) => status));
    expect([...told].filter((status) => status !== 401 && status !== 503)).toEqual([]);
  });

  it('are noted and logged a few times, each address by itself, so that a flood hides nobody', async () => {
    const me = await owner();
    const intake = await me.make({ verification });
    for (let times = 0; times < 100; times++) await forged(intake, {}, '198.51.100.1');
    expect((await deliver(intake, '{"title":"not signed"}', {}, '203.0.113.9')).status).toBe(401);
    const noted = (await me.deliveries(intake.id, 11)).map(({ reason }) => reason);
    expect(noted.filter((reason) => reason?.includes('does not match'))).toHaveLength(10);
    expect(noted.filter((reason) => reason?.includes('is missing'))).toHaveLength(1);
    const lines = app
      .logged()
      .split('\n')
      .filter((line) => line.includes(intake.id) && line.includes('not proven'));
    expect(lines).toHaveLength(11);
    for (let at = 0; at < 100; at++) await forged(intake, {}, `192.0.2.${at}`);
    expect(await me.deliveries(intake.id, 30)).toHaveLength(30);
  });

  it('are told that a paused intake is paused, as everybody is', async () => {
    const me = await owner();
    const intake = await me.make({ verification });
    await me.call('PATCH', `/intakes/${intake.id}`, { paused: true });
    for (const answer of [await forged(intake), await signed(intake)])
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '300' } });
  });
});

it('holds a cap that it is given after deliveries', async () => {
  const me = await owner();
  const intake = await me.make();
  const next = async () => (await deliver(intake, '{"title":"disk full"}')).status;
  expect(await next()).toBe(202);
  await me.call('PATCH', `/intakes/${intake.id}`, { hourlyCap: 2 });
  expect([await next(), await next(), await next()]).toEqual([202, 202, 503]);
  await me.call('PATCH', `/intakes/${intake.id}`, { hourlyCap: null });
  expect(await next()).toBe(202);
});

it('makes a summary where a mapping fails, and the right task when the delivery is replayed after mending', async () => {
  const me = await owner();
  const refused = await me.call('POST', '/intakes', {
    name: 'x',
    adapter: 'webhook',
    verification: { scheme: 'none' },
    mapping: { content: '{{ a | shout }}' },
  });
  expect(refused).toMatchObject({
    status: 400,
    body: { details: [{ field: 'mapping/content', message: expect.stringContaining('Line 1') }] },
  });

  const intake = await me.make({ mapping: { content: '{{ job.nmae }}', dedupeKey: '{{ job.id }}' } });
  expect((await deliver(intake, '{"title":"Backup failed","job":{"id":7,"name":"nightly"}}')).status).toBe(
    202,
  );
  const [failed] = await me.deliveries(intake.id, 1);
  expect(failed).toMatchObject({
    verdict: 'failed',
    reason: expect.stringContaining('content came out empty'),
    canReplay: true,
  });
  expect((await me.tasks()).map(({ content }) => content)).toEqual(['Backup failed: nightly']);

  const mapping = { content: 'Job {{ job.name }} failed', dedupeKey: '{{ job.id }}', priority: 'high' };
  const previewed = await me.call('POST', `/intakes/${intake.id}/preview`, { mapping });
  expect(previewed).toMatchObject({
    status: 200,
    body: { preview: { source: 'delivery', tasks: [{ content: 'Job nightly failed' }] } },
  });
  await me.call('PATCH', `/intakes/${intake.id}`, { mapping });
  const replayed = await me.call('POST', `/intakes/${intake.id}/deliveries/${failed?.id ?? ''}/replay`);
  expect(replayed).toMatchObject({ status: 201, body: { delivery: { verdict: 'accepted' } } });
  expect(await me.tasks()).toMatchObject([
    { content: 'Job nightly failed', priority: 'high' },
    { content: 'Backup failed: nightly' },
  ]);
});

it('keeps one task for each alert however often it fires, and closes it when it is resolved', async () => {
  const me = await owner();
  const intake = await me.make({ preset: 'alertmanager', verification: { scheme: 'none' } });
  const alert = (at: number, status: string) => ({
    status,
    labels: { alertname: 'DiskFull', instance: `web-${at}`, severity: 'critical' },
    annotations: { summary: `web-${at} has no room left` },
    startsAt: '2026-11-21T08:00:00Z',
    fingerprint: `000000000000000${at}`,
  });
  const group = (alerts: object[], status = 'firing') =>
    deliver(intake, JSON.stringify({ version: '4', groupKey: '{}', receiver: 'qinbox', status, alerts }));
  const firing = [1, 2, 3].map((at) => alert(at, 'firing'));
  for (let times = 0; times < 51; times++) {
    expect((await group(firing)).status).toBe(202);
    if (times === 0) for (const { id } of await me.tasks()) await me.pin(id);
  }
  expect((await me.tasks()).map(({ occurrences, pinned }) => [occurrences, pinned])).toEqual(
    [1, 2, 3].map(() => [51, true]),
  );
  app.clock.advance(1000);
  expect((await group([alert(1, 'resolved'), alert(2, 'firing'), alert(3, 'resolved')])).status).toBe(202);
  expect(await me.tasks()).toMatchObject([
    { occurrences: 52, pinned: true, tags: expect.arrayContaining(['alertmanager']) },
  ]);
  expect((await me.tasks())[0]?.content).toContain('web-2');
});

it('filters by the type of event, also where the owner has a mapping', async () => {
  const me = await owner();
  const intake = await me.make({
    preset: 'generic',
    mapping: { content: 'Order {{ id }}' },
    events: ['order.paid'],
  });
  const status = async (event: string) =>
    (await deliver(intake, JSON.stringify({ event, id: event.length }))).body['status'];
  expect([await status('order.paid'), await status('order.made')]).toEqual(['accepted', 'ignored']);
  expect((await me.tasks()).map(({ content }) => content)).toEqual(['Order 10']);
});

it.each([
  ['1 MiB of nested lists', () => '['.repeat(1024 * 1024), {}, 400],
  ['a body over 1 MiB', () => Buffer.alloc(1024 * 1024 + 1, 32), {}, 413],
  [
    '100,000 keys',
    () => `{${Array.from({ length: 100_000 }, (_, at) => `"${at.toString(36)}":1`).join(',')}}`,
    {},
    413,
  ],
  ['a gzip bomb', () => gzipSync(Buffer.alloc(8 * 1024 * 1024)), { 'content-encoding': 'gzip' }, 413],
  ['an encoding that nobody knows', () => '{}', { 'content-encoding': 'snappy' }, 415],
  ['invalid UTF-8', () => Buffer.from([0x22, 0xff, 0x22]), {}, 400],
  ['broken JSON', () => '{"a"', {}, 400],
  [
    '__proto__ and repeated keys',
    () => '{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}},"t":1,"t":2}',
    {},
    202,
  ],
  ['NUL in names and values', () => '{"a\\u0000b":"c\\u0000d","\\ud800":"\\udfff"}', {}, 202],
])('answers %s with the right status, and goes on', async (_name, body, headers, status) => {
  const me = await owner();
  const intake = await me.make();
  const answer = await deliver(intake, body(), headers);
  expect(answer.status, answer.text).toBe(status);
  expect(await me.tasks()).toHaveLength(status === 202 ? 1 : 0);
  expect((await deliver(intake, '{"title":"next"}')).status).toBe(202);
});

it('an intake for a sender with ways of its own needs nothing but the secret', async () => {
  const me = await owner();
  const secret = 'canary-pagerduty';
  const made = await me.make({ preset: 'pagerduty', verification: { scheme: 'hmac-sha256', secret } });
  const body = JSON.stringify({ event: { event_type: 'pagey.ping', data: { message: 'Hello' } } });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const signed = await deliver(made, body, { 'x-pagerduty-signature': `v1=${signature}` });
  expect(signed.status).toBe(202);
  expect((await deliver(made, body, { 'x-signature-256': signature })).status).toBe(401);
});

describe('a delivery that resolves many alerts', () => {
  const alerts = (from: number, to: number, status: string) => ({
    version: '4',
    groupKey: '{}',
    receiver: 'qinbox',
    status,
    alerts: Array.from({ length: to - from }, (_, index) => ({
      status,
      labels: { alertname: `a${from + index}` },
      fingerprint: `fingerprint-${from + index}`,
    })),
  });

  it('acknowledges them all', async () => {
    const { make, call } = await owner();
    const { address } = await make({ preset: 'alertmanager' });
    const send = (body: object) => app.call('POST', new URL(address).pathname, { body });
    for (const from of [0, 400, 800])
      expect((await send(alerts(from, from + 400, 'firing'))).status).toBe(202);
    const total = async () =>
      ((await call('GET', '/tasks?limit=1')).body['statistics'] as { total: number }).total;
    expect(await total()).toBe(1200);
    expect((await send(alerts(0, 1150, 'resolved'))).status).toBe(202);
    expect(await total()).toBe(50);
  });

  it('is refused above 5,000, as a whole', async () => {
    const { make, call, tasks } = await owner();
    const { id, address } = await make({ preset: 'alertmanager' });
    const send = (body: object) => app.call('POST', new URL(address).pathname, { body });
    await send(alerts(0, 1, 'firing'));
    const { status, body } = await send(alerts(0, 5000, 'resolved'));
    expect([status, body['code']]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(await tasks()).toHaveLength(1);
    const deliveries = async () =>
      (await call('GET', `/intakes/${id}/deliveries`)).body['deliveries'] as ShownDelivery[];
    const refused = { verdict: 'refused', reason: expect.stringContaining('5001') };
    await waitFor('the refusal', async () =>
      (await deliveries()).some(({ verdict }) => verdict === 'refused'),
    );
    expect(await deliveries()).toContainEqual(expect.objectContaining(refused));
    expect((await send(alerts(0, 4999, 'resolved'))).status).toBe(202);
    expect(await tasks()).toEqual([]);
  });
});
