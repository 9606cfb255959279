// A credential that a sender puts into what it delivers is shown nowhere: not in a task, its link or its
// payload, not in a delivery's record, a preview or a replay.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildFixture, type Fixture } from '#test/helpers/app.ts';
import { waitFor } from '#test/program/wait.ts';

let app: Fixture;
let token: string;
beforeAll(async () => {
  app = await buildFixture();
  token = (await app.session()).accessToken;
});
afterAll(() => app.close());

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  app.call(method, path, { token, ...(body === undefined ? {} : { body }) });

/** Everything that the owner can see of one delivery: its task, its record, a preview and a replay of it. */
async function shownOf(type: string, body: string, fields: object = {}): Promise<string> {
  const made = await call('POST', '/intakes', {
    name: 'x',
    adapter: 'webhook',
    verification: { scheme: 'none' },
    ...fields,
  });
  const { id, address } = made.body['intake'] as { id: string; address: string };
  const path = `/hooks/${new URL(address).pathname.split('/').at(-1) ?? ''}`;
  const taken = await app.call('POST', path, { body, headers: { 'content-type': type } });
  expect(taken.status, taken.text).toBe(202);
  const [taskId = ''] = taken.body['taskIds'] as string[];
  const [delivery] = await waitFor('the delivery', async () => {
    const { deliveries } = (await call('GET', `/intakes/${id}/deliveries`)).body as {
      deliveries: { id: string }[];
    };
    return deliveries.length > 0 ? deliveries : null;
  });
  const of = `/intakes/${id}/deliveries/${delivery?.id ?? ''}`;
  const before = [
    (await call('GET', `/tasks/${taskId}`)).text,
    (await call('GET', of)).text,
    (await call('POST', `/intakes/${id}/preview`, {})).text,
    (
      await call('POST', `/intakes/${id}/preview`, {
        mapping: { content: 'All of it: {{ payload | json }}' },
      })
    ).text,
  ];
  // Read again with another mapping, it is another task.
  const mapping = {
    content: 'Again {{ user }} {{ token }} {{ routing_key }}: {{ payload | json }}',
    url: '{{ url }}',
  };
  await call('PATCH', `/intakes/${id}`, { mapping });
  const replayed = await call('POST', `${of}/replay`);
  expect(replayed.status, replayed.text).toBe(201);
  const { taskIds } = replayed.body['delivery'] as { taskIds: string[] };
  expect(taskIds).toHaveLength(1);
  return [...before, (await call('GET', `/tasks/${taskIds[0] ?? ''}`)).text].join('\n');
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const KEY = 'R0canary1x8s7z6k5j4h3g2f1d0s9a8q';
const USER = 'uQcanary2po4DXghDmr9QzzfQu27cmV';
const APP = 'azcanary3oa1wxyz5vw2qrs8tuv7bcd';
const HIDDEN = /canary/;

describe('a credential of the sender', () => {
  it.each<[string, string, string]>([
    [
      'a routing key',
      JSON_TYPE,
      JSON.stringify({
        routing_key: KEY,
        event_action: 'trigger',
        payload: { summary: 'Disk full', source: 'nas' },
      }),
    ],
    ['a service key', JSON_TYPE, JSON.stringify({ service_key: KEY, description: 'Disk full' })],
    ['an integration key', JSON_TYPE, JSON.stringify({ integrationKey: KEY, title: 'Disk full' })],
    ['a short one', JSON_TYPE, JSON.stringify({ routing_key: 'canary', title: 'Disk full' })],
    [
      'one that is nested',
      JSON_TYPE,
      JSON.stringify({ title: 'Disk full', target: { pager: [{ 'routing-key': KEY }] } }),
    ],
    [
      'one in a list',
      JSON_TYPE,
      JSON.stringify([{ title: 'Disk full', routing_key: KEY }, { routing_key: `${KEY}2` }]),
    ],
    [
      'one that the text repeats',
      JSON_TYPE,
      JSON.stringify({ title: `Disk full, sent with ${KEY}`, routing_key: KEY }),
    ],
    ["Pushover's", JSON_TYPE, JSON.stringify({ token: APP, user: USER, message: 'Disk full', title: 'NAS' })],
    ["Pushover's as a form", FORM_TYPE, `token=${APP}&user=${USER}&message=Disk+full&title=NAS`],
    ["Pushover's as a text", 'text/plain', `token=${APP}&user=${USER}&message=Disk full`],
    [
      "Pushover's, nested",
      JSON_TYPE,
      JSON.stringify({ title: 'Disk full', pushover: { token: APP, user: USER } }),
    ],
    ['a form', FORM_TYPE, `routing_key=${KEY}&title=Disk+full`],
    [
      'a form in a form',
      FORM_TYPE,
      `payload=${encodeURIComponent(JSON.stringify({ service_key: KEY, text: 'Disk full' }))}`,
    ],
    ['XML', 'application/xml', `<event><routing_key>${KEY}</routing_key><title>Disk full</title></event>`],
    [
      'lines of JSON',
      'application/x-ndjson',
      `{"title":"Disk full","routing_key":"${KEY}"}\n{"routing_key":"${KEY}"}`,
    ],
    ['a query', 'text/plain', `Disk full: see https://events.example.com/v1?routing_key=${KEY}&x=1 for more`],
    [
      'multipart fields',
      'multipart/form-data; boundary=b',
      `--b\r\nContent-Disposition: form-data; name="token"\r\n\r\n${APP}\r\n--b\r\nContent-Disposition: form-data; name="user"\r\n\r\n${USER}\r\n--b\r\nContent-Disposition: form-data; name="message"\r\n\r\nDisk full\r\n--b--\r\n`,
    ],
  ])('in %s is in nothing that is shown', async (_in, type, body) => {
    const shown = await shownOf(type, body);
    expect(shown).not.toMatch(HIDDEN);
    expect(shown).toContain('Disk full');
  });

  it.each([
    { routing_key: KEY, event_action: 'trigger', payload: { summary: 'Disk full', source: 'nas' } },
    { service_key: KEY, description: 'Disk full' },
    { token: APP, user: USER, message: 'Disk full', title: 'NAS' },
  ])('is left out of the text of a task, not only hidden in it: %j', async (body) => {
    const made = await call('POST', '/intakes', {
      name: 'x',
      adapter: 'webhook',
      verification: { scheme: 'none' },
    });
    const { id } = made.body['intake'] as { id: string };
    const { preview } = (await call('POST', `/intakes/${id}/preview`, { payload: body })).body as {
      preview: { tasks: { content: string; metadata: unknown }[] };
    };
    expect(preview.tasks[0]?.content).toContain('Disk full');
    expect(preview.tasks[0]?.content).not.toContain('•');
    expect(JSON.stringify(preview.tasks)).not.toMatch(HIDDEN);
  });

  it('still decides what a mapping does, and keeps its tasks apart', async () => {
    const mapping = {
      content: '{{ title }}',
      dedupeKey: '{{ token }}',
      filter: '{% if token contains "canary" %}yes{% endif %}',
    };
    const made = await call('POST', '/intakes', {
      name: 'x',
      adapter: 'webhook',
      verification: { scheme: 'none' },
      mapping,
    });
    const { address } = made.body['intake'] as { address: string };
    const path = `/hooks/${new URL(address).pathname.split('/').at(-1) ?? ''}`;
    const send = async (body: object) =>
      (await app.call('POST', path, { body, headers: { 'content-type': JSON_TYPE } })).body as {
        status: string;
        taskIds: string[];
      };
    const [one, two, again, other] = [
      await send({ title: 'Disk full', token: `${APP}1` }),
      await send({ title: 'Disk full', token: `${APP}2` }),
      await send({ title: 'Disk full', token: `${APP}1` }),
      await send({ title: 'Disk full', token: 'another' }),
    ];
    expect([two.taskIds[0] === one.taskIds[0], again.taskIds[0] === one.taskIds[0], other.status]).toEqual([
      false,
      true,
      'ignored',
    ]);
    expect((await call('GET', `/tasks/${one.taskIds[0] ?? ''}`)).text).not.toMatch(HIDDEN);
  });

  it('in a body that is too long to be kept whole is not in what is kept of it', async () => {
    const made = await call('POST', '/intakes', {
      name: 'x',
      adapter: 'webhook',
      verification: { scheme: 'none' },
    });
    const { id, address } = made.body['intake'] as { id: string; address: string };
    const path = `/hooks/${new URL(address).pathname.split('/').at(-1) ?? ''}`;
    const long = JSON.stringify({ title: 'Disk full', routing_key: KEY, log: 'x'.repeat(70_000) });
    await app.call('POST', path, { body: long, headers: { 'content-type': JSON_TYPE } });
    const broken = `{"title":"Disk full","routing_key":"${KEY}"`;
    expect(
      (await app.call('POST', path, { body: broken, headers: { 'content-type': JSON_TYPE } })).status,
    ).toBe(400);
    await app.parts.deliveries.flush();
    const { deliveries } = (await call('GET', `/intakes/${id}/deliveries`)).body as {
      deliveries: { id: string }[];
    };
    expect(deliveries).toHaveLength(2);
    for (const delivery of deliveries) {
      const { text } = await call('GET', `/intakes/${id}/deliveries/${delivery.id}`);
      expect(text).toContain('Disk full');
      expect(text).not.toMatch(HIDDEN);
    }
  });

  it('that is none stays: a person, a queue, a number of tokens', async () => {
    const body = { user: 'alice', title: 'Disk full', token_count: 7, routing: 'north', key: 'value' };
    const shown = await shownOf(JSON_TYPE, JSON.stringify(body));
    for (const value of Object.values(body)) expect(shown).toContain(String(value));
  });
});

describe('a password in an address', () => {
  it.each<[string, string, string, object]>([
    [
      'its link',
      JSON_TYPE,
      '{"title":"Disk full","url":"https://me:canary1@nas.example.com/x"}',
      { mapping: { content: '{{ title }}', url: '{{ url }}' } },
    ],
    [
      'its text',
      JSON_TYPE,
      '{"title":"Disk full: http://me:canary1@nas.example.com/x and http://canary2@nas.example.com"}',
      {},
    ],
    [
      'a mapped text',
      JSON_TYPE,
      '{"title":"Disk full","url":"ftp://me:canary1@nas/"}',
      { mapping: { content: '{{ title }} {{ url }}', tags: '{{ url }}' } },
    ],
  ])('in %s is hidden wherever it is shown', async (_in, type, body, fields) => {
    const shown = await shownOf(type, body, fields);
    expect(shown).not.toMatch(HIDDEN);
    expect(shown).toContain('nas');
  });

  it('in the address that a preset links to, or its text names, is hidden', async () => {
    const monitor = { id: 1, name: 'NAS', url: 'https://me:canary1@nas.example.com/', type: 'http' };
    const heartbeat = {
      monitorID: 1,
      status: 0,
      time: '2026-11-21 09:00:00',
      msg: 'connect http://a:canary@2@nas',
    };
    const body = { heartbeat, monitor, msg: '[NAS] [🔴 Down] connect http://a:canary@2@nas' };
    const shown = await shownOf(JSON_TYPE, JSON.stringify(body), { preset: 'uptime-kuma' });
    expect(shown).not.toMatch(HIDDEN);
    expect(shown).not.toContain('2@nas');
  });
});
