import 'fake-indexeddb/auto';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import type { User } from '#core/contract/index.ts';
import { expectAccessible, open } from '../../../test/screen.tsx';
import { anApiKey, aTask, aUser } from '../../../test/tasks.ts';
import { outbox } from '../../lib/outbox/service.ts';

const DAY = 24 * 3_600_000;

let unplugged = false;
function network(there: boolean) {
  unplugged = !there;
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(there);
  act(() => void window.dispatchEvent(new Event(there ? 'online' : 'offline')));
}

function aServer(): FakeServer {
  const server = new FakeServer();
  server.tasks = [aTask({ id: 'task_1', content: 'first' }), aTask({ id: 'task_2', content: 'second' })];
  const { fetch } = server;
  server.fetch = (input, init) =>
    unplugged ? Promise.reject(new TypeError('no network')) : fetch(input, init);
  return server;
}

const row = (text: string) => screen.findByRole('article', { name: new RegExp(text) });
const gone = (text: string) =>
  waitFor(() => expect(screen.queryByRole('article', { name: new RegExp(text) })).toBeNull());

async function acknowledgeOffline(server = aServer()) {
  const page = open('/inbox', { server });
  await row('first');
  network(false);
  await screen.findByText(/^You are offline/);
  await page.user.click(within(await row('first')).getByRole('button', { name: /^Acknowledge/ }));
  await screen.findByText('1 change is kept on this device and sent when you are back.');
  // A server on this machine is tried all the same.
  await waitFor(() => expect(outbox.getSnapshot().blocked?.reason).toBe('offline'));
  return page;
}

/** The page is closed, and opened anew. */
function reopen(server: FakeServer) {
  cleanup();
  return open('/inbox', { server, reopened: true });
}

function signInAs(server: FakeServer, as: User) {
  cleanup();
  return open('/inbox', { server, as });
}

afterEach(async () => {
  network(true);
  await outbox.clear();
});

describe('what waits', () => {
  test('stays done in a page that is opened without a network, over the list that was seen last', async () => {
    const { server } = await acknowledgeOffline();
    reopen(server);
    await row('second');
    expect(screen.getByText(/^You are offline\. What you see is from \d\d:\d\d [AP]M\.$/)).toBeTruthy();
    expect(screen.queryByRole('article', { name: /first/ })).toBeNull();
    await screen.findByText('1 change is kept on this device and sent when you are back.');
    network(true);
    await screen.findByText('1 change sent');
    expect(server.calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
    expect(screen.queryByText(/on this device/)).toBeNull();
  });

  test('of an edit is what was edited: what others change meanwhile stays', async () => {
    const server = aServer();
    const { user } = open('/inbox', { server });
    await row('first');
    network(false);
    await screen.findByText(/^You are offline/);
    await user.keyboard('jE');
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Item' }));
    await user.type(dialog.getByLabelText('Message'), ' of two');
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
    await row('first of two');
    server.tasks = server.tasks.map((task) => ({ ...task, tags: ['theirs'], priority: 'high' as const }));
    network(true);
    await waitFor(() => expect(server.tasks[0]?.content).toBe('first of two'));
    expect(server.tasks[0]).toMatchObject({ tags: ['theirs'], priority: 'high' });
  });

  test('is listed with what and when, and can be given up there: then the row is back', async () => {
    const { user, server } = await acknowledgeOffline();
    await user.click(screen.getByRole('button', { name: 'Show' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Changes not sent yet' }));
    expect(dialog.getByText('Acknowledge “first”')).toBeTruthy();
    await expectAccessible();
    await user.click(dialog.getByRole('button', { name: 'Discard: Acknowledge “first”' }));
    await row('first');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Changes not sent yet' })).toBeNull());
    network(true);
    await waitFor(() => expect(screen.queryByText(/You are offline/)).toBeNull());
    expect(server.calls.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  test('marks its row; a new item is there, and is created once under the key that it was made with', async () => {
    const { user, server } = await acknowledgeOffline();
    await user.click(within(await row('second')).getByRole('button', { name: /^Pin/ }));
    expect(within(await row('second')).getByText('waits to be sent')).toBeTruthy();
    await user.keyboard('c');
    const dialog = within(await screen.findByRole('dialog', { name: 'Add New Item' }));
    await user.type(dialog.getByLabelText('Message'), 'written in a tunnel');
    await user.click(dialog.getByRole('button', { name: 'Add Item' }));
    expect(within(await row('written in a tunnel')).getByText('waits to be sent')).toBeTruthy();
    const { id } = outbox.getSnapshot().entries.at(-1) ?? {};
    network(true);
    await screen.findByText('3 changes sent');
    expect(within(await row('written in a tunnel')).queryByText('waits to be sent')).toBeNull();
    expect(server.called('POST /tasks').map(({ headers }) => headers.get('idempotency-key'))).toEqual([id]);
  });

  test('is neither shown to nor sent for another account of the same browser, nor is its list', async () => {
    const { server } = await acknowledgeOffline();
    signInAs(server, { ...aUser, id: 'user_2', email: 'other@example.com' });
    await screen.findByRole('heading', { name: 'The list is not here yet' });
    expect(screen.queryByText(/on this device and sent/)?.textContent).toBe(
      'What you change is kept on this device and sent when you are back.',
    );
    network(true);
    await row('first');
    expect(server.calls.filter(({ method }) => method === 'DELETE')).toEqual([]);
    signInAs(server, aUser);
    await waitFor(() => expect(server.calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1));
    await gone('first');
  });

  test('is asked about before a sign-out would lose it', async () => {
    const { user, server } = await acknowledgeOffline();
    const leave = async () => {
      await user.click(screen.getByRole('button', { name: /User menu/ }));
      await user.click(await screen.findByRole('menuitem', { name: 'Sign Out' }));
      return within(await screen.findByRole('alertdialog', { name: '1 change not sent yet' }));
    };
    await user.click((await leave()).getByRole('button', { name: 'Cancel' }));
    await screen.findByText('1 change is kept on this device and sent when you are back.');
    await user.click((await leave()).getByRole('button', { name: 'Sign out and lose it' }));
    await waitFor(() => expect(localStorage.getItem('accessToken')).toBeNull());
    signInAs(server, aUser);
    network(true);
    await row('first');
    expect(server.calls.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  test('is asked about before a sign-out in the profile too, which stays open at “Cancel”', async () => {
    const { user, server } = await acknowledgeOffline();
    server.apiKeys = [anApiKey()];
    await user.click(screen.getByRole('button', { name: /User menu/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'View Profile' }));
    await user.click(await screen.findByRole('button', { name: 'Sign Out' }));
    const question = within(await screen.findByRole('alertdialog', { name: '1 change not sent yet' }));
    await user.click(question.getByRole('button', { name: 'Cancel' }));
    const profile = within(await screen.findByRole('dialog', { name: 'User Profile' }));
    await user.click(profile.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await screen.findByText('1 change is kept on this device and sent when you are back.');
  });
});

describe('what cannot be done any more', () => {
  test('is told with its reason until it was seen, and the row is as it was', async () => {
    const server = aServer();
    const { user } = await acknowledgeOffline(server);
    server.replies.set('DELETE /tasks/task_1', () =>
      refusal(403, 'INSUFFICIENT_SCOPE', 'This key may only read.'),
    );
    network(true);
    const alert = within(await screen.findByRole('alert'));
    expect(alert.getByText('Could not be done: Acknowledge “first”')).toBeTruthy();
    expect(alert.getByText('This key may only read.')).toBeTruthy();
    await row('first');
    reopen(server);
    const again = within(await screen.findByRole('alert'));
    await user.click(again.getByRole('button', { name: 'Dismiss' }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(outbox.getSnapshot().entries).toEqual([]);
  });

  test('for its age is told, and sent or given up as the person says', async () => {
    const { server } = await acknowledgeOffline();
    cleanup();
    vi.useFakeTimers({ now: Date.now() + DAY, toFake: ['Date'] });
    server.tasks = server.tasks.map((task) => ({ ...task, pinned: true }));
    unplugged = false;
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    const { user } = open('/inbox', { server });
    await screen.findByText('1 change from more than a day ago not sent.');
    await row('first');
    await user.click(screen.getByRole('button', { name: 'Show' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Changes not sent yet' }));
    expect(dialog.getByText(/^More than a day old/)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Send: Acknowledge “first”' }));
    await waitFor(() => expect(server.calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1));
    await gone('first');
    vi.useRealTimers();
  });
});
