// Slack through the whole program: tasks of messages, the Home tab, confirmations that follow a task.
import { describe, expect, it } from 'vitest';
import { waitFor } from '#test/program/wait.ts';
import {
  app,
  buttonsIn,
  ephemeral,
  person,
  send,
  slack,
  type Json,
  useSlackProgram,
  valueIn,
} from '#test/slack/program.ts';
import { messageShortcut, type press } from '#test/slack/sender.ts';
import { faultInBlocks } from '#test/slack/shapes.ts';
import { type Call } from '#test/slack/stand-in.ts';

useSlackProgram();

/** The content of the task of a message that a new person adds. */
async function contentOf(message: Json): Promise<string | undefined> {
  const me = await person();
  const added = { ts: `${1_700_000_100 + contents++}.000100`, ...message };
  const url = slack.responseUrl();
  await send.interact(messageShortcut(added, { ...me.as, response_url: url }));
  await slack.waitForCall('respond');
  return (await me.tasks())[0]?.content;
}
let contents = 0;

it.each([
  ['Files: Q3 report, log.txt, a file', { text: '' }],
  ['Files: Q3 report, log.txt, a file', { text: null, blocks: null, attachments: null }],
])('%s: its files are named where it says nothing, without those that were deleted', async (said, empty) => {
  const files = [
    { id: 'F1', name: 'q3.pdf', title: 'Q3 report' },
    { id: 'F2', mode: 'tombstone' },
    { id: 'F3', name: 'log.txt', title: '' },
    { id: 'F4', name: null, title: null },
  ];
  expect(await contentOf({ user: 'U0BOB', ...empty, files })).toBe(said);
});

it('without words, because its file was deleted, is a message without text', async () => {
  const files = [{ id: 'F2', mode: 'tombstone' }];
  expect(await contentOf({ user: 'U0BOB', text: '', files })).toBe('A message without text');
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
    await waitFor('the confirmation to be stored', async () =>
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

it('what people write has its emoji, also with tones and outside of code', async () => {
  const emoji = (name: string, unicode: string, tone = {}) => ({ type: 'emoji', name, unicode, ...tone });
  const written = {
    user: 'U0BOB',
    text: 'Thanks :melting_face: :wave::skin-tone-3: :parrot: `:x:` <https://a.example/:x:|:tada:>',
    blocks: [
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              emoji('melting_face', '1fae0'),
              emoji('wave', '1f44b-1f3fc', { skin_tone: 3 }),
              { type: 'emoji', name: 'parrot' },
            ],
          },
        ],
      },
    ],
  };
  expect(await contentOf(written)).toBe('Thanks 🫠 👋🏼 :parrot: :x: :tada: (https://a.example/:x:)');
  const me = await person();
  await me.command('ship it :rocket: !high');
  expect(await me.tasks()).toMatchObject([{ content: 'ship it 🚀', priority: 'high' }]);
});

it('what a program posts is added as Slack shows it, with names', async () => {
  slack.people.set('U0EVE', 'eve');
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: 'Build 71 failed :x:', emoji: true } },
    { type: 'section', text: { type: 'mrkdwn', text: '<https://ci.example/71|Log> of <@U0EVE>' } },
  ];
  const shown = 'Build 71 failed ❌\nLog (https://ci.example/71) of @eve';
  expect(await contentOf({ bot_id: 'B1', text: 'CI', blocks })).toBe(shown);
  const attachments = [{ fallback: '[no preview available]', blocks }];
  expect(await contentOf({ bot_id: 'B1', text: '', attachments })).toBe(shown);
  const rich = { type: 'rich_text_section', elements: [{ type: 'text', text: 'Only this' }] };
  expect(await contentOf({ bot_id: 'B1', blocks: [{ type: 'rich_text', elements: [rich] }] })).toBe(
    'Only this',
  );
  const details = { title: 'Branch', text: 'main' };
  const preview = { original_url: 'https://ci.example/71', title: 'CI' };
  const said = { text: 'Build 71 failed', attachments: [details, preview] };
  expect(await contentOf({ bot_id: 'B1', ...said })).toBe('Build 71 failed\nBranch\nmain');
  expect(await contentOf({ user: 'U0BOB', ...said })).toBe('Build 71 failed');
  const button = [{ type: 'actions', elements: [{ type: 'button' }] }];
  expect(await contentOf({ bot_id: 'B1', text: 'CI says no', blocks: button })).toBe('CI says no');
  expect(await contentOf({ bot_id: 'B1', attachments: [null, 7] })).toBe('A message without text');
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

it('an address in a task leads there', async () => {
  const me = await person();
  const { body } = await me.command('read https://a.example/x?a=1&amp;b=2, now');
  const url = 'https://a.example/x?a=1&b=2';
  const pieces = [
    { type: 'text', text: 'read ' },
    { type: 'link', url },
    { type: 'text', text: ', now' },
  ];
  expect(JSON.stringify(body['blocks'])).toContain(
    JSON.stringify({ type: 'rich_text_quote', elements: pieces }),
  );
  expect(faultInBlocks(body['blocks'], 50)).toBeNull();
});

it('a task with the longest texts is shown as well: nothing is too long for Slack', async () => {
  const me = await person();
  const content = '&'.repeat(10_000);
  const tags = Array.from({ length: 20 }, (_, at) => String.fromCodePoint(97 + at) + '&'.repeat(49));
  const key = await app.key(me.email);
  const made = await app.call('POST', '/tasks', { key, body: { content, tags } });
  expect(made.status).toBe(201);
  await send.event({ type: 'app_home_opened', tab: 'home', user: me.user, channel: 'D1' });
  const published = await slack.waitForCall('views.publish');
  expect(JSON.stringify(published.args)).toContain('1 to 1 of 1 task');
  const { body } = await me.command('list');
  expect(faultInBlocks(body['blocks'], 50)).toBeNull();
  const value = valueIn(body);
  await me.press({ action_id: 'confirm.pin', value }, ephemeral());
  expect((await slack.waitForCall('respond')).args['text']).toContain('Pinned in your inbox');
  // Astral characters are not cut in the middle.
  const emoji = (await me.command('🦀'.repeat(600))).body;
  expect(JSON.stringify(emoji)).not.toMatch(/\\ud[89a-f]/);
  expect(faultInBlocks(emoji['blocks'], 50)).toBeNull();
});

it('what is done elsewhere shows in the confirmation, as often as Slack allows', async () => {
  const me = await person();
  const { body } = await me.command('buy milk');
  const id = valueIn(body);
  const stored = () =>
    waitFor('the confirmation to be stored', async () =>
      (await app.parts.storage.adapterData.list('slack', 'confirmation', app.clock.now())).find(
        ({ key }) => key === id,
      ),
    );
  expect((await stored()).value).not.toContain('respond');
  const ownerId = (await app.user(me.email)).id;
  for (let at = 1; at <= 4; at++) {
    await app.parts.inbox.pin({ ownerId, id }, at % 2 === 1);
    expect((await slack.waitForCall('respond', at)).args).toMatchObject({ replace_original: true });
  }
  await me.acknowledge(id);
  await me.press({ action_id: 'confirm.undo', value: id }, ephemeral());
  // The fifth use would have come before this one, with another address.
  const { args } = await slack.waitForCall('respond', 5);
  expect(buttonsIn(args['blocks'])).toEqual(['confirm.acknowledge', 'confirm.pin', 'confirm.snooze']);
  expect(new Set(slack.made('respond').map((call: Call) => call.args['url'])).size).toBe(2);
});

it('no secret reached the log', () => {
  const secrets = ['canary', '/respond/', 'trigger-1'];
  expect(secrets.filter((secret) => app.logged().includes(secret))).toEqual([]);
});
