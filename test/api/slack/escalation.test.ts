// Steps of escalations to Slack by the connected app: to an own account or channel, once, whatever becomes of
// the answer.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Escalation, EscalationRun } from '#core/contract/index.ts';
import { TEAM } from '#test/slack/sender.ts';
import { app, buttonsIn, people, person, slack, useSlackProgram, valueIn } from '#test/slack/program.ts';
import { waitFor } from '#test/program/wait.ts';

const HOUR = 3_600_000;

useSlackProgram({ RATE_LIMIT_PER_MINUTE: '100000', RATE_LIMIT_SESSION_PER_MINUTE: '100000' });
beforeEach(() => {
  slack.posts.length = 0;
  slack.refusals.clear();
  slack.time.now = () => app.clock.now();
});

/** Somebody whose tasks are escalated at once, to the own account unless told otherwise. */
async function escalating(place?: string) {
  const me = await person();
  const to = place ?? `${TEAM}:${me.user}`;
  // A session ends while the time passes.
  const call = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
    const { accessToken: token } = await app.session(me.email);
    return app.call(method, path, { token, ...(body === undefined ? {} : { body }) });
  };
  const save = () =>
    call('POST', '/escalations', {
      name: 'Alerts',
      intake: null,
      priorities: ['high'],
      steps: [{ afterMinutes: 0, kind: 'slack', to }],
    });
  const runs = async ({ id }: Escalation) =>
    (await call('GET', `/escalations/${id}/runs`)).body['runs'] as EscalationRun[];
  const key = await app.key(me.email);
  return {
    ...me,
    to,
    call,
    save,
    dm: `D${me.user}`,
    async add(content = 'Disk <full>\non nas'): Promise<string> {
      const made = await app.call('POST', '/tasks', { key, body: { content, priority: 'high' } });
      return (made.body['task'] as { id: string }).id;
    },
    runs,
    run: (escalation: Escalation, is: (run: EscalationRun) => boolean) =>
      waitFor('the run', async () => (await runs(escalation)).find(is) ?? null),
  };
}

async function saved(place?: string) {
  const me = await escalating(place);
  const made = await me.save();
  expect(made.status).toBe(201);
  return { ...me, escalation: made.body['escalation'] as Escalation };
}

/** Lets the time of further attempts come, until one is there. */
async function later(me: Awaited<ReturnType<typeof saved>>, is: (run: EscalationRun) => boolean) {
  return waitFor('a further attempt', async () => {
    app.clock.advance(5000);
    return (await me.runs(me.escalation)).find(is) ?? null;
  });
}

const isOver = ({ status }: EscalationRun) => status !== 'waiting';
const isRetried = ({ status, attempts }: EscalationRun) => status === 'waiting' && attempts === 1;

describe('a step to Slack by the connected app', () => {
  it('is a direct message with what the task says and buttons that work, and its id attached', async () => {
    const me = await saved();
    const { body } = await me.call('GET', '/escalations');
    expect(body['slack']).toEqual([{ id: me.to, name: `person${people} in acme` }]);
    expect(me.escalation.steps[0]).toMatchObject({ kind: 'slack', to: me.to });
    const id = await me.add();
    expect(await me.run(me.escalation, isOver)).toMatchObject({
      status: 'done',
      detail: 'The message was taken.',
    });
    const posted = await slack.waitForCall('chat.postMessage');
    expect(posted.args).toMatchObject({
      channel: me.dm,
      text: 'Disk &lt;full&gt;\nPriority high, from api. Escalation “Alerts”.',
      metadata: {
        event_type: 'qinbox_escalation',
        event_payload: { id: `${me.escalation.steps[0]?.id} ${id}` },
      },
    });
    expect(JSON.stringify(posted.args['blocks'])).toContain(
      JSON.stringify([
        { type: 'text', text: 'Disk <full>', style: { bold: true } },
        { type: 'text', text: '\n' },
        { type: 'text', text: 'on nas' },
      ]),
    );
    expect(buttonsIn(posted.args)).toEqual([
      'confirm.acknowledge',
      'confirm.pin',
      'confirm.snooze',
      'open.page',
    ]);
    expect(slack.made('conversations.history')).toHaveLength(0);
    await me.press(
      { action_id: 'confirm.acknowledge', value: valueIn(posted.args) },
      { container: { type: 'message', channel_id: me.dm }, response_url: slack.responseUrl() },
    );
    expect(await me.tasks()).toEqual([]);
  });

  it('leaves nothing of a long first line out', async () => {
    const me = await saved();
    const line = (length: number) => `${'backup of db1 '.repeat(20).slice(0, length - 3)}end`;
    await me.add(`${line(140)}\nmore`);
    await me.add(`${line(170)}\nmore`);
    await waitFor('both messages', () => slack.made('chat.postMessage').length === 2);
    const said = JSON.stringify(slack.made('chat.postMessage').map(({ args }) => args['blocks']));
    expect(said).toContain(`"${line(140)}"`);
    expect(said).toContain(`"${line(170)}\\nmore"`);
  });

  it('is not posted again where it came and only the answer was lost', async () => {
    const me = await saved();
    slack.trouble('chat.postMessage', { status: 500, times: 1, isDone: true });
    await me.add();
    await me.run(me.escalation, isRetried);
    // Between others, more than one page of them.
    for (let n = 0; n < 5; n++)
      slack.posts.push({ channel: me.dm, ts: '1', at: app.clock.now(), text: 'x', metadata: null });
    expect(await later(me, isOver)).toMatchObject({ status: 'done', detail: 'The message is there.' });
    expect(slack.posts.filter(({ metadata }) => metadata !== null)).toHaveLength(1);
  });

  it('is posted where it did not come, also when it could not be looked for at first', async () => {
    const me = await saved();
    slack.trouble('chat.postMessage', { status: 500, times: 1 });
    slack.trouble('conversations.history', { status: 429, retryAfter: 30, times: 1 });
    await me.add();
    await me.run(me.escalation, isRetried);
    expect(await later(me, isOver)).toMatchObject({ attempts: 3, detail: 'The message was taken.' });
    expect(slack.calls.map(({ method }) => method).filter((method) => !/users|respond/.test(method))).toEqual(
      [
        'conversations.open',
        'chat.postMessage in vain',
        'conversations.history in vain',
        'conversations.history',
        'chat.postMessage',
      ],
    );
  });

  it('is one also where its task slept after an answer was lost', async () => {
    const me = await saved();
    slack.trouble('chat.postMessage', { status: 500, times: 1, isDone: true });
    const id = await me.add();
    await me.run(me.escalation, isRetried);
    const until = new Date(app.clock.now() + HOUR).toISOString();
    expect((await me.call('POST', `/tasks/${id}/snooze`, { until })).status).toBe(200);
    await later(me, ({ detail }) => detail === 'The task is snoozed.');
    app.clock.advance(HOUR);
    expect(await later(me, isOver)).toMatchObject({ detail: 'The message is there.' });
    expect(slack.posts).toHaveLength(1);
  });

  it('goes to a channel whose tasks are the own, and to no other', async () => {
    const stranger = await escalating('C0OTHERS');
    expect((await stranger.save()).status).toBe(400);
    const admin = await app.session('slackadmin@example.com');
    const user = await app.user('slackadmin@example.com');
    await app.parts.users.setAdmin(user.id, true);
    const me = await escalating('C0OPS');
    expect((await me.save()).body['error']).toMatch(/^steps\/0\/to: must be an account or a channel/);
    const tie = { channel: 'C0OPS', name: 'ops', owner: me.email };
    const tied = await app.call('POST', '/slack/channels', { token: admin.accessToken, body: tie });
    expect(tied.status).toBe(201);
    // Anybody may add the app to a workspace of their own, where that is offered.
    const { adapterData } = app.parts.storage;
    const elsewhere = { adapter: 'slack', kind: 'install', key: 'T0ELSEWHERE' };
    await adapterData.put({ ...elsewhere, ownerId: null, value: '', expiresAt: null });
    const made = await me.save();
    const later = { ...tie, channel: 'C0LATER' };
    await app.call('POST', '/slack/channels', { token: admin.accessToken, body: later });
    const known = (await me.call('GET', '/escalations')).body['slack'] as { id: string }[];
    expect(known.map(({ id }) => id)).not.toContain('C0LATER');
    const channel = 'https://app.slack.com/client/T0ELSEWHERE/C0LATER';
    await app.call('POST', '/slack/channels', { token: admin.accessToken, body: { ...tie, channel } });
    expect((await me.call('GET', '/escalations')).body['slack']).toContainEqual({
      id: 'C0LATER',
      name: '#ops',
    });
    await me.add();
    await me.run(made.body['escalation'] as Escalation, isOver);
    expect(slack.posts.map(({ channel }) => channel)).toEqual(['C0OPS']);
    await adapterData.remove(elsewhere);
  });

  it('moves with the account where its place is linked, and is left out elsewhere', async () => {
    const me = await saved();
    const file = (await me.call('GET', '/account/export')).body;
    await me.call('DELETE', `/escalations/${me.escalation.id}`);
    await me.call('POST', '/account/import', file);
    const { body } = await me.call('GET', '/escalations');
    expect((body['escalations'] as Escalation[]).map(({ steps }) => steps.map(({ to }) => to))).toEqual([
      [me.to],
    ]);
    const other = await escalating();
    const imported = (await other.call('POST', '/account/import', file)).body['import'];
    expect(imported).toMatchObject({ taken: { escalations: 0 }, leftOut: { escalations: 1 } });
  });

  it('says what is missing, and tells nobody who is not linked any more', async () => {
    const me = await saved();
    slack.refusals.set('conversations.open', { error: 'missing_scope', needed: 'im:write' });
    await me.add('first');
    expect(await me.run(me.escalation, isOver)).toMatchObject({
      status: 'failed',
      detail: 'Slack: the app lacks the scope im:write.',
    });
    slack.refusals.clear();
    await me.call('DELETE', `/slack/accounts/${encodeURIComponent(me.to)}`);
    await me.add('second');
    expect(await me.run(me.escalation, (run) => isOver(run) && run.title === 'second')).toMatchObject({
      status: 'failed',
      detail: 'Slack: your Slack account is not linked any more.',
    });
    expect(slack.posts).toHaveLength(0);
  });

  it.each([
    ['says that too many come', () => slack.refusals.set('chat.postMessage', { error: 'rate_limited' })],
    ['says so without how long', () => slack.trouble('chat.postMessage', { status: 429, times: 1 })],
    ['is not who answers', () => slack.refusals.set('chat.postMessage', { error: '<html>' })],
  ])('is tried again where Slack %s', async (_, begin) => {
    const me = await saved();
    begin();
    await me.add();
    await me.run(me.escalation, isRetried);
    slack.refusals.clear();
    expect(await later(me, isOver)).toMatchObject({ detail: 'The message was taken.' });
  });

  it.each([
    ['not_in_channel', 'the app is not in the channel: invite it there, with /invite'],
    [
      'token_revoked',
      'the workspace has removed the app, or its token is not good any more: install it again',
    ],
    ['user_is_bot', 'an error of Slack: user_is_bot'],
  ])('says of %s what it means, and is not tried again', async (error, words) => {
    const me = await saved();
    slack.refusals.set('chat.postMessage', { error });
    await me.add();
    const run = await me.run(me.escalation, isOver);
    expect(run).toMatchObject({ status: 'failed', detail: `Slack: ${words}.` });
  });

  it('is tried with a sample, which has no buttons that do anything', async () => {
    const me = await saved();
    await me.call('POST', `/escalations/${me.escalation.id}/test`);
    const posted = await slack.waitForCall('chat.postMessage');
    expect(buttonsIn(posted.args)).toEqual(['open.page']);
  });
});
