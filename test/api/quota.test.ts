// A full queue, seen from every way in: each sender is told so in its own words, and when to come again;
// nothing gets lost.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { AddressInfo } from 'node:net';
import { buildFixture, type Fixture } from '#test/helpers/app.ts';
import { startRedis, withoutRedis } from '#test/faults/redis-server.ts';
import { codeOf, mailOf, openClient } from '#test/helpers/mail.ts';
import { insertOf } from '#test/helpers/records.ts';
import { waitFor } from '#test/program/wait.ts';
import { createMongoHarness } from '#test/services/mongo-harness.ts';
import { describeWith, sharedMongo } from '#test/services/services.ts';
import { commandFields, createSender, SIGNING_SECRET } from '#test/slack/sender.ts';
import { BOT_TOKEN, startStandIn, type StandIn } from '#test/slack/stand-in.ts';
import { submissionOf } from '#test/helpers/submissions.ts';

const QUOTA = { MAX_TASKS_PER_OWNER: '2' };
const SENTENCE = 'This queue may hold 2 tasks, and it would hold more.';

describe('a full queue', () => {
  let slack: StandIn;
  let app: Fixture;
  let owners = 0;
  beforeAll(async () => {
    slack = await startStandIn();
    app = await buildFixture({
      ...QUOTA,
      SMTP_PORT: '0',
      SMTP_DOMAIN: 'in.example.com',
      SLACK_SIGNING_SECRET: SIGNING_SECRET,
      SLACK_BOT_TOKEN: BOT_TOKEN,
      SLACK_API_URL: slack.apiUrl,
    });
    await app.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(async () => {
    await app.close();
    await slack.close();
  });

  /** An owner with two tasks, which is all that there may be. */
  async function full() {
    const email = `full${++owners}@example.com`;
    const [key, { accessToken: token }] = [await app.key(email), await app.session(email)];
    const add = (body: object) => app.call('POST', '/tasks', { key, body });
    const first = await add({ content: 'first', dedupeKey: 'disk' });
    expect((await add({ content: 'second' })).status).toBe(201);
    const total = async () => {
      const { body } = await app.call('GET', '/tasks/stats/summary', { key });
      return (body['statistics'] as { total: number }).total;
    };
    const intake = async (adapter: string) => {
      const body = { name: 'in', adapter, verification: { scheme: 'none' } };
      const made = await app.call('POST', '/intakes', {
        token,
        body: adapter === 'smtp' ? { name: 'in', adapter } : body,
      });
      expect(made.status, made.text).toBe(201);
      return made.body['intake'] as { id: string; address: string };
    };
    return { key, token, add, total, intake, id: (first.body['task'] as { id: string }).id };
  }

  it('answers 429 with its code, a sentence that says what to do, and Retry-After; one task and a batch alike', async () => {
    const me = await full();
    const refused = await me.add({ content: 'third' });
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('60');
    expect(refused.body).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      error: expect.stringContaining(SENTENCE) as string,
    });
    expect(refused.body['error']).toContain('Acknowledge some');
    expect(refused.body['error']).toContain('MAX_TASKS_PER_OWNER');
    const tasks = [{ content: 'a', dedupeKey: 'disk' }, { content: 'b' }];
    const batch = await app.call('POST', '/tasks/batch', { key: me.key, body: { tasks } });
    expect(batch.body).toMatchObject({ code: 'QUOTA_EXCEEDED' });
    const asked = { key: me.key, body: { content: 'later' }, headers: { prefer: 'respond-async' } };
    expect((await app.call('POST', '/tasks', asked)).body).toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect(await me.total()).toBe(2);

    expect((await me.add({ content: 'again', dedupeKey: 'disk' })).body).toMatchObject({
      task: { occurrences: 2 },
    });
    const other = await app.key('other@example.com');
    expect((await app.call('POST', '/tasks', { key: other, body: { content: 'mine' } })).status).toBe(201);
    await app.call('DELETE', `/tasks/${me.id}`, { key: me.key });
    expect((await me.add({ content: 'third' })).status).toBe(201);
    expect((await app.call('POST', `/tasks/${me.id}/restore`, { key: me.key })).status).toBe(200);
  });

  it('answers a webhook 503, which senders try again, shows its owner why, and takes the retry in', async () => {
    const me = await full();
    const { id, address } = await me.intake('webhook');
    const deliver = () =>
      app.app.inject({
        method: 'POST',
        url: new URL(address).pathname,
        payload: { text: 'alarm' },
        headers: { 'webhook-id': 'one' },
      });
    const refused = await deliver();
    expect(refused.statusCode).toBe(503);
    expect(refused.headers['retry-after']).toBe('60');
    expect(refused.json()).toMatchObject({ error: expect.stringContaining(SENTENCE) as string });
    await waitFor('the record of it', async () => {
      const { body } = await app.call('GET', `/intakes/${id}/deliveries`, { token: me.token });
      const [first] = body['deliveries'] as { verdict: string; reason: string }[];
      return first?.verdict === 'refused' && first.reason.includes(SENTENCE);
    });
    await app.call('DELETE', `/tasks/${me.id}`, { key: me.key });
    expect((await deliver()).statusCode).toBe(202);
    expect(await me.total()).toBe(2);
  });

  it('answers a mail 452, so that its server keeps it', async () => {
    const me = await full();
    const { address } = await me.intake('smtp');
    const state = app.parts.adapters.states().find(({ name }) => name === 'smtp');
    const client = await openClient(Number(/port (\d+)$/.exec(state?.detail ?? '')?.[1]));
    onTestFinished(() => void client.socket.destroy());
    let code = '';
    for (const line of [
      'EHLO nas',
      'MAIL FROM:<nas@example.org>',
      `RCPT TO:<${address}>`,
      'DATA',
      `${mailOf('full')}.`,
    ])
      code = codeOf(await client.say(line));
    expect(code).toBe('452 4.2.2');
    expect(await me.total()).toBe(2);
  });

  it('says so in Slack', async () => {
    const me = await full();
    const { port } = app.app.server.address() as AddressInfo;
    const send = createSender(`http://127.0.0.1:${port}`, () => app.clock.now());
    const code = (await app.call('POST', '/slack/code', { token: me.token })).body['code'] as string;
    const who = { user_id: 'U00000042', user_name: 'ann', response_url: slack.responseUrl() };
    expect((await send.form(commandFields(`link ${code}`, who))).text).toContain('You are linked');
    expect((await send.form(commandFields('buy milk', who))).text).toContain(SENTENCE);
    expect(await me.total()).toBe(2);
  });

  it('fills no log', () => {
    expect(app.logged()).not.toContain('a submission was not carried out","level":40');
    const warned = app
      .logged()
      .split('\n')
      .filter((line) => line.includes('"level":40') && line.includes('not carried out'));
    expect(warned).toEqual([]);
  });
});

describe.skipIf(withoutRedis !== null)('a full queue where submissions wait', async () => {
  describeWith('the production size', await sharedMongo(), ({ url }) => {
    it('is told before a submission is queued; one that was queued before is kept as rejected, and can be retried', async () => {
      const mongo = createMongoHarness(url);
      onTestFinished(() => mongo.drop());
      const redis = await startRedis();
      onTestFinished(() => redis.remove());
      const production = {
        ...QUOTA,
        MONGODB_URL: mongo.url,
        REDIS_URL: redis.url,
        JWT_SECRET: 's'.repeat(32),
      };
      const app = await buildFixture(production);
      onTestFinished(() => app.close());
      const key = await app.key();
      const { id: ownerId } = await app.user();
      const add = (content: string) =>
        app.call('POST', '/tasks', { key, body: { content }, headers: { prefer: 'respond-async' } });
      const total = async () => (await app.parts.storage.tasks.statistics(ownerId, app.clock.now())).total;
      expect((await add('first')).status).toBe(202);
      await waitFor('the first', async () => (await total()) === 1);
      const [second] = [insertOf()];
      await app.parts.storage.tasks.create(submissionOf({ ownerId, inserts: [second], at: app.clock.now() }));
      const refused = await waitFor('a refusal', async () => {
        const answer = await add('third');
        return answer.status === 429 ? answer : null;
      });
      expect(refused.body).toMatchObject({
        code: 'QUOTA_EXCEEDED',
        error: expect.stringContaining(SENTENCE) as string,
      });
      expect(refused.headers['retry-after']).toBe('60');
      expect(await total()).toBe(2);

      const late = {
        ownerId,
        adapter: 'rest',
        inserts: [insertOf()],
        at: app.clock.now(),
        requestId: 'late',
      };
      await expect(app.parts.submissions.carryOut(late)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
      await app.parts.rejected.add(late, new Error('x'), 8);
      const [stored] = await app.parts.rejected.list();
      await expect(app.parts.rejected.retry(stored?.id ?? '')).rejects.toMatchObject({
        code: 'QUOTA_EXCEEDED',
      });
      expect(await app.parts.rejected.count()).toBe(1);
      await app.call('DELETE', `/tasks/${second.id}`, { key });
      await waitFor('room', () =>
        app.parts.rejected.retry(stored?.id ?? '').then(
          () => true,
          () => false,
        ),
      );
      await waitFor('the late one', async () => (await total()) === 2);
      expect(await app.parts.rejected.count()).toBe(0);
    });
  });
});
