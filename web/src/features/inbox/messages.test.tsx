import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import { FakeSocket } from '../../../test/fake-socket.ts';
import { open } from '../../../test/screen.tsx';
import { aTask } from '../../../test/tasks.ts';
import { createDemoBackend } from './data/demo-backend.ts';

async function openWithOne() {
  const server = new FakeServer();
  server.tasks = [aTask({ id: 'task_m', content: 'the one' })];
  const page = open('/inbox', { server });
  const row = within(await screen.findByRole('article', { name: /the one/ }));
  return { ...page, row };
}

describe('what went wrong', () => {
  test.each([
    ['DELETE /tasks/task_m', 'Acknowledge', 'Failed to delete task'],
    ['PATCH /tasks/task_m/pin', 'Pin', 'Failed to update pin status'],
  ])('with %s is in the banner: the server’s text, else "%s" has its own', async (call, button, message) => {
    const { server, user, row } = await openWithOne();
    server.replies.set(call, () => ({ status: 500, body: {} }));
    await user.click(row.getByRole('button', { name: new RegExp(`^${button}`) }));
    const banner = await screen.findByRole('alert');
    expect(banner.textContent).toBe(`${message}Error Code: HTTP_500`);
    server.replies.set(call, () => refusal(409, 'CONFLICT', 'Not like this.'));
    await user.click(
      within(await screen.findByRole('article')).getByRole('button', { name: new RegExp(`^${button}`) }),
    );
    await waitFor(() =>
      expect(screen.getByRole('alert').textContent).toBe('Not like this.Error Code: CONFLICT'),
    );
    await user.click(within(screen.getByRole('alert')).getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test.each([
    ['POST /tasks', 'Add Item', 'Failed to create task'],
    ['PUT /tasks/task_m', 'Save Changes', 'Failed to update task'],
  ])('with %s is in the dialog of "%s"', async (call, button, message) => {
    const { server, user, row } = await openWithOne();
    server.replies.set(call, () => ({ status: 500, body: {} }));
    if (call === 'POST /tasks') await user.keyboard('c');
    else await user.click(row.getByRole('button', { name: /^Edit/ }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Message'), '!');
    await user.click(dialog.getByRole('button', { name: button }));
    expect((await dialog.findByRole('alert')).textContent).toContain(message);
  });

  test('in the demo has texts of its own', () => {
    expect(createDemoBackend().texts).toEqual({
      fetch: 'Failed to fetch demo tasks',
      create: 'Failed to create demo task',
      update: 'Failed to update demo task',
      delete: 'Failed to delete demo task',
      pin: 'Failed to update demo pin status',
    });
  });
});

describe('after it went well', () => {
  test('a created task is followed by a fetch of the list, an edited one by none', async () => {
    const { server, user, row } = await openWithOne();
    const lists = () => server.called('GET /tasks').length;
    // Once for the page, and once when the live connection opens.
    act(() => FakeSocket.latest.hello());
    await waitFor(() => expect(lists()).toBe(2));
    let before = lists();
    await user.click(row.getByRole('button', { name: /^Edit/ }));
    let dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Message'), ' edited');
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
    await screen.findByRole('article', { name: /the one edited/ });
    expect(lists()).toBe(before);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    before = lists();
    await user.keyboard('c');
    dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByRole('radio', { name: 'Normal' })).toHaveProperty('checked', true);
    await user.type(dialog.getByLabelText('Message'), 'another');
    await user.click(dialog.getByRole('button', { name: 'Add Item' }));
    await screen.findByRole('article', { name: /another/ });
    await waitFor(() => expect(lists()).toBe(before + 1));
  });

  test('the list is asked for with its limit, offset and pinned tasks, and leads to the API documentation', async () => {
    const { server } = await openWithOne();
    expect(Object.fromEntries(server.called('GET /tasks')[0]?.query ?? [])).toEqual({
      limit: '50',
      offset: '0',
      include_pinned: 'true',
    });
    expect(screen.getByRole('link', { name: 'API documentation' }).getAttribute('href')).toBe('/api-docs');
  });
});
