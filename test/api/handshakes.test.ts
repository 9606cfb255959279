// Senders that ask whether an address is theirs to write to before they do: each is answered in its own way,
// no task is made, and the owner sees it among the deliveries.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildFixture, type Fixture } from '#test/helpers/app.ts';
import { waitFor } from '#test/program/wait.ts';

interface Shown {
  verdict: string;
  event: string | null;
  reason: string | null;
}

const SECRET = 'a-secret-of-tests';
const NONE = { scheme: 'none' };

let app: Fixture;
let owners = 0;
beforeAll(async () => {
  app = await buildFixture();
});
afterAll(() => app.close());

async function intake(verification: object = NONE) {
  const { accessToken: token } = await app.session(`handshakes${++owners}@example.com`);
  const made = await app.call('POST', '/intakes', {
    token,
    body: { name: 'hook', adapter: 'webhook', verification },
  });
  const { id, address } = made.body['intake'] as { id: string; address: string };
  const { pathname } = new URL(address);
  return {
    token: pathname.split('/').at(-1) as string,
    ask: (method: 'GET' | 'HEAD' | 'POST', query = '', headers: object = {}, payload: string = '') =>
      app.app.inject({
        method,
        url: `${pathname}${query}`,
        headers: { ...headers },
        ...(method === 'POST' ? { payload } : {}),
      }),
    pause: () => app.call('PATCH', `/intakes/${id}`, { token, body: { paused: true } }),
    tasks: async () => (await app.call('GET', '/tasks', { token })).body['tasks'],
    deliveries: (count: number) =>
      waitFor('the deliveries', async () => {
        const { body } = await app.call('GET', `/intakes/${id}/deliveries`, { token });
        const found = body['deliveries'] as Shown[];
        return found.length >= count ? found : null;
      }),
  };
}

const json = { 'content-type': 'application/json' };

it('is there for who looks by HEAD, as Trello does, also where deliveries must be proven', async () => {
  const { ask, deliveries, tasks } = await intake({ scheme: 'bearer', secret: SECRET });
  expect(await ask('HEAD')).toMatchObject({ statusCode: 200, body: '' });
  expect(await deliveries(1)).toMatchObject([
    { verdict: 'ignored', event: 'handshake', reason: expect.stringMatching(/^Handshake: /) },
  ]);
  expect(await tasks()).toEqual([]);
});

describe('what is asked in the query or a header', () => {
  it.each([
    ['Dropbox', 'GET', '?challenge=aB-3%20x', {}, 'aB-3 x', 'text/plain; charset=utf-8'],
    [
      'Microsoft',
      'POST',
      '?validationToken=Validation%3A%20a%2Bb',
      {},
      'Validation: a+b',
      'text/plain; charset=utf-8',
    ],
    [
      'Okta',
      'GET',
      '',
      { 'x-okta-verification-challenge': 'o-1' },
      '{"verification":"o-1"}',
      'application/json; charset=utf-8',
    ],
  ] as const)('by %s is answered, and never as HTML', async (_sender, method, query, headers, said, type) => {
    const { ask, deliveries, tasks } = await intake();
    const answer = await ask(method, query, headers);
    expect(answer).toMatchObject({
      statusCode: 200,
      body: said,
      headers: { 'content-type': type, 'x-content-type-options': 'nosniff' },
    });
    expect(String(answer.headers['content-security-policy'])).toContain("default-src 'none'");
    expect(await deliveries(1)).toMatchObject([{ verdict: 'ignored', event: 'handshake' }]);
    expect(await tasks()).toEqual([]);
  });

  it('is no answer to what is too long or has control characters, and to a plain GET', async () => {
    const { ask } = await intake();
    for (const query of ['', '?challenge=', `?challenge=${'x'.repeat(2001)}`, '?challenge=a%0Ab', '?other=1'])
      expect((await ask('GET', query)).statusCode).toBe(405);
  });

  it('waits while the intake is paused, and is nothing at an unknown address', async () => {
    const { ask, pause } = await intake();
    await pause();
    expect((await ask('GET', '?challenge=x')).statusCode).toBe(503);
    expect((await ask('HEAD')).statusCode).toBe(503);
    const unknown = await app.app.inject({
      method: 'GET',
      url: '/hooks/aaaaaaaaaaaaaaaaaaaaaaaaaa?challenge=x',
    });
    expect(unknown.statusCode).toBe(404);
    expect(unknown.body).not.toContain('"x"');
  });

  it('by Meta is answered to who knows the secret or the token, and refused to others', async () => {
    const { ask, token, deliveries } = await intake({ scheme: 'github', secret: SECRET });
    const query = (word: string) => `?hub.mode=subscribe&hub.challenge=115&hub.verify_token=${word}`;
    expect(await ask('GET', query(SECRET))).toMatchObject({ statusCode: 200, body: '115' });
    expect(await ask('GET', query(token))).toMatchObject({ statusCode: 200, body: '115' });
    for (const word of ['', 'guess', SECRET.toUpperCase()])
      expect((await ask('GET', query(word))).statusCode).toBe(401);
    expect((await ask('GET', '?hub.mode=subscribe&hub.challenge=115&hub.topic=x')).statusCode).toBe(401);
    expect((await deliveries(6)).map(({ verdict }) => verdict).toSorted()).toEqual(
      [...Array<string>(2).fill('ignored'), ...Array<string>(4).fill('refused')].toSorted(),
    );
  });
});

describe('what is asked by a delivery', () => {
  it.each([
    ['Slack', { type: 'url_verification', token: 'x', challenge: 'c-1' }, { challenge: 'c-1' }],
    ['monday.com', { challenge: 'c-2' }, { challenge: 'c-2' }],
    [
      'Azure Event Grid',
      [
        {
          eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent',
          data: { validationCode: '512d38b6', validationUrl: 'https://rp-eastus2.eventgrid.azure.net' },
        },
      ],
      { validationResponse: '512d38b6' },
    ],
  ])('by %s is answered, and makes no task', async (_sender, body, answer) => {
    const { ask, tasks, deliveries } = await intake();
    const said = await ask('POST', '', json, JSON.stringify(body));
    expect([said.statusCode, said.json()]).toEqual([200, answer]);
    expect(await deliveries(1)).toMatchObject([{ verdict: 'ignored', event: 'handshake' }]);
    expect(await tasks()).toEqual([]);
  });

  it('by Asana gets its header back', async () => {
    const { ask, tasks } = await intake();
    const said = await ask('POST', '', { 'x-hook-secret': 'b537207f20cbfa02357cf448134da559' });
    expect(said).toMatchObject({
      statusCode: 200,
      headers: { 'x-hook-secret': 'b537207f20cbfa02357cf448134da559' },
    });
    expect(await tasks()).toEqual([]);
  });

  it('by Zoom is signed with the secret of an intake that has proven it, and for nobody else', async () => {
    const { ask, tasks } = await intake({ scheme: 'bearer', secret: SECRET, header: 'x-zoom' });
    const body = (plainToken: string) =>
      JSON.stringify({ event: 'endpoint.url_validation', payload: { plainToken }, event_ts: 1654503849680 });
    const proven = { ...json, 'x-zoom': SECRET };
    const said = await ask('POST', '', proven, body('qgg8vlvZRS6UYooatFL8Aw'));
    expect([said.statusCode, said.json()]).toEqual([
      200,
      {
        plainToken: 'qgg8vlvZRS6UYooatFL8Aw',
        encryptedToken: createHmac('sha256', SECRET).update('qgg8vlvZRS6UYooatFL8Aw').digest('hex'),
      },
    ]);
    expect((await ask('POST', '', json, body('qgg8vlvZRS6UYooatFL8Aw'))).statusCode).toBe(401);
    expect(await tasks()).toEqual([]);
    // What could be a signed delivery of somebody is not signed.
    expect((await ask('POST', '', proven, body('{"title":"forged"}'))).statusCode).toBe(202);
  });

  it('by Zoom is answered where its own signature is the proof, and a delivery with it makes a task', async () => {
    const { ask, tasks } = await intake({
      scheme: 'hmac-sha256',
      secret: SECRET,
      header: 'x-zm-signature',
      prefix: 'v0=',
      timestampHeader: 'x-zm-request-timestamp',
      signed: 'v0:{timestamp}:{body}',
    });
    const time = String(Math.floor(app.clock.now() / 1000));
    const signature = (body: string) =>
      createHmac('sha256', SECRET).update(`v0:${time}:${body}`).digest('hex');
    const send = (body: string, by = signature(body)) =>
      ask('POST', '', { ...json, 'x-zm-request-timestamp': time, 'x-zm-signature': `v0=${by}` }, body);
    const asked = JSON.stringify({
      payload: { plainToken: 'qgg8vlvZRS6UYooatFL8Aw' },
      event: 'endpoint.url_validation',
    });
    expect((await send(asked)).json()).toMatchObject({
      encryptedToken: createHmac('sha256', SECRET).update('qgg8vlvZRS6UYooatFL8Aw').digest('hex'),
    });
    expect((await send(asked, signature('{}'))).statusCode).toBe(401);
    expect(await tasks()).toEqual([]);
    const started = { event: 'meeting.started', payload: { object: { topic: 'Stand-up', id: 1 } } };
    expect((await send(JSON.stringify(started))).statusCode).toBe(202);
    expect(await tasks()).toHaveLength(1);
  });

  it('is a delivery like any other where a challenge is one of several things said', async () => {
    const { ask, tasks } = await intake();
    const body = JSON.stringify({ title: 'The challenge of today', challenge: 'run 5 km' });
    expect((await ask('POST', '', json, body)).statusCode).toBe(202);
    expect(await tasks()).toHaveLength(1);
  });
});

it('is noted a few times in a minute, so that nobody hides the deliveries behind it', async () => {
  const { ask, deliveries } = await intake();
  for (let time = 0; time < 20; time++) expect((await ask('GET', '?challenge=x')).statusCode).toBe(200);
  expect((await ask('POST', '', json, '{"title":"x"}')).statusCode).toBe(202);
  const noted = await deliveries(11);
  expect(noted.filter(({ event }) => event === 'handshake')).toHaveLength(10);
});
