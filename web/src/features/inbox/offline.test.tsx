import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { FakeServer } from '../../../test/fake-server.ts';
import { FakeSocket } from '../../../test/fake-socket.ts';
import { expectAccessible, open, wholeInbox } from '../../../test/screen.tsx';
import { aTask } from '../../../test/tasks.ts';

afterEach(() => void vi.useRealTimers());

let unplugged = false;
function network(there: boolean) {
  unplugged = !there;
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(there);
  act(() => void window.dispatchEvent(new Event(there ? 'online' : 'offline')));
}

async function openInbox() {
  unplugged = false;
  const server = new FakeServer();
  server.tasks = [aTask({ content: 'first' }), aTask({ content: 'second' })];
  const { fetch } = server;
  server.fetch = (input, init) =>
    unplugged ? Promise.reject(new TypeError('no network')) : fetch(input, init);
  const page = open('/inbox', { server });
  await wholeInbox();
  const row = within(await screen.findByRole('article', { name: /first/ }));
  return { ...page, row };
}

describe('without a network', () => {
  test('the list stays and says from when it is; what is done then is sent when the network is back', async () => {
    const { server, user, row } = await openInbox();
    network(false);
    expect(
      (await screen.findByText(/^You are offline\. What you see is from \d\d:\d\d [AP]M\.$/)).textContent,
    ).toBeTruthy();
    await expectAccessible();
    await user.click(row.getByRole('button', { name: /^Acknowledge/ }));
    await waitFor(() => expect(screen.queryByRole('article', { name: /first/ })).toBeNull());
    expect(server.calls.filter(({ method }) => method === 'DELETE')).toEqual([]);
    expect(screen.queryByRole('alert')).toBeNull();
    network(true);
    await waitFor(() => expect(server.calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1));
    await waitFor(() => expect(screen.queryByText(/You are offline/)).toBeNull());
    expect(screen.getByRole('article', { name: /second/ })).toBeTruthy();
    expect(screen.queryByRole('article', { name: /first/ })).toBeNull();
  });

  test('on the next day the list says that it is from the day before', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await openInbox();
    network(false);
    await screen.findByText(/^You are offline\. What you see is from \d\d:\d\d [AP]M\.$/);
    vi.setSystemTime(Date.now() + 24 * 3_600_000);
    const notice = await screen.findByText(/^You are offline\. What you see is from \w{3} \d/);
    expect(notice.textContent).toMatch(/from \w{3} \d+, \d{4}, \d\d:\d\d [AP]M\.$/);
  });

  test('a new item is not lost: its dialog stays open and says so', async () => {
    const { server, user } = await openInbox();
    network(false);
    await screen.findByText(/^You are offline/);
    await user.keyboard('c');
    const dialog = within(await screen.findByRole('dialog', { name: 'Add New Item' }));
    await user.type(dialog.getByLabelText('Message'), 'written in a tunnel');
    await user.click(dialog.getByRole('button', { name: 'Add Item' }));
    expect((await dialog.findByRole('alert')).textContent).toContain('You are offline.');
    network(true);
    await user.click(dialog.getByRole('button', { name: 'Add Item' }));
    await screen.findByRole('article', { name: /written in a tunnel/ });
    expect(server.called('POST /tasks')).toHaveLength(1);
  });
});

test('an inbox that is opened without a network does not call its queue empty', async () => {
  const server = new FakeServer();
  server.fetch = () => Promise.reject(new TypeError('no network'));
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  open('/inbox', { server });
  expect(await screen.findByRole('heading', { name: 'The list is not here yet' })).toBeTruthy();
  expect(screen.getAllByText(/^You are offline\./)).toHaveLength(1);
});

describe('a screen reader', () => {
  test('is told of what came in, once it is quiet, and in one sentence', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await openInbox();
    await waitFor(() => FakeSocket.latest);
    act(() => FakeSocket.latest.hello());
    for (const priority of ['high', 'normal', 'high'] as const) {
      const task = aTask({ priority, ageMs: -1000 });
      act(() => FakeSocket.latest.say({ type: 'task.created', task, version: 1 }));
      await act(() => vi.advanceTimersByTimeAsync(300));
    }
    expect(screen.queryByText(/new items/)).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(1100));
    const said = await screen.findByText('3 new items, 2 of high priority');
    expect(said.getAttribute('role')).toBe('status');
  });
});
