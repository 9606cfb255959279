// What people in Slack are told when something is refused or fails; and that nothing is lost then, or shown
// to others.
import { describe, expect, it, vi } from 'vitest';
import { unavailable } from '#core/errors.ts';
import { waitFor } from '#test/program/wait.ts';
import {
  app,
  buttonsIn,
  ephemeral,
  person,
  send,
  slack,
  useSlackProgram,
  valueIn,
  type Json,
} from '#test/slack/program.ts';
import { messageShortcut, submission, TEAM } from '#test/slack/sender.ts';

useSlackProgram({ MAX_TASKS_PER_OWNER: '2' });

const gone = () => unavailable('store', new Error('gone'));
const said = (args: unknown) => JSON.stringify(args);
const confirmationKeys = async () =>
  (await app.parts.storage.adapterData.list('slack', 'confirmation', app.clock.now())).map(({ key }) => key);

async function disable(email: string): Promise<void> {
  const { id } = await app.user(email);
  await app.parts.storage.accounts.changeUser(id, (user) => ({ ...user, isActive: false }));
}

function react(user: string, reaction: string, ts: string, about: Json = {}) {
  const item = { type: 'message', channel: 'C0GENERAL', ts };
  return send.event({ type: 'reaction_added', user, reaction, item }, about);
}

describe('a button', () => {
  it('stays where its press fails: the person is told beside it', async () => {
    const me = await person();
    const value = valueIn((await me.command('buy milk')).body);
    const change = vi.spyOn(app.parts.storage.tasks, 'change').mockRejectedValue(gone());
    for (const [at, action] of ['confirm.acknowledge', 'list.acknowledge'].entries()) {
      await me.press({ action_id: action, value }, ephemeral());
      const { args } = await slack.waitForCall('respond', at + 1);
      expect(said(args)).toContain('nothing was changed');
      expect(args).toMatchObject({ replace_original: false, response_type: 'ephemeral' });
    }
    change.mockRestore();
    expect(await me.tasks()).toHaveLength(1);
  });

  it('of a message in a channel is not taken from others by somebody without the task', async () => {
    const [me, other, stranger] = [await person(), await person(), await person({ linked: false })];
    const value = valueIn((await me.command('buy milk')).body);
    const seen = {
      ...ephemeral(),
      container: { type: 'message', message_ts: '1.2', channel_id: 'C0GENERAL' },
    };
    for (const [at, [who, words]] of (
      [
        [other, 'no longer in your inbox'],
        [stranger, 'Get a code'],
      ] as const
    ).entries()) {
      await who.press(
        { action_id: 'confirm.acknowledge', value },
        { ...seen, response_url: slack.responseUrl() },
      );
      const { args } = await slack.waitForCall('respond', at + 1);
      expect(args).toMatchObject({ replace_original: false });
      expect(said(args)).toContain(words);
    }
    expect(await me.tasks()).toHaveLength(1);
  });

  it('that somebody else presses does not make the task’s changes go there', async () => {
    const [me, other] = [await person(), await person()];
    const value = valueIn((await me.command('my secret')).body);
    await waitFor('the confirmation to be stored', async () => (await confirmationKeys()).includes(value));
    const theirs = ephemeral();
    await other.press({ action_id: 'confirm.acknowledge', value }, theirs);
    expect(said((await slack.waitForCall('respond')).args)).toContain('no longer in your inbox');
    await me.acknowledge(value);
    const { args } = await slack.waitForCall('respond', 2);
    expect(said(args)).toContain('my secret');
    expect(theirs.response_url).not.toContain(args['url']);
  });

  it('in the Home tab or a list changes the confirmation as well', async () => {
    const me = await person();
    const shown: Json = { view: { id: 'V', type: 'home' }, container: { type: 'view' } };
    for (const [at, [action, more]] of (
      [
        ['home.acknowledge', shown],
        ['list.acknowledge', ephemeral()],
      ] as const
    ).entries()) {
      const form = submission(`V${me.user}${at}`, '', { content: { value: `thing ${at}` } });
      await send.interact({ ...form, ...me.as });
      const value = valueIn((await slack.waitForCall('chat.postMessage', at + 1)).args);
      await waitFor('the confirmation to be stored', async () => (await confirmationKeys()).includes(value));
      await me.press({ action_id: action, value }, more);
      expect(buttonsIn((await slack.waitForCall('chat.update', at + 1)).args)).toEqual(['confirm.undo']);
    }
  });
});

describe('a form', () => {
  const form = (id: string, text: string) => submission(id, '', { content: { value: text } });

  it('says why a task is refused', async () => {
    const me = await person();
    for (const text of ['one', 'two']) await me.command(text);
    const full = await send.interact({ ...form('V1', 'three'), ...me.as });
    expect(said(full.body['errors'])).toMatch(/2 tasks|full/i);
    await disable(me.email);
    const closed = await send.interact({ ...form('V2', 'three'), ...me.as });
    expect(said(closed.body['errors'])).toContain('has been disabled');
  });

  it('stays open with what was typed while the task may fail, and makes one task when it is sent again', async () => {
    const me = await person();
    const { create } = app.parts.storage.tasks;
    const stuck = Promise.withResolvers<void>();
    const slow = vi.spyOn(app.parts.storage.tasks, 'create').mockImplementation(async (...all) => {
      await stuck.promise;
      return create(...all);
    });
    const sent = { ...form('V3', 'renew'), ...me.as };
    expect(said((await send.interact(sent)).body['errors'])).toContain('Press Add again');
    slow.mockRestore();
    stuck.resolve();
    await slack.waitForCall('chat.postMessage');
    await waitFor('the form to close', async () => (await send.interact(sent)).text === '');
    expect(await me.tasks()).toHaveLength(1);
    expect(slack.made('chat.postMessage')).toHaveLength(1);
  });
});

describe('a reaction', () => {
  it('that is refused is not asked for again: the person is told', async () => {
    const me = await person();
    for (const text of ['one', 'two']) await me.command(text);
    expect((await react(me.user, 'inbox_tray', '1700000020.000100')).status).toBe(200);
    expect(said((await slack.waitForCall('chat.postEphemeral')).args)).toMatch(/2 tasks|full/i);
    await disable(me.email);
    expect((await react(me.user, 'inbox_tray', '1700000020.000100')).status).toBe(200);
    expect(said((await slack.waitForCall('chat.postEphemeral', 2)).args)).toContain('has been disabled');
  });

  it('that comes again, because it was not stored which task it made, finishes that', async () => {
    const me = await person();
    const ts = '1700000021.000100';
    const event = { event_id: `Ev-again-${me.user}` };
    const { add } = app.parts.storage.adapterData;
    const store = vi
      .spyOn(app.parts.storage.adapterData, 'add')
      .mockImplementation((record, now) =>
        record.kind === 'message' ? Promise.reject(gone()) : add(record, now),
      );
    expect((await react(me.user, 'inbox_tray', ts, event)).status).toBe(503);
    store.mockRestore();
    expect((await react(me.user, 'inbox_tray', ts, event)).status).toBe(200);
    expect(await me.tasks()).toHaveLength(1);
    await react(me.user, 'white_check_mark', ts);
    expect(await me.tasks()).toEqual([]);
    expect(valueIn((await slack.waitForCall('chat.postMessage')).args)).not.toBe('');
    expect(slack.made('chat.postMessage')).toHaveLength(1);
  });
});

it('a message that was added is not said to have failed because of what is stored beside it', async () => {
  const me = await person();
  const { add } = app.parts.storage.adapterData;
  vi.spyOn(app.parts.storage.adapterData, 'add').mockImplementation((record, now) =>
    record.kind === 'message' ? Promise.reject(gone()) : add(record, now),
  );
  const use = { ...me.as, response_url: slack.responseUrl() };
  await send.interact(messageShortcut({ ts: '1700000022.000100', text: 'x' }, use));
  expect(said((await slack.waitForCall('respond')).args)).toContain('In your inbox');
  expect(await me.tasks()).toHaveLength(1);
});

describe('where there is no message to answer in', () => {
  const shortcut = { type: 'shortcut', callback_id: 'new_task', trigger_id: 't', action_ts: '1' };

  it('a dialog says what failed, or a direct message where it comes too late for one', async () => {
    const me = await person();
    const value = valueIn((await me.command('buy milk')).body);
    const change = vi.spyOn(app.parts.storage.tasks, 'change').mockRejectedValue(gone());
    await me.press({ action_id: 'home.acknowledge', value }, { view: { id: 'V', type: 'home' } });
    expect(said((await slack.waitForCall('views.open')).args)).toContain('nothing was changed');
    slack.refusals.set('views.open', { error: 'expired_trigger_id' });
    await me.press({ action_id: 'home.acknowledge', value }, { view: { id: 'V', type: 'home' } });
    expect(said((await slack.waitForCall('chat.postMessage')).args)).toContain('nothing was changed');
    change.mockRestore();
    await send.interact({ ...shortcut, team: { id: TEAM }, ...me.as });
    expect(said((await slack.waitForCall('chat.postMessage', 2)).args)).toContain('could not be opened');
    slack.refusals.clear();
  });

  it('the Home tab says why it shows no queue, and can be tried again', async () => {
    const me = await person();
    const open = () => send.event({ type: 'app_home_opened', tab: 'home', user: me.user, channel: 'D1' });
    const list = vi.spyOn(app.parts.storage.tasks, 'list').mockRejectedValue(gone());
    await open();
    const { args } = await slack.waitForCall('views.publish');
    expect(said(args)).toContain('nothing was changed');
    expect(buttonsIn(args)).toEqual(['home.refresh']);
    list.mockRestore();
    await disable(me.email);
    await open();
    expect(said((await slack.waitForCall('views.publish', 2)).args)).toContain('has been disabled');
  });
});
