import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { FakeServer } from '../../../test/fake-server.ts';
import { open, wholeInbox } from '../../../test/screen.tsx';
import { aTask } from '../../../test/tasks.ts';

// The code of the inbox comes when a test says so.
const code = Promise.withResolvers<void>();
vi.mock('./screen/inbox-screen.tsx', async (original) => {
  await code.promise;
  return original();
});

const row = (text: string) => screen.findByRole('article', { name: new RegExp(text) });
const lists = (server: FakeServer) => server.called('GET /tasks').length;

// Runs first: the code comes once.
test('the first list is read before its code has come, and what is done with it then is done after', async () => {
  const server = new FakeServer();
  server.tasks = ['alpha', 'beta', 'gamma'].map((content) => aTask({ id: `task_${content}`, content }));
  const { user } = open('/inbox', { server });
  const alpha = within(await row('alpha'));
  expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('Today3');
  expect(screen.queryByRole('group', { name: 'List' })).toBeNull();
  await user.click(alpha.getByRole('button', { name: /^Acknowledge/ }));
  await user.keyboard('jx');
  await user.keyboard('cpeel');
  expect(server.calls.map(({ method }) => method)).not.toContain('DELETE');
  expect(lists(server)).toBe(1);

  code.resolve();
  await wholeInbox();
  await waitFor(() => expect(server.called('DELETE /tasks/task_alpha')).toHaveLength(1));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add New Item' }));
  await waitFor(() =>
    expect(dialog.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }).value).toBe('peel'),
  );
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await screen.findByText('1 selected');
  // The acknowledgement moved the keyboard to beta.
  expect(screen.queryByRole('article', { name: /alpha/ })).toBeNull();
  const changes = server.calls.filter(({ method, path }) => method !== 'GET' && path !== '/live/ticket');
  expect(changes).toHaveLength(1);
  expect(within(await row('gamma')).getByRole<HTMLInputElement>('checkbox').checked).toBe(true);
});

test('the page asks for it before any code has come, as the code would', async () => {
  const server = new FakeServer();
  server.tasks = [aTask({ content: 'alpha' })];
  history.replaceState(null, '', '/inbox');
  localStorage.setItem('accessToken', 'access-1');
  vi.stubGlobal('fetch', server.fetch);
  const script = '../../../public/theme.js';
  await import(/* @vite-ignore */ script);
  await waitFor(() => expect(lists(server)).toBe(1));
  expect(globalThis.qinboxEarly).toBeDefined();
  open('/inbox', { server });
  await row('alpha');
  expect(globalThis.qinboxEarly).toBeUndefined();
  expect(lists(server)).toBe(1);
});
