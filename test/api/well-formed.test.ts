// Text that is not well-formed Unicode (half of a surrogate pair) is refused by the name of its field, where
// a caller writes it; what a sender writes is mended, and two keys that differ stay two.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildFixture, type Fixture } from '#test/helpers/app.ts';

const LONE = '\\ud800';
let app: Fixture;
let token: string;
beforeAll(async () => {
  app = await buildFixture();
  token = (await app.session()).accessToken;
});
afterAll(() => app.close());

const json = { 'content-type': 'application/json' };
const send = (method: 'POST' | 'PUT' | 'PATCH', path: string, body: string) =>
  app.call(method, path, { token, body, headers: json });
const titles = async () =>
  ((await app.call('GET', '/tasks', { token })).body['tasks'] as { content: string }[]).map(
    ({ content }) => content,
  );

it('reads JSON and text that begin with a byte order mark, as files of Windows do', async () => {
  const fromFile = await send('POST', '/tasks', '\uFEFF{"content":"from a file"}');
  expect([fromFile.status, fromFile.body]).toMatchObject([201, { task: { content: 'from a file' } }]);
  const headers = { 'content-type': 'text/plain' };
  const text = await app.call('POST', '/tasks', { token, body: '\uFEFFfrom a text', headers });
  expect(text.body).toMatchObject({ task: { content: 'from a text' } });
});

describe('half of a pair', () => {
  it.each<[string, 'POST' | 'PUT' | 'PATCH', string, string, string]>([
    ['a dedupe key', 'POST', '/tasks', `{"content":"x","dedupeKey":"a${LONE}"}`, 'dedupeKey'],
    ['the content', 'POST', '/tasks', `{"content":"a\\uDFFFb"}`, 'content'],
    ['a tag', 'POST', '/tasks', `{"content":"x","tags":["a","${LONE}"]}`, 'tags/1'],
    ['metadata', 'POST', '/tasks', `{"content":"x","metadata":{"a":[{"b":"${LONE}"}]}}`, 'metadata/a/0/b'],
    ['a name in metadata', 'POST', '/tasks', `{"content":"x","metadata":{"a${LONE}":1}}`, 'metadata'],
    [
      'one of a batch',
      'POST',
      '/tasks/batch',
      `{"tasks":[{"content":"x"},{"content":"y","dedupeKey":"${LONE}"}]}`,
      'tasks/1/dedupeKey',
    ],
    [
      'a change of many tasks',
      'PATCH',
      '/tasks',
      `{"tasks":[{"id":"a","pinned":true},{"id":"b","content":"${LONE}"}]}`,
      'tasks/1/content',
    ],
    ['the name of a view', 'POST', '/views', `{"name":"${LONE}","key":null,"query":""}`, 'name'],
    ['the query of a view', 'POST', '/views', `{"name":"x","key":null,"query":"${LONE}"}`, 'query'],
    ['a key of the API', 'POST', '/auth/api-keys', `{"name":"${LONE}"}`, 'name'],
    ['a profile', 'PUT', '/auth/profile', `{"name":"${LONE}"}`, 'name'],
    [
      'an intake',
      'POST',
      '/intakes',
      `{"name":"x","adapter":"webhook","verification":{"scheme":"bearer","secret":"long enough ${LONE}"}}`,
      'verification/secret',
    ],
    [
      'a mapping',
      'POST',
      '/intakes',
      `{"name":"x","adapter":"webhook","verification":{"scheme":"none"},"mapping":{"content":"${LONE}"}}`,
      'mapping/content',
    ],
  ])('in %s is refused, and nothing is stored', async (_what, method, path, body, field) => {
    const before = await titles();
    const refused = await send(method, path, body);
    expect([refused.status, refused.body['details']]).toEqual([
      400,
      [{ field, message: 'must be well-formed Unicode' }],
    ]);
    expect(await titles()).toEqual(before);
  });

  it.each(['%ED%A0%80', '%FF', '%C3'])('in a form, written as %s, is refused', async (half) => {
    const refused = await app.call('POST', '/tasks', {
      token,
      body: `content=x&dedupeKey=${half}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([refused.status, refused.body['details']]).toEqual([
      400,
      [{ field: '', message: 'the body is not valid UTF-8' }],
    ]);
  });
});

it('whole pairs, however they are written, are text like any other', async () => {
  const made = await send(
    'POST',
    '/tasks',
    '{"content":"\\ud83d\\udd11 and 🔑","dedupeKey":"\\uD83D\\uDD11"}',
  );
  expect([made.status, made.body['task']]).toEqual([
    201,
    expect.objectContaining({ content: '🔑 and 🔑', dedupeKey: '🔑' }),
  ]);
  const again = await send('POST', '/tasks', '{"content":"100% 🔑","dedupeKey":"🔑"}');
  expect(again.body['task']).toMatchObject({ occurrences: 2 });
});

it.each([
  [
    'its mapping',
    { mapping: { content: '{{ title }}', dedupeKey: '{{ key }}' } },
    (key: string) => `{"title":"T","key":"${key}"}`,
  ],
  [
    'its preset',
    { preset: 'pagerduty' },
    (key: string) =>
      `{"event":{"event_type":"incident.triggered","data":{"type":"incident","id":"${key}","title":"T","status":"triggered"}}}`,
  ],
])(
  'two keys that differ in halves alone are two tasks of an intake that reads them by %s',
  async (_how, fields, body) => {
    const made = await app.call('POST', '/intakes', {
      token,
      body: { name: 'x', adapter: 'webhook', verification: { scheme: 'none' }, ...fields },
    });
    const { address } = made.body['intake'] as { address: string };
    const path = `/hooks/${new URL(address).pathname.split('/').at(-1) ?? ''}`;
    const deliver = async (key: string) =>
      (await app.call('POST', path, { body: body(key), headers: json })).body['taskIds'] as string[];
    const ids = [
      await deliver('P\\ud800'),
      await deliver('P\\ud801'),
      await deliver('P\\ufffd'),
      await deliver('P\\ud800'),
    ].flat();
    expect(new Set(ids).size).toBe(3);
    expect(ids[3]).toBe(ids[0]);
    const task = await app.call('GET', `/tasks/${ids[0] ?? ''}`, { token });
    expect((task.body['task'] as { dedupeKey: string }).dedupeKey.isWellFormed()).toBe(true);
  },
);
