import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { FakeServer } from '../../../test/fake-server.ts';
import { expectAccessible, open } from '../../../test/screen.tsx';
import { aTask } from '../../../test/tasks.ts';
import { createDemoBackend } from './data/demo-backend.ts';
import { NO_FILTER } from './model/page.ts';

describe('a guest who may see nothing', () => {
  test('gets six samples in Demo Mode, without being asked to sign in first', async () => {
    open('/inbox', { signedIn: false });
    expect(await screen.findByText('Demo Mode')).toBeTruthy();
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(6));
    expect(screen.queryByRole('dialog')).toBeNull();
    await expectAccessible();
  });

  test('can try everything in memory, is told that it will not last, and nothing is sent', async () => {
    const { server, user } = open('/inbox', { signedIn: false });
    const article = await screen.findByRole('article', { name: /Invoice 4711/ });
    await user.click(within(article).getByRole('button', { name: /^Acknowledge/ }));
    await waitFor(() => expect(screen.queryByRole('article', { name: /Invoice 4711/ })).toBeNull());
    expect(screen.getByText('Authentication Required')).toBeTruthy();
    expect(server.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText('Authentication Required')).toBeNull();
  });
});

describe('a guest at a public queue', () => {
  test('sees it, and gets the notice instead of any change', async () => {
    const server = new FakeServer();
    server.tasks = [aTask({ content: 'public one' })];
    const { user } = open('/inbox', { server, signedIn: false, publicQueue: true });
    const article = await screen.findByRole('article', { name: /public one/ });
    for (const name of ['Acknowledge', 'Pin', 'Edit']) {
      await user.click(within(article).getByRole('button', { name: new RegExp(`^${name}`) }));
      expect(screen.getByText('Authentication Required')).toBeTruthy();
      await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    }
    expect(screen.queryByText('Demo Mode')).toBeNull();
    expect(server.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

describe('the demo', () => {
  test('answers after 200 to 500 ms', async () => {
    vi.useFakeTimers();
    for (const [random, delay] of [
      [0, 200],
      [1, 500],
    ] as const) {
      const done = vi.fn<() => void>();
      void createDemoBackend({ random: () => random })
        .list(NO_FILTER, 50, new AbortController().signal)
        .then(done);
      await vi.advanceTimersByTimeAsync(delay - 1);
      expect(done).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect(done).toHaveBeenCalledTimes(1);
    }
    vi.useRealTimers();
  });

  test('has a sample for every stage and six sources', async () => {
    const { tasks } = await createDemoBackend().list(NO_FILTER, 50, new AbortController().signal);
    expect(new Set(tasks.map((task) => task.source)).size).toBe(6);
    await expect(createDemoBackend().edit('task_none', {})).rejects.toThrow('Task not found');
  });
});
