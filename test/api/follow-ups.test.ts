// Escalations and the digest, from the call that makes one to those who are told.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Escalation, EscalationRun } from '#core/contract/index.ts';
import { digestLane } from '#core/domain/digest.ts';
import { noteSending } from '#core/services/work/steps.ts';
import { buildFixture, createTestApp, type Fixture } from '#test/helpers/app.ts';
import { startChat, startRelay, type Chat, type Relay } from '#test/helpers/channels.ts';
import { startReceiver } from '#test/helpers/receivers.ts';
import { sweepOnce } from '#test/helpers/sweeps.ts';
import { waitFor } from '#test/program/wait.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let app: Fixture;
let relay: Relay;
let owners = 0;
beforeAll(async () => {
  relay = await startRelay();
  app = await buildFixture({
    OUTGOING_ALLOW: '127.0.0.1',
    WEBHOOK_HTTP: 'true',
    PUBLIC_URL: 'https://qinbox.example.com',
    RATE_LIMIT_PER_MINUTE: '100000',
    ...relay.env,
  });
});
afterAll(async () => {
  await app.close();
  await relay.close();
});

async function owner() {
  const email = `escalating${++owners}@example.com`;
  const key = await app.key(email);
  // A session ends while the time passes.
  const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => {
    const { accessToken: token } = await app.session(email);
    return app.call(method, path, { token, ...(body === undefined ? {} : { body }) });
  };
  return {
    email,
    key,
    call,
    async add(body: object = {}): Promise<string> {
      const task = { content: 'Disk full\n<b>on</b> nas & co', priority: 'high', ...body };
      const made = await app.call('POST', '/tasks', { key, body: task });
      return (made.body['task'] as { id: string }).id;
    },
    acknowledge: (id: string) => app.call('DELETE', `/tasks/${id}`, { key }),
    async contents(): Promise<string[]> {
      const { body } = await app.call('GET', '/tasks', { key });
      return (body['tasks'] as { content: string }[]).map(({ content }) => content);
    },
  };
}

async function chat(): Promise<Chat> {
  const started = await startChat();
  onTestFinished(started.close);
  return started;
}

const inputOf = (steps: object[], fields: object = {}) => ({
  name: 'Alerts',
  intake: null,
  priorities: ['high'],
  steps,
  ...fields,
});

/** An owner with an escalation of these steps. */
async function escalating(steps: object[], fields: object = {}) {
  const from = await owner();
  const input = inputOf(steps, fields);
  const made = await from.call('POST', '/escalations', input);
  expect(made.body).toMatchObject({ success: true });
  expect(made.status).toBe(201);
  const escalation = made.body['escalation'] as Escalation;
  const { id } = escalation;
  const runs = async () =>
    (await from.call('GET', `/escalations/${id}/runs`)).body['runs'] as EscalationRun[];
  return {
    ...from,
    input,
    escalation,
    id,
    runs,
    /** Resolves when a step is as asked. */
    run: (what: string, is: (run: EscalationRun) => boolean) =>
      waitFor(what, async () => (await runs()).find(is) ?? null),
  };
}

/** Time for what should not come to come. */
const aLook = () => new Promise((resolve) => setTimeout(resolve, 400));

describe('an escalation', () => {
  it('tells each way at its time, once, and who reads it what, since when and where', async () => {
    const [now, later] = [await chat(), await chat()];
    const hook = await startReceiver();
    onTestFinished(hook.close);
    const from = await owner();
    const made = await from.call('POST', '/webhooks', { name: 'W', url: hook.url, events: ['task.expired'] });
    const webhook = (made.body['webhook'] as { id: string }).id;
    const steps = [
      { afterMinutes: 30, kind: 'slack', to: later.url },
      { afterMinutes: 0, kind: 'slack', to: now.url },
      { afterMinutes: 5, kind: 'mail', to: 'On-Call@example.com' },
      { afterMinutes: 5, kind: 'webhook', to: webhook },
    ];
    const { body } = await from.call('POST', '/escalations', inputOf(steps));
    const { id } = body['escalation'] as Escalation;
    const task = await from.add();
    await waitFor('the first step', () => now.texts.length > 0);
    expect(now.texts).toEqual([
      '*Disk full*\n&lt;b&gt;on&lt;/b&gt; nas &amp; co\nPriority high, from api. Escalation “Alerts”.\n' +
        `<https://qinbox.example.com/inbox?task=${task}|Open in Qinbox>`,
    ]);
    app.clock.advance(5 * MINUTE - 1);
    await aLook();
    expect([relay.taken.length, hook.received.length, later.texts.length]).toEqual([0, 0, 0]);
    app.clock.advance(1);
    await waitFor('the mail', () => relay.taken.length > 0);
    expect(relay.taken[0]).toMatchObject({ to: 'on-call@example.com', subject: 'Disk full' });
    expect(relay.taken[0]?.text).toContain('Nobody acknowledged it for 5 minutes (escalation “Alerts”).');
    expect(relay.taken[0]?.text).toContain(`https://qinbox.example.com/inbox?task=${task}`);
    const [event] = await hook.count(1);
    expect(event).toMatchObject({ type: 'task.escalated', task: { id: task } });
    expect(JSON.parse(event?.body ?? '')).toMatchObject({
      escalation: { id, name: 'Alerts', step: 3, afterMinutes: 5 },
    });
    app.clock.advance(25 * MINUTE);
    await waitFor('the last step', () => later.texts.length > 0);
    app.clock.advance(HOUR);
    await aLook();
    expect([now.texts.length, relay.taken.length, hook.received.length, later.texts.length]).toEqual([
      1, 1, 1, 1,
    ]);
    const runs = (await from.call('GET', `/escalations/${id}/runs`)).body['runs'] as EscalationRun[];
    expect(runs.map(({ taskId, title, status, attempts }) => [taskId, title, status, attempts])).toEqual(
      runs.map(() => [task, 'Disk full', 'done', 1]),
    );
    expect(runs.map(({ detail }) => detail).toSorted()).toEqual([
      'Handed to the webhook “W”.',
      'The message was taken.',
      'The message was taken.',
      'The relay took the mail to on-call@example.com.',
    ]);
  });

  it('tells nobody of a task that was acknowledged, has expired, or is not meant', async () => {
    const to = await chat();
    const { add, acknowledge, run } = await escalating([{ afterMinutes: 5, kind: 'slack', to: to.url }]);
    const seen = await add();
    const expired = await add({ expiryMinutes: 5 });
    await add({ priority: 'normal' });
    await acknowledge(seen);
    app.clock.advance(5 * MINUTE);
    expect(
      await run('the end of one', ({ taskId, status }) => taskId === expired && status === 'stopped'),
    ).toMatchObject({ detail: 'The task has expired.' });
    expect(
      await run('why one waits', ({ taskId, detail }) => taskId === seen && detail !== null),
    ).toMatchObject({
      status: 'waiting',
      attempts: 0,
      detail: 'The task was acknowledged, which can still be taken back.',
    });
    // Its acknowledgement could have been undone for ten minutes.
    app.clock.advance(5 * MINUTE);
    const ended = await run(
      'the end of the other',
      ({ taskId, status }) => taskId === seen && status === 'stopped',
    );
    expect(ended.detail).toMatch(/was acknowledged/);
    expect(to.texts).toEqual([]);
  });

  it('is stopped long before its time where the task is over, and of each step the latest 2,000 stay on record', async () => {
    const from = await escalating([{ afterMinutes: 10_080, kind: 'push' }]);
    const { user } = (await from.call('GET', '/auth/profile')).body as { user: { id: string } };
    const lane = from.escalation.steps[0]?.id ?? '';
    const statuses = async () => {
      const all = await app.parts.storage.work.list(user.id, lane, 5000);
      return Object.entries(Object.groupBy(all, ({ status }) => status)).map(
        ([status, of]) => `${of.length} ${status}`,
      );
    };
    const tasks = Array.from({ length: 420 }, () => ({ content: 'Disk full', priority: 'high' }));
    for (let batch = 0; batch < 5; batch++) {
      const made = await app.call('POST', '/tasks/batch', { key: from.key, body: { tasks } });
      const ids = (made.body['tasks'] as { id: string }[]).map(({ id }) => id);
      const { status } = await app.call('POST', '/tasks/acknowledge', { key: from.key, body: { ids } });
      expect(status).toBe(200);
    }
    expect(await statuses()).toEqual(['2100 waiting']);
    app.clock.advance(10 * MINUTE);
    await waitFor('the end of the others', async () => {
      app.clock.advance(SECOND);
      return (await statuses()).join() === '2000 done';
    });
    const [latest] = await from.runs();
    expect(latest).toMatchObject({ status: 'stopped', detail: expect.stringMatching(/was acknowledged/) });
  });

  it('is listed by when it ended, or is due: what ends long before its time is not among what comes', async () => {
    const { add, acknowledge, escalation, runs, run } = await escalating([
      { afterMinutes: 0, kind: 'push' },
      { afterMinutes: 60, kind: 'push' },
    ]);
    const first = await add();
    await run('the first step', ({ status }) => status === 'failed');
    await acknowledge(first);
    app.clock.advance(10 * MINUTE);
    await run('the end of the other', ({ status }) => status === 'stopped');
    app.clock.advance(MINUTE);
    const second = await add();
    await run('its first step', ({ taskId, status }) => taskId === second && status === 'failed');
    const [now, later] = escalation.steps.map(({ id }) => id);
    expect((await runs()).map(({ taskId, step, status }) => [taskId, step, status])).toEqual([
      [second, later, 'waiting'],
      [second, now, 'failed'],
      [first, later, 'stopped'],
      [first, now, 'failed'],
    ]);
  });

  it('waits while its task has another priority, and goes on when that is as before', async () => {
    const to = await chat();
    const { add, run, key } = await escalating([{ afterMinutes: 5, kind: 'slack', to: to.url }]);
    const id = await add();
    const change = (priority: string) => app.call('PUT', `/tasks/${id}`, { key, body: { priority } });
    expect((await change('normal')).status).toBe(200);
    app.clock.advance(5 * MINUTE);
    expect(await run('why it waits', ({ detail }) => detail !== null)).toMatchObject({
      status: 'waiting',
      attempts: 0,
      detail: 'The escalation is not for this task now.',
    });
    await change('high');
    app.clock.advance(5 * MINUTE - 1);
    await aLook();
    expect(to.texts).toEqual([]);
    app.clock.advance(1);
    await run('the step', ({ status }) => status === 'done');
    expect(to.texts).toHaveLength(1);
  });

  it('that was tried in vain is done in the hour after its task is woken, also long before it was to wake', async () => {
    const to = await chat();
    to.answers.push(503);
    const { add, run, key } = await escalating([{ afterMinutes: 0, kind: 'slack', to: to.url }]);
    const id = await add({ expiryMinutes: 10_080 });
    const snooze = (fields: object) => app.call('POST', `/tasks/${id}/snooze`, { key, body: fields });
    await run('an attempt', ({ attempts }) => attempts === 1);
    expect((await snooze({ minutes: 3 * 24 * 60 })).status).toBe(200);
    app.clock.advance(MINUTE);
    await run('why it waits', ({ detail }) => detail === 'The task is snoozed.');
    expect((await snooze({ until: null })).status).toBe(200);
    app.clock.advance(HOUR);
    await run('the step', ({ status }) => status === 'done');
    expect(to.texts).toHaveLength(2);
  });

  it('tries again what was not taken, gives up what is refused, and says so', async () => {
    const [busy, gone] = [await chat(), await chat()];
    busy.answers.push(500, 429);
    gone.answers.push(404);
    const { add, run } = await escalating([
      { afterMinutes: 0, kind: 'slack', to: busy.url },
      { afterMinutes: 1, kind: 'slack', to: gone.url },
      { afterMinutes: 2, kind: 'push' },
    ]);
    const { length: before } = relay.taken;
    await add();
    expect(await run('a failed attempt', ({ attempts }) => attempts === 1)).toMatchObject({
      status: 'waiting',
      detail: 'It answered 500: no_service',
    });
    for (let tries = 0; tries < 2; tries++) {
      app.clock.advance(MINUTE);
      // Recorded: what it is due again by counts from then.
      await run('another attempt', ({ attempts }) => attempts === tries + 2);
    }
    await run('a success', ({ status }) => status === 'done');
    expect(await run('what is refused', ({ detail }) => detail?.includes('404') ?? false)).toMatchObject({
      status: 'failed',
      attempts: 1,
      detail: 'It answered 404: no_service',
    });
    expect(await run('a push to nobody', ({ detail }) => detail?.includes('device') ?? false)).toMatchObject({
      status: 'failed',
      detail: 'There is no device that pushes go to.',
    });
    expect([busy.texts.length, gone.texts.length, relay.taken.length - before]).toEqual([3, 1, 0]);
  });

  it('says that it may be a repeat where nobody knows whether it came, and only there', async () => {
    const [lost, refused] = [await chat(), await chat()];
    lost.answers.push('hangs up', 503);
    refused.answers.push(503, 429);
    const { add, run, runs } = await escalating([
      { afterMinutes: 0, kind: 'slack', to: lost.url },
      { afterMinutes: 0, kind: 'slack', to: refused.url },
    ]);
    await add();
    for (const attempts of [1, 2]) {
      await waitFor('the attempts', async () => (await runs()).every((one) => one.attempts === attempts));
      app.clock.advance(MINUTE);
    }
    await waitFor('the end of both', async () => (await runs()).every(({ status }) => status === 'done'));
    const isMarked = (text: string) => text.startsWith('_This may be a repeat: ');
    expect(lost.texts.map(isMarked)).toEqual([false, true, true]);
    expect(refused.texts.map(isMarked)).toEqual([false, false, false]);
    expect(new Set(lost.texts.map((text) => text.replace(/^_.*_\n/, ''))).size).toBe(1);
    expect(
      await run('what is said of it', ({ detail }) => detail?.includes('second') ?? false),
    ).toMatchObject({
      detail: 'The message was taken, perhaps for the second time: it says so.',
    });
  });

  it('is changed step by step: those that stay keep their secrets, those that go are done no more', async () => {
    const [stays, goes] = [await chat(), await chat()];
    const { id, escalation, call, add, key } = await escalating([
      { afterMinutes: 5, kind: 'slack', to: stays.url },
      { afterMinutes: 5, kind: 'slack', to: goes.url },
    ]);
    const shown = await call('GET', '/escalations');
    expect(shown.body).toMatchObject({
      mail: true,
      escalations: [{ id, steps: [{ to: '127.0.0.1/…1234' }, {}] }],
    });
    expect(shown.text).not.toContain('secret');
    expect(app.logged()).not.toContain('secret1234');
    await add();
    const [step] = escalation.steps;
    const saved = await call(
      'PUT',
      `/escalations/${id}`,
      inputOf([{ id: step?.id, afterMinutes: 7, kind: 'slack' }], { name: ' Other ' }),
    );
    expect(saved.body).toMatchObject({
      escalation: { name: 'Other', steps: [{ id: step?.id, afterMinutes: 7, to: '127.0.0.1/…1234' }] },
    });
    app.clock.advance(5 * MINUTE);
    await aLook();
    app.clock.advance(2 * MINUTE);
    await waitFor('the step that stays', () => stays.texts.length > 0);
    expect(goes.texts).toEqual([]);
    for (const [method, path, body] of [
      ['POST', '/escalations', inputOf([{ afterMinutes: 5, kind: 'push' }], { intake: 'in_x' })],
      ['PUT', `/escalations/${id}`, inputOf([{ afterMinutes: 5, kind: 'push' }])],
      ['DELETE', `/escalations/${id}`, undefined],
    ] as const)
      expect((await app.call(method, path, { key, ...(body === undefined ? {} : { body }) })).status).toBe(
        403,
      );
    const stranger = await owner();
    for (const [method, path] of [
      ['DELETE', `/escalations/${id}`],
      ['POST', `/escalations/${id}/test`],
      ['GET', `/escalations/${id}/runs`],
    ] as const)
      expect([path, (await stranger.call(method, path)).status]).toEqual([path, 404]);
    expect(
      (await stranger.call('PUT', `/escalations/${id}`, inputOf([{ afterMinutes: 5, kind: 'push' }]))).status,
    ).toBe(404);
    expect((await call('DELETE', `/escalations/${id}`)).status).toBe(200);
    expect((await call('GET', '/escalations')).body).toMatchObject({ escalations: [] });
  });

  it('keeps a new address of a step when another change of it comes at the same time', async () => {
    const { call, id, escalation } = await escalating([
      { afterMinutes: 60, kind: 'slack', to: 'http://127.0.0.1:1/old1' },
    ]);
    const step = { id: escalation.steps[0]?.id, afterMinutes: 60, kind: 'slack' };
    const saves = [
      inputOf([step], { name: 'Before' }),
      inputOf([{ ...step, to: 'http://127.0.0.1:1/new2' }]),
      inputOf([step], { name: 'After' }),
    ].map((input) => call('PUT', `/escalations/${id}`, input));
    expect((await Promise.all(saves)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await call('GET', '/escalations')).body).toMatchObject({
      escalations: [{ id, steps: [{ to: '127.0.0.1/…new2' }] }],
    });
  });

  it('is tried with a sample, unless it is paused; paused, it tells nobody of anything', async () => {
    const to = await chat();
    const steps = [{ afterMinutes: 60, kind: 'slack', to: to.url }];
    const { id, escalation, call, run, add } = await escalating(steps);
    expect((await call('POST', `/escalations/${id}/test`)).status).toBe(202);
    await waitFor('the sample', () => to.texts.length > 0);
    expect(to.texts[0]).toContain('A test from Qinbox');
    expect(await run('it on record', ({ status }) => status === 'done')).toMatchObject({ taskId: null });
    await add();
    const paused = inputOf([{ id: escalation.steps[0]?.id, afterMinutes: 60, kind: 'slack' }], {
      paused: true,
    });
    await call('PUT', `/escalations/${id}`, paused);
    expect((await call('POST', `/escalations/${id}/test`)).status).toBe(409);
    app.clock.advance(HOUR);
    expect(await run('what is left out', ({ status }) => status === 'stopped')).toMatchObject({
      detail: 'The escalation was paused.',
    });
    expect(to.texts).toHaveLength(1);
  });

  it.each([
    [{ afterMinutes: 5, kind: 'push', to: 'x' }, 'steps/0/to', 'left out'],
    [{ afterMinutes: 5, kind: 'slack' }, 'steps/0/to', 'incoming webhook'],
    [{ afterMinutes: 5, kind: 'slack', to: 'https://10.0.0.1/x' }, 'steps/0/to', 'public internet'],
    [{ afterMinutes: 5, kind: 'slack', to: 'hooks.slack.com' }, 'steps/0/to', 'such as https'],
    [{ afterMinutes: 5, kind: 'mail', to: 'nobody' }, 'steps/0/to', 'e-mail address'],
    [{ afterMinutes: 5, kind: 'mail', to: 'somebody@elsewhere.example' }, 'steps/0/to', 'MAIL_TO'],
    [{ afterMinutes: 5, kind: 'webhook', to: 'wh_none' }, 'steps/0/to', 'webhook of your own'],
    [{ afterMinutes: 5, kind: 'push', id: 'step_none' }, 'steps/0/id', 'a step that is there'],
    [{ afterMinutes: 10_081, kind: 'push' }, 'steps/0/afterMinutes', '10080'],
    [{ afterMinutes: 1.5, kind: 'push' }, 'steps/0/afterMinutes', 'whole number'],
    [{ afterMinutes: 5, kind: 'pigeon' }, 'steps/0/kind', ''],
  ])('refuses a step that cannot be done: %j', async (step, field, message) => {
    const { call } = await owner();
    const { status, body } = await call('POST', '/escalations', inputOf([step]));
    expect(status).toBe(400);
    const [detail] = body['details'] as { field: string; message: string }[];
    expect(detail?.field).toBe(field);
    expect(detail?.message).toContain(message);
    expect((await call('GET', '/escalations')).body).toMatchObject({ escalations: [] });
  });

  it('is one for the same tasks, and for no other server to say whom to mail', async () => {
    const { call, input, id, email } = await escalating([{ afterMinutes: 5, kind: 'push' }]);
    const again = await call('POST', '/escalations', input);
    expect([again.status, again.body['error']]).toEqual([409, expect.stringContaining('“Alerts”')]);
    const other = await call('POST', '/escalations', { ...input, intake: 'in_1' });
    expect(other.status).toBe(201);
    const otherId = (other.body['escalation'] as Escalation).id;
    expect((await call('PUT', `/escalations/${otherId}`, input)).status).toBe(409);
    // The address of a user may always be mailed.
    const own = inputOf([{ afterMinutes: 5, kind: 'mail', to: email }]);
    expect((await call('PUT', `/escalations/${id}`, own)).status).toBe(200);
    expect((await call('PUT', `/escalations/${id}`, { ...own, name: ' ' })).status).toBe(400);
    expect((await call('PUT', `/escalations/${id}`, { ...own, priorities: [] })).status).toBe(400);
    expect((await call('PUT', `/escalations/${id}`, { ...own, steps: [] })).status).toBe(400);
  });
});

describe('mail of one owner', () => {
  it('waits beyond so many an hour, and is not sent for what was acknowledged meanwhile', async () => {
    const few = await createTestApp({ ...relay.env, MAIL_PER_OWNER_PER_HOUR: '1' });
    const { accessToken: token } = await few.session();
    const key = await few.key();
    const steps = [{ afterMinutes: 0, kind: 'mail', to: 'a@example.com' }];
    const made = await few.call('POST', '/escalations', { token, body: inputOf(steps) });
    const { id } = made.body['escalation'] as Escalation;
    const add = async (content: string) =>
      (await few.call('POST', '/tasks', { key, body: { content, priority: 'high' } })).body['task'] as {
        id: string;
      };
    const { length: before } = relay.taken;
    const subjects = () => relay.taken.slice(before).map(({ subject }) => subject);
    await add('first');
    await waitFor('the first mail', () => subjects().length > 0);
    const seen = await add('second');
    await add('third');
    await waitFor('both to be put off', async () => {
      const { accessToken } = await few.session();
      const { body } = await few.call('GET', `/escalations/${id}/runs`, { token: accessToken });
      const runs = body['runs'] as EscalationRun[];
      return runs.filter(({ dueAt }) => Date.parse(dueAt) > few.clock.now()).length === 2;
    });
    await few.call('DELETE', `/tasks/${seen.id}`, { key });
    few.clock.advance(HOUR + 1);
    await waitFor('the third mail', () => subjects().length > 1);
    expect(subjects()).toEqual(['first', 'third']);
  });
});

it('a mail has a first line that its subject has no room for, whole and once', async () => {
  const from = await owner();
  const steps = [{ afterMinutes: 0, kind: 'mail', to: 'on-call@example.com' }];
  await from.call('POST', '/escalations', inputOf(steps));
  const { length: before } = relay.taken;
  const line = `${'Backup of host db1: '.repeat(10)}see the log`;
  await from.add({ content: `${line}\nmore` });
  await waitFor('the mail', () => relay.taken.length > before);
  const { subject = '', text = '' } = relay.taken.at(-1) ?? {};
  expect(subject).toBe(`${line.slice(0, 149)}…`);
  expect(text).toMatch(/^Backup of host db1: /);
  expect(text.split(line.slice(0, 140))).toHaveLength(2);
  expect(text).toContain(`${line}\nmore\n\nPriority high`);
});

describe('a digest', () => {
  it('says once a day, at its hour, each way, what expired unseen', async () => {
    const { call, add, acknowledge, contents, email } = await owner();
    expect((await call('GET', '/digest')).body).toMatchObject({ digest: null, mail: true });
    const digest = { time: '08:00', zone: 'Europe/Berlin', to: ['task', 'mail', 'push'] };
    expect((await call('PUT', '/digest', { digest })).body).toMatchObject({ digest });
    await add({ content: 'first\nmore', expiryMinutes: 1 });
    await add({ content: 'second', expiryMinutes: 1 });
    await acknowledge(await add({ content: 'seen', expiryMinutes: 1 }));
    await add({ content: 'stays', expiryMinutes: 10_080 });
    app.clock.advance(2 * MINUTE);
    await sweepOnce(app.parts.storage.tasks, app.clock.now(), 500);
    const { length: before } = relay.taken;
    const next = new Date(app.clock.now());
    next.setUTCHours(7, 0, 0, 0);
    const due = next.getTime() + (next.getTime() <= app.clock.now() ? 24 * HOUR : 0);
    app.clock.advance(due - app.clock.now() - 1);
    await aLook();
    expect(await contents()).toEqual(['stays']);
    app.clock.advance(1);
    const text = '2 tasks expired unseen\n\n- first (api)\n- second (api)';
    await waitFor('the task', async () => (await contents()).length > 1);
    expect(await contents()).toContain(text);
    await waitFor('the mail', () => relay.taken.length > before);
    expect(relay.taken.at(-1)).toMatchObject({ to: email, subject: '2 tasks expired unseen' });
    expect(relay.taken.at(-1)?.text).toContain('- second (api)');
    // Its own task is in no digest, and nothing is said of nothing.
    app.clock.advance(24 * HOUR);
    await sweepOnce(app.parts.storage.tasks, app.clock.now(), 500);
    app.clock.advance(24 * HOUR);
    await aLook();
    expect(await contents()).toEqual(['stays']);
    expect(relay.taken).toHaveLength(before + 1);
  });

  /** A digest that waits to tell of one task by mail. */
  async function mailedDigest() {
    const { call, add, email } = await owner();
    await call('PUT', '/digest', { digest: { time: '08:00', zone: 'UTC', to: ['mail'] } });
    await add({ content: 'first', expiryMinutes: 1 });
    app.clock.advance(2 * MINUTE);
    const { tasks, work } = app.parts.storage;
    await sweepOnce(tasks, app.clock.now(), 500);
    const { id } = await app.user(email);
    const lane = digestLane(id);
    return { email, lane, work, listed: () => work.list(id, lane, 10) };
  }

  it('says in a mail that may have come before, as after a crash, that it may be a repeat', async () => {
    const { work, listed } = await mailedDigest();
    const waiting = (await listed()).find(({ status }) => status === 'waiting');
    if (waiting === undefined) throw new Error('no digest waits');
    const { length: before } = relay.taken;
    await noteSending(waiting, { work, clock: app.clock });
    app.clock.advance(24 * HOUR);
    await waitFor('the mail', () => relay.taken.length > before);
    expect(relay.taken.at(-1)?.text).toMatch(/^This may be a repeat: .*\n\n1 task expired unseen\n\n- first/);
  });

  it('says after a weekend without the relay what expired before it', async () => {
    const { email, lane, work, listed } = await mailedDigest();
    const { length: before } = relay.taken;
    relay.isAway = true;
    onTestFinished(() => void (relay.isAway = false));
    app.clock.advance(24 * HOUR);
    await waitFor('the first attempt', async () => (await listed()).some(({ attempts }) => attempts > 0));
    app.clock.advance(62 * HOUR);
    await work.purge(app.clock.now());
    relay.isAway = false;
    await work.wakeLane(lane, app.clock.now());
    await waitFor('the mail', () => relay.taken.length > before);
    expect(relay.taken.at(-1)).toMatchObject({ to: email, subject: '1 task expired unseen' });
    expect(relay.taken.at(-1)?.text).toContain('- first (api)');
  });

  it('says of more than it reads that there were so many or more, and stores no more of them', async () => {
    const { call, contents, email } = await owner();
    await call('PUT', '/digest', { digest: { time: '08:00', zone: 'UTC', to: ['task'] } });
    const tasks = Array.from({ length: 500 }, (_, n) => ({ content: `task ${n}`, expiryMinutes: 1 }));
    for (let n = 0; n < 4; n++) await call('POST', '/tasks/batch', { tasks });
    app.clock.advance(2 * MINUTE);
    const { tasks: store, work } = app.parts.storage;
    while ((await sweepOnce(store, app.clock.now(), 500)).more);
    const { id } = await app.user(email);
    const lines = await work.list(id, digestLane(id), 5000);
    expect(lines.length).toBeGreaterThanOrEqual(1000);
    expect(lines.length).toBeLessThanOrEqual(1000 + 250 + 1);
    app.clock.advance(24 * HOUR);
    await waitFor('the task', async () => (await contents()).length > 0);
    expect((await contents())[0]).toMatch(/^1000 tasks or more expired unseen\n/);
  });

  it('comes as it was set when a task expired, and once, where its hour, zone or way is changed before', async () => {
    const { call, add, contents, email } = await owner();
    await call('PUT', '/digest', { digest: { time: '08:00', zone: 'UTC', to: ['task'] } });
    await add({ content: 'first', expiryMinutes: 1 });
    app.clock.advance(2 * MINUTE);
    await sweepOnce(app.parts.storage.tasks, app.clock.now(), 500);
    await call('PUT', '/digest', { digest: { time: '20:00', zone: 'America/New_York', to: ['mail'] } });
    app.clock.advance(24 * HOUR);
    await waitFor('the task', async () => (await contents()).length > 0);
    expect(await contents()).toEqual(['1 task expired unseen\n\n- first (api)']);
    app.clock.advance(22 * HOUR);
    await aLook();
    expect(relay.taken.filter(({ to }) => to === email)).toEqual([]);
  });

  it('comes on the next day where its hour is changed after it came, also twice, and at once where none came', async () => {
    const { call, add, contents } = await owner();
    const at = (time: string) => call('PUT', '/digest', { digest: { time, zone: 'UTC', to: ['task'] } });
    const advanceTo = (day: number, hours: number, minutes = 0) => {
      const midnight = new Date(began).setUTCHours(0, 0, 0, 0);
      app.clock.advance(midnight + day * 24 * HOUR + hours * HOUR + minutes * MINUTE - app.clock.now());
    };
    async function expire(content: string): Promise<void> {
      await add({ content, expiryMinutes: 1 });
      app.clock.advance(2 * MINUTE);
      await sweepOnce(app.parts.storage.tasks, app.clock.now(), 500);
    }
    const comes = (content: string) =>
      waitFor(content, async () => (await contents()).join().includes(content));
    const began = app.clock.now();
    await at('08:00');
    await expire('first');
    advanceTo(1, 8);
    await comes('first');
    await at('09:00');
    await at('10:00');
    await expire('second');
    advanceTo(1, 23, 59);
    await aLook();
    expect((await contents()).join()).not.toContain('second');
    advanceTo(2, 10);
    await comes('second');

    advanceTo(3, 20);
    await at('20:30');
    await expire('third');
    advanceTo(3, 20, 30);
    await comes('third');
  });

  it('is off when it is switched off, also for what expired before', async () => {
    const { call, add, contents } = await owner();
    await call('PUT', '/digest', { digest: { time: '08:00', zone: 'UTC', to: ['task'] } });
    await add({ expiryMinutes: 1 });
    app.clock.advance(2 * MINUTE);
    await sweepOnce(app.parts.storage.tasks, app.clock.now(), 500);
    expect((await call('PUT', '/digest', { digest: null })).body).toMatchObject({ digest: null });
    app.clock.advance(24 * HOUR);
    await aLook();
    expect(await contents()).toEqual([]);
  });

  it.each([
    [{ time: '8:00', zone: 'UTC', to: ['task'] }, 'digest/time'],
    [{ time: '08:00', zone: 'Europe/Nowhere', to: ['task'] }, 'digest/zone'],
    [{ time: '08:00', zone: 'UTC', to: [] }, 'digest/to'],
    [{ time: '08:00', zone: 'UTC', to: ['pigeon'] }, 'digest/to/0'],
  ])('is refused where it cannot be sent: %j', async (digest, field) => {
    const { call } = await owner();
    const { status, body } = await call('PUT', '/digest', { digest });
    expect([status, (body['details'] as { field: string }[])[0]?.field]).toEqual([400, field]);
    expect((await call('GET', '/digest')).body).toMatchObject({ digest: null });
  });
});
