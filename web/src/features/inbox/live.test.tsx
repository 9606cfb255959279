import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { FakeServer } from '../../../test/fake-server.ts';
import { FakeSocket } from '../../../test/fake-socket.ts';
import { open } from '../../../test/screen.tsx';
import { aTask } from '../../../test/tasks.ts';

/** Longer than a gap waits for its fetch, shorter than the regular fetch. */
const LONG_MS = 10_000;

afterEach(() => {
  vi.useRealTimers();
});

async function openLive(tasks: number) {
  const server = new FakeServer();
  server.tasks = Array.from({ length: tasks }, (_, index) => aTask({ content: `task ${index}` }));
  open('/inbox', { server });
  await screen.findAllByRole('article');
  await waitFor(() => FakeSocket.latest);
  const lists = () => server.called('GET /tasks').length;
  const before = lists();
  act(() => FakeSocket.latest.hello());
  await waitFor(() => expect(lists()).toBe(before + 1));
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const counted = lists();
  return { server, fetches: () => lists() - counted };
}

const say = (type: string, task: ReturnType<typeof aTask>, version = task.version) =>
  act(() => FakeSocket.latest.say({ type, task: { ...task, version }, version }));
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

describe('live messages', () => {
  test('show every change without a fetch of the list', async () => {
    const { server, fetches } = await openLive(3);
    const [first, second] = server.tasks;
    if (first === undefined || second === undefined) throw new Error('no tasks');
    for (let index = 0; index < 20; index += 1) say('task.created', aTask({ content: `new ${index}` }));
    for (let version = 2; version < 12; version += 1)
      say('task.updated', { ...first, content: `version ${version}` }, version);
    say('task.acknowledged', second, 2);
    say('task.restored', second, 3);
    say('task.acknowledged', second, 4);
    await pass(LONG_MS);
    expect(fetches()).toBe(0);
    expect(screen.getByRole('article', { name: /version 11/ })).toBeTruthy();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Today22 items');
  });

  test.each([
    ['a version was missed', (task: ReturnType<typeof aTask>) => say('task.updated', task, 4)],
    ['an unknown task changed', () => say('task.updated', aTask(), 2)],
    ['the server says so', () => act(() => FakeSocket.latest.say({ type: 'queue.reset' }))],
    ['the connection was new', () => act(() => FakeSocket.latest.hello())],
  ])('are followed by one fetch when %s', async (_why, happen) => {
    const { server, fetches } = await openLive(2);
    const [task] = server.tasks;
    if (task === undefined) throw new Error('no task');
    happen(task);
    await pass(LONG_MS);
    expect(fetches()).toBe(1);
  });

  test('are followed by one fetch when a row leaves a page that is not the whole list', async () => {
    const { server, fetches } = await openLive(60);
    const leaving = server.tasks.slice(0, 3);
    server.tasks = server.tasks.slice(3);
    for (const task of leaving) say('task.acknowledged', task, 2);
    await pass(LONG_MS);
    expect(fetches()).toBe(1);
    expect(screen.getByText('Showing 50 of 57 items')).toBeTruthy();
  });

  test('are followed by one fetch when there are very many', async () => {
    const { fetches } = await openLive(1);
    act(() => {
      for (let index = 0; index < 501; index += 1) {
        const task = aTask();
        FakeSocket.latest.say({ type: 'task.created', task, version: 1 });
        FakeSocket.latest.say({ type: 'task.acknowledged', task, version: 2 });
      }
    });
    await pass(LONG_MS);
    expect(fetches()).toBe(1);
  });
});

test('what was over by a wrong clock comes back when the time of the server is known again', async () => {
  const { serverClock } = await import('../../lib/services.ts');
  await openLive(2);
  vi.useRealTimers();
  const rows = (count: number) =>
    waitFor(() => expect(screen.queryAllByRole('article')).toHaveLength(count), { timeout: 5000 });
  act(() => serverClock.setExact(new Date(Date.now() + 2 * 24 * 3_600_000).toISOString()));
  await rows(0);
  act(() => serverClock.setFromDateHeader(new Date().toUTCString()));
  await rows(2);
});
