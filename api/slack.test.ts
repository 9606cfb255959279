// Slack through the whole program: its requests over real HTTP, through Bolt, and what people then see there
// and in their inbox.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AddressInfo } from 'node:net';
import { unavailable } from '#core/errors.ts';
import { buildFixture, type Fixture } from '#test/helpers/app.ts';
import { waitFor } from '#test/program/wait.ts';
import {
  commandFields,
  createSender,
  messageShortcut,
  press,
  SIGNING_SECRET,
  submission,
  TEAM,
  type Sender,
} from '#test/slack/sender.ts';
import { BOT_TOKEN, CLIENT, startStandIn, type Call, type StandIn } from '#test/slack/stand-in.ts';

type Json = Record<string, unknown>;

interface ShownTask {
  id: string;
  content: string;
  priority: string;
  source: string;
  tags: string[];
  occurrences: number;
  pinned: boolean;
  expiresAt: string;
  metadata: Record<string, unknown>;
}

let slack: StandIn;
let app: Fixture;
let origin: string;
let send: Sender;
beforeAll(async () => {
  slack = await startStandIn();
  app = await buildFixture({
    SLACK_SIGNING_SECRET: SIGNING_SECRET,
    SLACK_BOT_TOKEN: BOT_TOKEN,
    SLACK_CLIENT_ID: CLIENT.id,
    SLACK_CLIENT_SECRET: CLIENT.secret,
    SLACK_API_URL: slack.apiUrl,
    PUBLIC_URL: 'https://q.example.com',
  });
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`;
  send = createSender(origin, () => app.clock.now());
});
afterAll(async () => {
  await app.close();
  await slack.close();
});
beforeEach(() => {
  slack.calls.length = 0;
  slack.wellAgain();
  slack.people.clear();
  vi.restoreAllMocks();
});

let people = 0;

/** Somebody in Slack, linked with an owner of their own unless told otherwise. */
async function person({ linked = true } = {}) {
  const at = ++people;
  const email = `slack${at}@example.com`;
  const user = `U${String(at).padStart(8, '0')}`;
  const { accessToken: token } = await app.session(email);
  const key = await app.key(email);
  const fields = { user_id: user, user_name: `person${at}` };
  const as = { user: { id: user, username: `person${at}`, team_id: TEAM } };
  const me = {
    email,
    user,
    token,
    as,
    command: (text: string, more: Record<string, string> = {}) =>
      send.form(commandFields(text, { ...fields, response_url: slack.responseUrl(), ...more })),
    press: (action: Parameters<typeof press>[0], more: Json = {}) =>
      send.interact(press(action, { ...as, ...more })),
    tasks: async () => (await app.call('GET', '/tasks', { key })).body['tasks'] as ShownTask[],
    acknowledge: (id: string) => app.call('DELETE', `/tasks/${id}`, { key }),
    code: async () => (await app.call('POST', '/slack/code', { token })).body['code'] as string,
    status: async () =>
      (await app.call('GET', '/slack', { token })).body['slack'] as {
        configured: boolean;
        mode: string;
        installUrl: string;
        accounts: { id: string; team: string; user: string }[];
        channels: unknown;
      },
  };
  if (linked) expect((await me.command(`link ${await me.code()}`)).text).toContain('You are linked');
  return me;
}

/** Action ids of the buttons in a message, in their order. */
function buttonsIn(message: unknown): string[] {
  return [...JSON.stringify(message).matchAll(/"action_id":"([^"]+)"/g)].map(([, id]) => id as string);
}
function valueIn(message: unknown): string {
  return /"value":"(task_[^"]+)"/.exec(JSON.stringify(message))?.[1] ?? '';
}
const ephemeral = () => ({
  container: { type: 'message', message_ts: '1.2', channel_id: 'C0GENERAL', is_ephemeral: true },
  channel: { id: 'C0GENERAL', name: 'general' },
  response_url: slack.responseUrl(),
});

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

  it('asks whoever is not linked to do so, kindly, and makes nothing', async () => {
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
      expect(JSON.stringify(body)).toContain('https://q.example.com/admin#slack');
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

describe('/task', () => {
  it('makes a task of what was said, and confirms it in the answer itself', async () => {
    const me = await person();
    slack.people.set('U0BOB', 'bob');
    const { status, body } = await me.command(
      'ask <@U0BOB> in <#C1|ops> about <https://e.com/1?a&amp;b|it> !high #Pumps in 2h',
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      response_type: 'ephemeral',
      text: expect.stringContaining('In your inbox'),
    });
    expect(buttonsIn(body)).toEqual(['confirm.acknowledge', 'confirm.pin']);
    const [task] = await me.tasks();
    expect(task).toMatchObject({
      content: 'ask @bob in #ops about it (https://e.com/1?a&b)',
      priority: 'high',
      tags: ['Pumps'],
      source: 'slack',
      expiresAt: new Date(app.clock.now() + 2 * 3_600_000).toISOString(),
      metadata: { author: `person${people}`, channel: 'general', url: 'https://e.com/1?a&b' },
    });
    expect(valueIn(body)).toBe(task?.id);
  });

  it('calls nobody and links nowhere in what it says back', async () => {
    const me = await person();
    const { text } = await me.command('tell &lt;!channel&gt; &amp; &lt;@U1&gt;');
    expect((await me.tasks())[0]?.content).toBe('tell <!channel> & <@U1>');
    expect(text).not.toMatch(/<(@|!(?!date))/);
  });

  it('acknowledges, takes back and pins by the buttons of the confirmation, in its place; twice is once', async () => {
    const me = await person();
    const { body } = await me.command('buy milk');
    const value = valueIn(body);
    const steps: [string, string[], number, boolean][] = [
      ['confirm.acknowledge', ['confirm.undo'], 0, false],
      ['confirm.undo', ['confirm.acknowledge', 'confirm.pin'], 1, false],
      ['confirm.undo', ['confirm.acknowledge', 'confirm.pin'], 1, false],
      ['confirm.pin', ['confirm.acknowledge', 'confirm.unpin'], 1, true],
      ['confirm.unpin', ['confirm.acknowledge', 'confirm.pin'], 1, false],
      ['confirm.acknowledge', ['confirm.undo'], 0, false],
      ['confirm.acknowledge', [], 0, false],
    ];
    for (const [at, [action, buttons, count, pinned]] of steps.entries()) {
      expect((await me.press({ action_id: action, value }, ephemeral())).status).toBe(200);
      const { args } = await slack.waitForCall('respond', at + 1);
      expect(args).toMatchObject({ replace_original: true });
      expect(buttonsIn(args['blocks'])).toEqual(buttons);
      expect((await me.tasks()).map((task) => task.pinned)).toEqual(count === 0 ? [] : [pinned]);
    }
    const other = await person();
    await other.press({ action_id: 'confirm.undo', value }, ephemeral());
    expect(JSON.stringify((await slack.waitForCall('respond', steps.length + 1)).args)).toContain(
      'no longer in your inbox',
    );
    expect(await me.tasks()).toEqual([]);
  });

  it('sent again is confirmed with the same task, also where tasks wait in a queue', async () => {
    const me = await person();
    const submit = vi.spyOn(app.parts.queue, 'submit').mockResolvedValue({ kind: 'queued' });
    const again = { trigger_id: `queued-${me.user}` };
    const first = valueIn((await me.command('queued', again)).body);
    const ownerId = (await app.user(me.email)).id;
    expect(valueIn((await me.command('queued', again)).body)).toBe(first);
    expect((await app.parts.storage.tasks.get(ownerId, first, app.clock.now()))?.content).toBe('queued');
    expect(submit).not.toHaveBeenCalled();
  });

  it('lists the inbox and acknowledges in it; says how it is used', async () => {
    const me = await person();
    expect((await me.command('list')).text).toContain('empty');
    for (let at = 1; at <= 12; at++) await me.command(`thing ${at}`);
    const { body, text } = await me.command('list');
    expect(body['text']).toBe('12 tasks in your inbox');
    expect(text).toContain('and 2 more');
    await me.press({ action_id: 'list.acknowledge', value: valueIn(body) }, ephemeral());
    expect((await slack.waitForCall('respond')).args).toMatchObject({
      text: '11 tasks in your inbox',
      replace_original: true,
    });
    expect((await me.command('help')).text).toContain('`/task list`');
    expect((await me.command('!high #tag')).text).toContain('nothing to do');
    expect(await me.tasks()).toHaveLength(11);
  });

  it('makes exactly one task of each of 500, a fifth of which are sent again', async () => {
    const me = await person();
    const fields = Array.from({ length: 500 }, (_, at) =>
      commandFields(`thing ${at}`, {
        user_id: me.user,
        response_url: slack.responseUrl(),
        trigger_id: `trigger-${at}`,
      }),
    );
    const all = fields.flatMap((each, at) => (at % 5 === 0 ? [each, each] : [each]));
    const replies: { status: number; body: Json }[] = [];
    for (let at = 0; at < all.length; at += 60)
      replies.push(...(await Promise.all(all.slice(at, at + 60).map((each) => send.form(each)))));
    expect(replies.filter(({ status, body }) => status === 200 && valueIn(body) !== '')).toHaveLength(600);
    const { statistics } = await app.parts.inbox.list({
      ownerId: (await app.user(me.email)).id,
      filter: {},
      limit: 1,
      offset: 0,
    });
    expect(statistics).toMatchObject({ total: 500 });
  });
});

describe('the form', () => {
  const values = {
    content: { type: 'plain_text_input', value: ' Renew the certificate ' },
    priority: { type: 'static_select', selected_option: { value: 'high' } },
    tags: { type: 'plain_text_input', value: 'ops, #certs,,' },
    expiry: { type: 'static_select', selected_option: { value: '4320' } },
  };

  it('opens for /task alone and makes one task however often it is sent, confirmed where it was asked for', async () => {
    const me = await person();
    expect(await me.command('', { trigger_id: 'open-me' })).toMatchObject({ status: 200, text: '' });
    const { args } = await slack.waitForCall('views.open');
    expect(args['trigger_id']).toBe('open-me');
    const view = args['view'] as { private_metadata: string };
    expect(view.private_metadata).not.toContain('respond');
    const form = { ...submission('V1', view.private_metadata, values), ...me.as };
    for (let times = 0; times < 2; times++)
      expect(await send.interact(form)).toMatchObject({ status: 200, text: '' });
    expect(await me.tasks()).toMatchObject([
      {
        content: 'Renew the certificate',
        priority: 'high',
        tags: ['ops', 'certs'],
        expiresAt: new Date(app.clock.now() + 3 * 24 * 3_600_000).toISOString(),
      },
    ]);
    expect(buttonsIn((await slack.waitForCall('respond')).args['blocks'])).toContain('confirm.acknowledge');
    const empty = { ...submission('V2', view.private_metadata, { content: { value: ' ' } }), ...me.as };
    expect((await send.interact(empty)).body).toMatchObject({
      response_action: 'errors',
      errors: { content: expect.any(String) },
    });
  });

  it('opens by the global shortcut, and is then confirmed in a message of its own', async () => {
    const me = await person();
    await send.interact({
      type: 'shortcut',
      callback_id: 'new_task',
      trigger_id: 't',
      action_ts: '1',
      team: { id: TEAM },
      ...me.as,
    });
    const view = (await slack.waitForCall('views.open')).args['view'] as { private_metadata: string };
    await send.interact({
      ...submission('V3', view.private_metadata, { content: { value: 'Call Bob' } }),
      ...me.as,
    });
    expect((await slack.waitForCall('chat.postMessage')).args).toMatchObject({ channel: me.user });
    expect(await me.tasks()).toMatchObject([{ content: 'Call Bob', priority: 'normal' }]);
  });
});

describe('a message', () => {
  const message = {
    ts: '1700000002.000200',
    thread_ts: '1700000000.000100',
    user: 'U0BOB',
    text: '*Pump 3* lost pressure, <@U0EVE> &amp; <#C1|ops>',
  };

  it('is added with its words, author, link and thread; again is the same task', async () => {
    const me = await person();
    slack.people.set('U0BOB', 'bob').set('U0EVE', 'eve');
    for (let times = 1; times <= 2; times++) {
      const url = slack.responseUrl();
      expect(await send.interact(messageShortcut(message, { ...me.as, response_url: url }))).toMatchObject({
        status: 200,
        text: '',
      });
      expect(JSON.stringify((await slack.waitForCall('respond', times)).args)).toContain(
        times === 1 ? 'In your inbox' : 'It was there already',
      );
    }
    const permalink =
      'https://acme.slack.com/archives/C0GENERAL/p1700000002000200?thread_ts=1700000000.000100&cid=C0GENERAL';
    expect(await me.tasks()).toMatchObject([
      {
        content: 'Pump 3 lost pressure, @eve & #ops',
        occurrences: 1,
        metadata: {
          author: 'bob',
          channel: 'general',
          permalink,
          url: permalink,
          thread: 'https://acme.slack.com/archives/C0GENERAL/p1700000000000100',
          ts: message.ts,
          thread_ts: message.thread_ts,
        },
      },
    ]);
  });

  it('is added by one reaction and acknowledged by another, once for each event', async () => {
    const me = await person();
    slack.people.set('U0BOB', 'bob');
    slack.messages.set(`C0GENERAL:${message.ts}`, { ...message, text: 'Look at the backup' });
    const react = (reaction: string, about: Json = {}, headers = {}) =>
      send.event(
        {
          type: 'reaction_added',
          user: me.user,
          reaction,
          item: { type: 'message', channel: 'C0GENERAL', ts: message.ts },
        },
        about,
        headers,
      );
    expect((await react('thumbsup')).status).toBe(200);
    expect(await me.tasks()).toEqual([]);
    const event = { event_id: `Ev-${me.user}` };
    await react('inbox_tray', event);
    await react('inbox_tray', event, { 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' });
    await react('inbox_tray');
    expect(await me.tasks()).toMatchObject([
      {
        content: 'Look at the backup',
        occurrences: 1,
        metadata: { author: 'bob', permalink: 'https://acme.slack.com/archives/C0GENERAL/p1700000002000200' },
      },
    ]);
    await slack.waitForCall('chat.postMessage');
    await waitFor('the confirmation to be remembered', async () =>
      (await app.parts.storage.adapterData.list('slack', 'confirmation', app.clock.now())).some(
        ({ key }) => key === valueIn(slack.made('chat.postMessage')[0]?.args),
      ),
    );
    await react('white_check_mark');
    expect(await me.tasks()).toEqual([]);
    expect(buttonsIn((await slack.waitForCall('chat.update')).args['blocks'])).toEqual(['confirm.undo']);
    expect(slack.made('chat.postMessage')).toHaveLength(1);
  });
});

it('the Home tab shows the queue by priority and page, and finishes tasks in it', async () => {
  const me = await person();
  for (let at = 1; at <= 12; at++) await me.command(`thing ${at}${at % 4 === 0 ? ' !high' : ''}`);
  let published = 0;
  const next = async (): Promise<{ view: { private_metadata: string }; text: string }> => {
    const { args } = await slack.waitForCall('views.publish', ++published);
    expect(args['user_id']).toBe(me.user);
    return { view: args['view'] as { private_metadata: string }, text: JSON.stringify(args['view']) };
  };
  await send.event({ type: 'app_home_opened', tab: 'messages', user: me.user, channel: 'D1' });
  await send.event({ type: 'app_home_opened', tab: 'home', user: me.user, channel: 'D1' });
  let home = await next();
  expect(home.text).toContain('1 to 10 of 12 tasks');
  const act = (action: Parameters<typeof press>[0]) =>
    me.press(action, {
      view: { id: 'V', type: 'home', private_metadata: home.view.private_metadata },
      container: { type: 'view' },
    });
  await act({ action_id: 'home.older', value: '10' });
  home = await next();
  expect(home.text).toContain('11 to 12 of 12 tasks');
  await act({ action_id: 'home.filter', selected_option: { value: 'high' } });
  home = await next();
  expect(home.text).toContain('1 to 3 of 3 tasks');
  const value = valueIn(home.view);
  await act({ action_id: 'home.pin', value });
  home = await next();
  expect(home.text).toContain('home.unpin');
  await act({ action_id: 'home.acknowledge', value });
  home = await next();
  expect(home.text).toContain('1 to 2 of 2 tasks');
  expect(home.text).toContain('home.undo');
  await act({ action_id: 'home.undo', value });
  home = await next();
  expect(home.text).toContain('1 to 3 of 3 tasks');
  await act({ action_id: 'home.new', value: 'new' });
  expect(await slack.waitForCall('views.open')).toBeDefined();
});

it('what is done elsewhere shows in the confirmation, as often as Slack allows', async () => {
  const me = await person();
  const { body } = await me.command('buy milk');
  const id = valueIn(body);
  const remembered = () =>
    waitFor('the confirmation to be remembered', async () =>
      (await app.parts.storage.adapterData.list('slack', 'confirmation', app.clock.now())).find(
        ({ key }) => key === id,
      ),
    );
  expect((await remembered()).value).not.toContain('respond');
  const ownerId = (await app.user(me.email)).id;
  for (let at = 1; at <= 4; at++) {
    await app.parts.inbox.pin({ ownerId, id }, at % 2 === 1);
    expect((await slack.waitForCall('respond', at)).args).toMatchObject({ replace_original: true });
  }
  await me.acknowledge(id);
  await me.press({ action_id: 'confirm.undo', value: id }, ephemeral());
  // The fifth use would have come before this one, with another address.
  const { args } = await slack.waitForCall('respond', 5);
  expect(buttonsIn(args['blocks'])).toEqual(['confirm.acknowledge', 'confirm.pin']);
  expect(new Set(slack.made('respond').map((call: Call) => call.args['url'])).size).toBe(2);
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

it('a channel that an administrator has tied gives its tasks to one owner, whoever makes them', async () => {
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
  // Whoever made it may finish it there, and sees nothing else of that queue.
  expect((await me.command('list', { channel_id: 'C0OPS' })).text).toContain('Get a code');
  const there = { ...ephemeral(), container: { ...ephemeral().container, channel_id: 'C0OPS' } };
  await me.press({ action_id: 'confirm.acknowledge', value: valueIn(body) }, there);
  expect(await ops.tasks()).toEqual([]);
  expect((await app.call('DELETE', '/slack/channels/C0OPS', { token: admin.token })).status).toBe(200);
  expect((await me.command('again', { channel_id: 'C0OPS' })).text).toContain('Get a code');
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

  it('nothing is acknowledged that could not be kept', async () => {
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

  it('goes through Slack and back once, and its token is then used for that workspace, sealed', async () => {
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
    expect([back.status, back.headers.get('location')]).toEqual([302, 'https://q.example.com/admin#slack']);
    expect((await comeBack({ state, code: 'good' }, cookie)).status).toBe(400);
    const kept = await app.parts.storage.adapterData.list('slack', 'install', app.clock.now());
    expect(kept.map(({ key }) => key)).toEqual(['T0OTHER']);
    expect(JSON.stringify(kept)).not.toContain('canary');

    const me = await person();
    const code = await me.code();
    await me.command(`link ${code}`, { team_id: 'T0OTHER' });
    await me.command('', { team_id: 'T0OTHER' });
    expect((await slack.waitForCall('views.open')).token).toBe('xoxb-canary-other');
    await send.event(
      { type: 'app_uninstalled' },
      { team_id: 'T0OTHER', authorizations: [{ team_id: 'T0OTHER' }] },
    );
    expect(await app.parts.storage.adapterData.list('slack', 'install', app.clock.now())).toEqual([]);
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
