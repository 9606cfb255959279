// A sender that has to come back later, although nothing is at fault, is counted apart and is no line of the
// log; a store that does not answer is one line for all calls that fail.
import { expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#test/helpers/app.ts';
import { unavailable } from '#core/errors.ts';

const METRICS = { METRICS_TOKEN: 'a token of the tests' };

async function makeIntake(
  test: TestApp,
  token: string,
  fields: object,
): Promise<{ id: string; secret: string }> {
  const { body } = await test.call('POST', '/intakes', {
    token,
    body: { name: 'hook', adapter: 'webhook', verification: { scheme: 'none' }, ...fields },
  });
  const { id, address } = body['intake'] as { id: string; address: string };
  return { id, secret: new URL(address).pathname.split('/').at(-1) ?? '' };
}

const loud = (test: TestApp) =>
  test
    .logged()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { level: number; msg: string })
    .filter(({ level }) => level > 30);

const requests = async ({ parts }: TestApp) =>
  (await parts.metrics.read()).text
    .split('\n')
    .filter((line) => line.startsWith('qinbox_http_requests_total'));

it('senders over a cap, at a paused intake or with a full queue are counted by why, and leave no line in the log', async () => {
  const test = await createTestApp({ ...METRICS, MAX_TASKS_PER_OWNER: '2' });
  const { accessToken: token } = await test.session();
  const paused = await makeIntake(test, token, { preset: 'ntfy' });
  const capped = await makeIntake(test, token, { hourlyCap: 1 });
  const free = await makeIntake(test, token, {});
  await test.call('PATCH', `/intakes/${paused.id}`, { token, body: { paused: true } });
  const deliver = (secret: string, text: string) =>
    test.app.inject({ method: 'POST', url: `/hooks/${secret}`, payload: { title: text } });

  expect((await deliver(paused.secret, 'a')).statusCode).toBe(503);
  expect(
    (await test.app.inject({ method: 'POST', url: `/${paused.secret}`, payload: 'as ntfy' })).statusCode,
  ).toBe(503);
  expect((await deliver(capped.secret, 'b')).statusCode).toBe(202);
  expect((await deliver(capped.secret, 'c')).statusCode).toBe(503);
  expect((await deliver(free.secret, 'd')).statusCode).toBe(202);
  expect((await deliver(free.secret, 'e')).statusCode).toBe(503);

  const lines = await requests(test);
  const of503 = lines.filter((line) => line.includes('status="503"'));
  expect(of503.map((line) => /refused="(\w+)"\} (\d+)/.exec(line)?.slice(1)).toSorted()).toEqual([
    ['cap', '1'],
    ['paused', '1'],
    ['paused', '1'],
    ['quota', '1'],
  ]);
  expect(lines.filter((line) => line.includes('status="202"')).join()).not.toContain('refused');
  expect(loud(test)).toEqual([]);
});

it('calls that a store does not answer are one line of the log, and count among the faults', async () => {
  const test = await createTestApp(METRICS);
  const key = await test.key();
  test.parts.inbox.statistics = async () => {
    throw unavailable('store', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
  };
  for (let calls = 0; calls < 20; calls++)
    expect((await test.call('GET', '/tasks/stats/summary', { key })).status).toBe(503);
  expect(loud(test)).toMatchObject([
    { level: 50, msg: 'the store does not answer', cause: 'the connection was refused (ECONNREFUSED)' },
  ]);
  const [line = ''] = (await requests(test)).filter((each) => each.includes('status="503"'));
  expect(line).toMatch(/status="503"\} 20$/);
});
