// Slack through the whole program: forged requests, and Slack or the store being away.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { unavailable } from '#core/errors.ts';
import { buildFixture } from '#test/helpers/app.ts';
import { waitFor } from '#test/program/wait.ts';
import {
  app,
  ephemeral,
  origin,
  person,
  send,
  slack,
  useSlackProgram,
  valueIn,
} from '#test/slack/program.ts';
import { commandFields, SIGNING_SECRET, submission } from '#test/slack/sender.ts';
import { BOT_TOKEN } from '#test/slack/stand-in.ts';

useSlackProgram();

it('a token that Slack refuses is told of beside the account, until it takes one again', async () => {
  const me = await person();
  const fault = async () => (await me.status()).accounts[0]?.fault ?? null;
  const openHome = () => send.event({ type: 'app_home_opened', user: me.user, channel: 'D1', tab: 'home' });
  const told = (what: string, isTold: boolean) =>
    waitFor(what, async () => ((await fault()) !== null) === isTold || null);
  expect(await fault()).toBeNull();
  slack.refusals.set('views.publish', { error: 'token_revoked' });
  await openHome();
  await told('the refusal in Settings', true);
  expect(await fault()).toMatch(/the app was removed, or its token is not good any more/);
  slack.refusals.clear();
  await openHome();
  await told('its end in Settings', false);
  expect(await fault()).toBeNull();
});

it('a token that Slack refuses is told to the operator, and stops no process from taking tasks in', async () => {
  const me = await person();
  const stateOf = async ({ call }: Pick<typeof app, 'call'>) => {
    const { status, body } = await call('GET', '/ready', { base: '' });
    return {
      status,
      slack: (body['parts'] as { name: string; ok: boolean }[]).find(({ name }) => name === 'slack'),
    };
  };
  const refused = {
    name: 'slack',
    ok: false,
    detail: expect.stringContaining('Slack refuses SLACK_BOT_TOKEN: tasks still come in'),
  };
  expect(await stateOf(app)).toMatchObject({ status: 200, slack: { ok: true } });
  for (const method of ['auth.test', 'views.publish']) slack.refusals.set(method, { error: 'invalid_auth' });
  await send.event({ type: 'app_home_opened', user: me.user, channel: 'D1', tab: 'home' });
  await waitFor('the refusal', async () => (await stateOf(app)).slack?.ok === false || null);
  expect(await stateOf(app)).toEqual({ status: 200, slack: refused });
  expect(app.logged()).toContain('Slack refuses SLACK_BOT_TOKEN');
  expect((await me.command('buy milk')).text).toContain('In your inbox');

  const alone = await buildFixture({
    SLACK_SIGNING_SECRET: SIGNING_SECRET,
    SLACK_BOT_TOKEN: BOT_TOKEN,
    SLACK_API_URL: slack.apiUrl,
    QINBOX_ROLES: 'slack',
  });
  onTestFinished(() => alone.close());
  await waitFor('the refusal at its start', async () => (await stateOf(alone)).slack?.ok === false || null);
  expect(await stateOf(alone)).toEqual({ status: 200, slack: refused });

  slack.refusals.clear();
  expect((await stateOf(app)).slack?.ok).toBe(false);
  app.clock.advance(10 * 60_000);
  await waitFor('its end', async () => (await stateOf(app)).slack?.ok === true || null);
  expect(app.logged()).toContain('Slack takes SLACK_BOT_TOKEN again');
});

describe('what is not Slack', () => {
  it('gets 401 and nothing more, and makes nothing', async () => {
    const me = await person();
    const fields = commandFields('forged', { user_id: me.user });
    const body = new URLSearchParams(fields).toString();
    const stale = String(Math.floor(app.clock.now() / 1000) - 301);
    const future = String(Math.floor(app.clock.now() / 1000) + 301);
    const { sign } = await import('#adapters/ingestion/slack/receive/signature.ts');
    const signed = (timestamp: string, text = body, secret = SIGNING_SECRET) => ({
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': sign(secret, timestamp, Buffer.from(text)),
    });
    const now = String(Math.floor(app.clock.now() / 1000));
    const answers = await Promise.all(
      [
        { 'x-slack-signature': '' },
        { 'x-slack-request-timestamp': '' },
        signed(stale),
        signed(future),
        signed(now, `${body}&x=1`),
        signed(now, body, 'another secret'),
      ].map((headers) => send.form(fields, headers)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    expect(new Set(answers.map(({ body: { error } }) => error)).size).toBe(1);
    expect(await me.tasks()).toEqual([]);
  });

  it('hears the handshakes of Slack answered, and broken bodies refused', async () => {
    expect(await send.form({ ssl_check: '1', token: 'x' }, { 'x-slack-signature': '' })).toMatchObject({
      status: 200,
      text: '',
    });
    const challenge = JSON.stringify({ type: 'url_verification', challenge: 'abc', token: 'x' });
    expect((await send.post(challenge, 'application/json')).body).toEqual({ challenge: 'abc' });
    expect((await send.post(challenge, 'application/json', { 'x-slack-signature': 'v0=00' })).status).toBe(
      401,
    );
    for (const body of ['{', '[]', 'null'])
      expect((await send.post(body, 'application/json')).status).toBe(400);
    expect((await send.form({ payload: '{' })).status).toBe(400);
    expect((await fetch(`${origin}/slack/events`)).status).toBe(405);
  });
});

describe('when something is away', () => {
  it('tasks are made while Slack’s API is busy or gone; messages follow, or are dropped with a line in the log', async () => {
    const me = await person();
    const item = { type: 'message', channel: 'C0GENERAL', ts: '1700000009.000900' };
    slack.trouble('conversations.replies', { status: 503, times: 99 });
    slack.trouble('chat.postMessage', { status: 429, retryAfter: 0, times: 2 });
    expect(
      (await send.event({ type: 'reaction_added', user: me.user, reaction: 'inbox_tray', item })).status,
    ).toBe(200);
    expect(await me.tasks()).toMatchObject([
      {
        content: 'A message in Slack: open it there to read it',
        metadata: { url: 'https://slack.com/archives/C0GENERAL/p1700000009000900' },
      },
    ]);
    await slack.waitForCall('chat.postMessage');
    expect(slack.made('chat.postMessage in vain')).toHaveLength(2);

    slack.trouble('*', { status: 429, retryAfter: 3600, times: 99 });
    expect(valueIn((await me.command('still works')).body)).not.toBe('');
    await me.press({ action_id: 'confirm.acknowledge', value: (await me.tasks())[0]?.id ?? '' }, ephemeral());
    await waitFor('the log to say so', () => app.logged().includes('a message to Slack was dropped'));
    expect(await me.tasks()).toHaveLength(1);
  });

  it('nothing is acknowledged that could not be stored', async () => {
    const me = await person();
    const submit = vi
      .spyOn(app.parts.storage.tasks, 'create')
      .mockRejectedValue(unavailable('store', new Error('gone')));
    const item = { type: 'message', channel: 'C0GENERAL', ts: '1700000010.000900' };
    expect((await me.command('buy milk')).text).toContain('nothing was changed');
    expect(
      (await send.event({ type: 'reaction_added', user: me.user, reaction: 'inbox_tray', item })).status,
    ).toBe(503);
    const form = { ...submission('V9', '', { content: { value: 'x' } }), ...me.as };
    expect((await send.interact(form)).body).toMatchObject({ response_action: 'errors' });
    submit.mockRestore();
    expect(await me.tasks()).toEqual([]);
  });

  it('a code for linking is still good for the person whose link could not be stored, and for nobody else', async () => {
    const [me, other] = [await person({ linked: false }), await person({ linked: false })];
    const code = await me.code();
    const { adapterData } = app.parts.storage;
    const fault = unavailable('store', new Error('gone'));
    const put = vi.spyOn(adapterData, 'put').mockRejectedValue(fault);
    expect((await me.command(`link ${code}`)).text).not.toContain('You are linked');
    put.mockRestore();
    expect((await other.command(`link ${code}`)).text).toContain('not good');
    expect((await me.command(`link ${code}`)).text).toContain('You are linked');
    expect((await other.command(`link ${code}`)).text).toContain('not good');
    expect((await me.status()).accounts).toHaveLength(1);
    expect((await other.status()).accounts).toEqual([]);
  });
});

it('no secret reached the log', () => {
  const secrets = ['canary', '/respond/', 'trigger-1'];
  expect(secrets.filter((secret) => app.logged().includes(secret))).toEqual([]);
});
