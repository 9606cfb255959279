// Slack through the whole program: tasks by command and by form.
import { describe, expect, it, vi } from 'vitest';
import {
  app,
  buttonsIn,
  ephemeral,
  people,
  person,
  send,
  slack,
  textsIn,
  type Json,
  useSlackProgram,
  valueIn,
} from '#test/slack/program.ts';
import { commandFields, submission, TEAM } from '#test/slack/sender.ts';

useSlackProgram();

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
    expect(buttonsIn(body)).toEqual(['confirm.acknowledge', 'confirm.pin', 'confirm.snooze']);
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
    const { body } = await me.command('tell &lt;!channel&gt; &amp; &lt;@U1&gt;');
    expect((await me.tasks())[0]?.content).toBe('tell <!channel> & <@U1>');
    expect(body['text']).not.toMatch(/</);
    expect(
      textsIn(body)
        .filter(({ text }) => /</.test(text))
        .map(({ type }) => type),
    ).toEqual(['text']);
    expect(JSON.stringify(body['blocks'])).not.toMatch(/"type":"(user|usergroup|channel|broadcast|link)"/);
  });

  it('acknowledges, takes back and pins by the buttons of the confirmation, in its place; twice is once', async () => {
    const me = await person();
    const { body } = await me.command('buy milk');
    const value = valueIn(body);
    const steps: [string, string[], number, boolean][] = [
      ['confirm.acknowledge', ['confirm.undo'], 0, false],
      ['confirm.undo', ['confirm.acknowledge', 'confirm.pin', 'confirm.snooze'], 1, false],
      ['confirm.undo', ['confirm.acknowledge', 'confirm.pin', 'confirm.snooze'], 1, false],
      ['confirm.pin', ['confirm.acknowledge', 'confirm.unpin', 'confirm.snooze'], 1, true],
      ['confirm.unpin', ['confirm.acknowledge', 'confirm.pin', 'confirm.snooze'], 1, false],
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

  it('is snoozed from the menu of the confirmation and woken there; no list of Slack has it meanwhile', async () => {
    const me = await person();
    const value = valueIn((await me.command('buy milk')).body);
    const choose = (minutes: string) =>
      me.press(
        { action_id: 'confirm.snooze', selected_option: { value: `${minutes} ${value}` } },
        ephemeral(),
      );
    expect((await choose('180')).status).toBe(200);
    const { args } = await slack.waitForCall('respond', 1);
    expect(buttonsIn(args['blocks'])).toEqual(['confirm.acknowledge', 'confirm.wake']);
    expect(JSON.stringify(args['blocks'])).toContain(new Date(app.clock.now() + 180 * 60_000).toISOString());
    expect(await me.tasks()).toEqual([]);
    expect((await me.command('list')).text).toContain('Your inbox is empty');
    await me.press({ action_id: 'confirm.wake', value }, ephemeral());
    const woken = await slack.waitForCall('respond', 2);
    expect(buttonsIn(woken.args['blocks'])).toEqual(['confirm.acknowledge', 'confirm.pin', 'confirm.snooze']);
    expect(await me.tasks()).toMatchObject([{ id: value, snoozedUntil: null }]);
    // What no menu offers changes nothing.
    for (const minutes of ['0', '10081', 'x']) await choose(minutes);
    await slack.waitForCall('respond', 5);
    expect(await me.tasks()).toHaveLength(1);
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

it('a task is shown as it was written: nothing in it is bold, struck or code', async () => {
  const me = await person();
  const key = await app.key(me.email);
  const content = '*Disk* _full_ ~on~ `nas` &lt; ```x```';
  const made = await app.call('POST', '/tasks', { key, body: { content, tags: ['*a*', '~b~'] } });
  const { id } = made.body['task'] as { id: string };
  await send.event({ type: 'app_home_opened', tab: 'home', user: me.user, channel: 'D1' });
  const home = (await slack.waitForCall('views.publish')).args['view'];
  const { body } = await me.command('list');
  await me.press({ action_id: 'home.acknowledge', value: id }, { view: { id: 'V1', type: 'home' } });
  const done = (await slack.waitForCall('views.publish', 2)).args['view'];
  for (const shown of [home, body, done]) {
    expect(textsIn(shown).filter(({ text }) => text.includes(content))).not.toHaveLength(0);
    expect(textsIn(shown).filter(({ type, text }) => type === 'mrkdwn' && /[_~`]/.test(text))).toEqual([]);
  }
  expect(textsIn(body).map(({ text }) => text)).toContain('● Normal · #*a* · #~b~ · until ');
});

it('no secret reached the log', () => {
  const secrets = ['canary', '/respond/', 'trigger-1'];
  expect(secrets.filter((secret) => app.logged().includes(secret))).toEqual([]);
});
