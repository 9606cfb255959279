import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Task } from '#core/contract/index.ts';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import { FakeSocket } from '../../../test/fake-socket.ts';
import { expectAccessible, open } from '../../../test/screen.tsx';
import { aTask } from '../../../test/tasks.ts';

const MINUTE = 60_000;
const ADDRESS = '/inbox?view=acknowledged';

afterEach(() => void vi.useRealTimers());

function serverWith(...tasks: Task[]): FakeServer {
  const server = new FakeServer();
  server.acknowledged = tasks;
  return server;
}
const rows = async () =>
  within(await screen.findByRole('list', { name: 'Recently acknowledged' })).getAllByRole('listitem');

describe('recently acknowledged', () => {
  test('is reached from the toolbar, lists the latest first with the time left, and passes axe', async () => {
    const server = serverWith(aTask({ content: 'older' }), aTask({ content: 'latest', priority: 'high' }));
    const { user } = open('/inbox', { server });
    await user.click(await screen.findByRole('link', { name: 'Recently acknowledged' }));
    expect((await rows()).map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^latestAPI10 min left/),
      expect.stringMatching(/^olderAPI10 min left/),
    ]);
    expect(location.search).toBe('?view=acknowledged');
    await expectAccessible();
    await user.keyboard('{Escape}');
    expect(await screen.findByRole('heading', { name: /^Today/ })).toBeTruthy();
  });

  test('restores one, and all', async () => {
    const server = serverWith(...['a', 'b', 'c'].map((content) => aTask({ content })));
    const { user } = open(ADDRESS, { server });
    await rows();
    await user.click(screen.getByRole('button', { name: 'Restore: Normal priority: b' }));
    await waitFor(async () => expect(await rows()).toHaveLength(2));
    expect(server.tasks.map(({ content }) => content)).toEqual(['b']);
    expect(document.activeElement?.textContent).toContain('Recently acknowledged');
    await user.click(screen.getByRole('button', { name: 'Restore all' }));
    await screen.findByRole('heading', { name: 'Nothing to take back' });
    expect(server.called('POST /tasks/restore').map(({ body }) => body['ids'])).toEqual([
      [expect.any(String), expect.any(String)],
    ]);
    expect(server.tasks).toHaveLength(3);
  });

  test('counts down, and lets go of what is over', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const server = new FakeServer();
    const until = (ms: number) => new Date(Date.now() + ms).toISOString();
    const item = (content: string, ms: number) => ({
      task: aTask({ content }),
      acknowledgedAt: until(ms - 10 * MINUTE),
      restorableUntil: until(ms),
    });
    const tasks = [item('long', 5 * MINUTE), item('short', 3000)];
    server.replies.set('GET /tasks/acknowledged', () => ({ status: 200, body: { success: true, tasks } }));
    open(ADDRESS, { server });
    expect((await rows()).map((row) => row.textContent)).toEqual([
      expect.stringContaining('5 min left'),
      expect.stringContaining('3 s left'),
    ]);
    await act(() => vi.advanceTimersByTimeAsync(3100));
    await waitFor(async () => expect(await rows()).toHaveLength(1));
  });

  test('follows what is acknowledged elsewhere', async () => {
    const server = serverWith();
    open(ADDRESS, { server });
    await screen.findByRole('heading', { name: 'Nothing to take back' });
    await waitFor(() => FakeSocket.latest);
    act(() => FakeSocket.latest.hello());
    const task = aTask({ content: 'done by another hand' });
    server.acknowledged = [task];
    act(() => FakeSocket.latest.say({ type: 'task.acknowledged', task, version: 2 }));
    expect(await rows()).toHaveLength(1);
  });

  test('puts a row back and says why when it could not be restored', async () => {
    const server = serverWith(aTask({ id: 'task_r', content: 'stubborn' }));
    server.replies.set('POST /tasks/task_r/restore', () =>
      refusal(404, 'NOT_FOUND', 'The ten minutes are over.'),
    );
    const { user } = open(ADDRESS, { server });
    await rows();
    await user.click(screen.getByRole('button', { name: /^Restore:/ }));
    expect((await screen.findByRole('alert')).textContent).toContain('The ten minutes are over.');
    expect(await rows()).toHaveLength(1);
  });

  test('that cannot be fetched is not said to be empty, and is asked for again at a press', async () => {
    const server = serverWith(aTask({ content: 'a' }));
    server.replies.set('GET /tasks/acknowledged', () =>
      refusal(503, 'SERVICE_UNAVAILABLE', 'The store is away.'),
    );
    const { user } = open(ADDRESS, { server });
    expect((await screen.findByRole('alert')).textContent).toContain('The store is away.');
    expect(screen.queryByRole('heading', { name: 'Nothing to take back' })).toBeNull();
    await expectAccessible();
    server.replies.clear();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await rows()).toHaveLength(1);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('works in the demo as well, without a call', async () => {
    const { server, user } = open('/inbox', { signedIn: false });
    const article = await screen.findByRole('article', { name: /Invoice 4711/ });
    await user.click(within(article).getByRole('button', { name: /^Acknowledge/ }));
    await waitFor(() => expect(screen.queryByRole('article', { name: /Invoice 4711/ })).toBeNull());
    await user.click(screen.getByRole('link', { name: 'Recently acknowledged' }));
    expect((await rows())[0]?.textContent).toContain('Invoice 4711');
    expect(server.called('GET /tasks/acknowledged')).toEqual([]);
  });

  test('asks a guest of a public queue to sign in', async () => {
    const server = new FakeServer();
    server.guestQueue = true;
    open(ADDRESS, { server, signedIn: false, publicQueue: true });
    expect(await screen.findByRole('heading', { name: 'Authentication Required' })).toBeTruthy();
    expect(server.called('GET /tasks/acknowledged')).toEqual([]);
  });
});
