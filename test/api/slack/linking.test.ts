// Slack through the whole program: who is linked with which owner, channels of one owner, installations in
// workspaces.
import { describe, expect, it } from 'vitest';
import {
  app,
  ephemeral,
  origin,
  people,
  person,
  send,
  slack,
  type Json,
  useSlackProgram,
  valueIn,
} from '#test/slack/program.ts';
import { messageShortcut, TEAM } from '#test/slack/sender.ts';
import { CLIENT } from '#test/slack/stand-in.ts';

useSlackProgram();

describe('linking', () => {
  it('ties a person to an owner by a code: once, within ten minutes, and the same request again is no failure', async () => {
    const me = await person({ linked: false });
    const code = await me.code();
    expect(code).toMatch(/^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/);
    const again = { trigger_id: 'the same' };
    for (let times = 0; times < 2; times++)
      expect((await me.command(`link ${code.toLowerCase()}`, again)).text).toContain('You are linked');
    expect(await me.status()).toMatchObject({
      configured: true,
      mode: 'http',
      installUrl: 'https://q.example.com/slack/install',
      accounts: [{ id: `${TEAM}:${me.user}`, team: 'acme', user: `person${people}` }],
      channels: null,
    });

    const other = await person({ linked: false });
    expect((await other.command(`link ${code}`)).text).toContain('not good');
    const [old, late] = [await other.code(), await other.code()];
    expect((await other.command(`link ${old}`)).text).toContain('not good');
    app.clock.advance(10 * 60_000);
    expect((await other.command(`link ${late}`)).text).toContain('not good');
    expect((await other.status()).accounts).toEqual([]);
  });

  it('lets nobody guess codes for long', async () => {
    const me = await person({ linked: false });
    for (let times = 0; times < 10; times++)
      expect((await me.command('link ABCD-EFGH')).text).toContain('not good');
    expect((await me.command(`link ${await me.code()}`)).text).toContain('too many tries');
  });

  it('ends from either side', async () => {
    const me = await person();
    expect((await me.command('unlink')).text).toContain('no longer linked');
    expect((await me.command('unlink')).text).toContain('were not linked');
    await me.command(`link ${await me.code()}`);
    const [account] = (await me.status()).accounts;
    const other = await person();
    const remove = (token: string) =>
      app.call('DELETE', `/slack/accounts/${encodeURIComponent(account?.id ?? '')}`, { token });
    expect((await remove(other.token)).status).toBe(404);
    expect((await remove(me.token)).status).toBe(200);
    expect((await me.command('buy milk')).text).toContain('Get a code');
  });

  it('asks a person who is not linked to link, and makes nothing', async () => {
    const me = await person({ linked: false });
    const answers = [
      await me.command('buy milk'),
      await me.command(''),
      await me.command('list'),
      await me.command('link'),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body).toMatchObject({ response_type: 'ephemeral' });
      expect(JSON.stringify(body)).toContain('https://q.example.com/admin/slack');
    }
    await send.interact(
      messageShortcut({ ts: '1.1', text: 'x' }, { ...me.as, response_url: slack.responseUrl() }),
    );
    expect(JSON.stringify((await slack.waitForCall('respond')).args)).toContain('Get a code');
    await send.interact({
      type: 'shortcut',
      callback_id: 'new_task',
      trigger_id: 't',
      action_ts: '1',
      team: { id: TEAM },
      ...me.as,
    });
    expect(JSON.stringify((await slack.waitForCall('views.open')).args)).toContain('Get a code');
    for (let times = 0; times < 2; times++)
      await send.event({
        type: 'reaction_added',
        user: me.user,
        reaction: 'inbox_tray',
        item: { type: 'message', channel: 'C0GENERAL', ts: '1.1' },
      });
    expect((await slack.waitForCall('chat.postEphemeral')).args).toMatchObject({
      user: me.user,
      channel: 'C0GENERAL',
    });
    await send.event({ type: 'app_home_opened', tab: 'home', user: me.user, channel: 'D1' });
    expect(JSON.stringify((await slack.waitForCall('views.publish')).args)).toContain('Get a code');
    expect(slack.made('chat.postEphemeral')).toHaveLength(1);
    expect(await me.tasks()).toEqual([]);
  });
});

it('an account that was disabled is closed in Slack as well', async () => {
  const me = await person();
  await me.command('before');
  const { id } = await app.user(me.email);
  await app.parts.storage.accounts.changeUser(id, (user) => ({ ...user, isActive: false }));
  for (const text of ['after', 'list']) expect((await me.command(text)).text).toContain('has been disabled');
  const page = await app.parts.inbox.list({ ownerId: id, filter: {}, limit: 10, offset: 0 });
  expect(page.tasks.map(({ content }) => content)).toEqual(['before']);
});

it('all tasks of a channel that an administrator has tied go to one owner', async () => {
  const [ops, me] = [await person(), await person({ linked: false })];
  const admin = await person();
  await app.parts.storage.accounts.changeUser((await app.user(admin.email)).id, (user) => ({
    ...user,
    isAdmin: true,
  }));
  app.clock.advance(1000);
  const tie = (body: Json, token = admin.token) => app.call('POST', '/slack/channels', { token, body });
  expect((await tie({ channel: 'C0OPS', owner: ops.email }, me.token)).status).toBe(403);
  expect((await tie({ channel: '#ops', owner: ops.email })).body).toMatchObject({
    details: [{ field: 'channel' }],
  });
  expect((await tie({ channel: 'C0OPS', owner: 'nobody@example.com' })).body).toMatchObject({
    details: [{ field: 'owner' }],
  });
  expect(
    await tie({ channel: 'https://acme.slack.com/archives/C0OPS', name: '#ops', owner: ops.email }),
  ).toMatchObject({
    status: 201,
    body: { channel: { id: 'C0OPS', name: 'ops', owner: ops.email } },
  });
  const { body } = await me.command('rotate the key', { channel_id: 'C0OPS' });
  expect(JSON.stringify(body)).toContain('owner of this channel');
  expect(await ops.tasks()).toMatchObject([{ content: 'rotate the key' }]);
  // The person who made it may finish it there, and sees nothing else of that queue.
  expect((await me.command('list', { channel_id: 'C0OPS' })).text).toContain('Get a code');
  const there = { ...ephemeral(), container: { ...ephemeral().container, channel_id: 'C0OPS' } };
  await me.press({ action_id: 'confirm.acknowledge', value: valueIn(body) }, there);
  expect(await ops.tasks()).toEqual([]);
  expect((await app.call('DELETE', '/slack/channels/C0OPS', { token: admin.token })).status).toBe(200);
  expect((await me.command('again', { channel_id: 'C0OPS' })).text).toContain('Get a code');
});

describe('installing in another workspace', () => {
  const begin = async () => {
    const response = await fetch(`${origin}/slack/install`, { redirect: 'manual' });
    const location = new URL(response.headers.get('location') ?? '');
    const cookie = response.headers.get('set-cookie') ?? '';
    return { response, location, cookie, state: location.searchParams.get('state') ?? '' };
  };
  const comeBack = (query: Record<string, string>, cookie: string) =>
    fetch(`${origin}/slack/oauth_redirect?${new URLSearchParams(query).toString()}`, {
      redirect: 'manual',
      headers: { cookie: cookie.split(';')[0] ?? '' },
    });

  it('goes through Slack and back once, and its token is then used for that workspace, encrypted', async () => {
    const { location, cookie, state } = await begin();
    expect(location.pathname).toBe('/oauth/v2/authorize');
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      client_id: CLIENT.id,
      redirect_uri: 'https://q.example.com/slack/oauth_redirect',
      scope: expect.stringContaining('commands'),
    });
    expect(cookie).toMatch(/HttpOnly; SameSite=Lax; Secure$/);
    slack.tokens.add('xoxb-canary-other');
    slack.codes.set('good', { access_token: 'xoxb-canary-other', team: { id: 'T0OTHER', name: 'Other' } });
    const back = await comeBack({ state, code: 'good' }, cookie);
    expect([back.status, back.headers.get('location')]).toEqual([302, 'https://q.example.com/admin/slack']);
    expect((await comeBack({ state, code: 'good' }, cookie)).status).toBe(400);
    const stored = await app.parts.storage.adapterData.list('slack', 'install', app.clock.now());
    expect(stored.map(({ key }) => key)).toEqual(['T0OTHER']);
    expect(JSON.stringify(stored)).not.toContain('canary');

    const me = await person();
    const code = await me.code();
    await me.command(`link ${code}`, { team_id: 'T0OTHER' });
    await me.command('', { team_id: 'T0OTHER' });
    expect((await slack.waitForCall('views.open')).token).toBe('xoxb-canary-other');
    const remove = (about: Json = {}) =>
      send.event({ type: 'app_uninstalled' }, { team_id: 'T0OTHER', ...about });
    const installed = () => app.parts.storage.adapterData.list('slack', 'install', app.clock.now());
    // Slack says late that an installation before this one was removed.
    await remove({ event_time: Math.floor(app.clock.now() / 1000) - 60 });
    expect(await installed()).toHaveLength(1);
    await remove();
    expect(await installed()).toEqual([]);
  });

  it('ends where the way back is forged, late, of another browser, or without a code', async () => {
    const { state, cookie } = await begin();
    expect((await comeBack({ state: 'made-up', code: 'x' }, 'qinbox_slack=made-up')).status).toBe(400);
    expect((await comeBack({ state, code: 'x' }, 'qinbox_slack=another')).status).toBe(400);
    expect((await comeBack({ state, error: 'access_denied' }, cookie)).status).toBe(400);
    const late = await begin();
    app.clock.advance(10 * 60_000);
    expect((await comeBack({ state: late.state, code: 'x' }, late.cookie)).status).toBe(400);
    const refused = await begin();
    expect((await comeBack({ state: refused.state, code: 'wrong' }, refused.cookie)).status).toBe(502);
  });
});

it('no secret reached the log', () => {
  const secrets = ['canary', '/respond/', 'trigger-1'];
  expect(secrets.filter((secret) => app.logged().includes(secret))).toEqual([]);
});
