// Snoozing on the screen: by key, for several at once, taken back, looked at, and woken.
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { FakeServer } from '../../../test/fake-server.ts';
import { expectAccessible, open } from '../../../test/screen.tsx';
import { aTask } from '../../../test/tasks.ts';

const HOUR = 60 * 60_000;
const row = (text: string) => screen.findByRole('article', { name: new RegExp(text) });
const rows = () => screen.queryAllByRole('article').map(({ dataset }) => dataset['task']);
const dialog = async () => within(await screen.findByRole('dialog', { name: /^Snooze/ }));

async function openInbox(address = '/inbox', asleep: string[] = []) {
  const server = new FakeServer();
  server.tasks = ['alpha', 'beta', 'gamma'].map((content) =>
    aTask({
      id: content,
      content,
      snoozedUntil: asleep.includes(content) ? new Date(Date.now() + HOUR).toISOString() : null,
    }),
  );
  return open(address, { server });
}

test('h offers times, Enter takes the first, and z brings the task back as it was', async () => {
  const { server, user } = await openInbox();
  await row('alpha');
  await user.keyboard('jh');
  const options = await dialog();
  await waitFor(() => expect(document.activeElement).toHaveProperty('tagName', 'BUTTON'));
  await expectAccessible();
  expect(options.getByRole('button', { name: /^Tomorrow morning/ })).toBeTruthy();
  await user.keyboard('{Enter}');
  await screen.findByText(/^Snoozed until /);
  await waitFor(() => expect(rows()).toEqual(['beta', 'gamma']));
  await screen.findByRole('button', { name: 'Snoozed 1' });
  const [call] = server.called('PATCH /tasks');
  const changes = (call?.body['tasks'] ?? []) as { snoozedUntil: string }[];
  const ahead = Date.parse(changes[0]?.snoozedUntil ?? '') - Date.now();
  expect([ahead > 2.9 * HOUR, ahead <= 3 * HOUR]).toEqual([true, true]);
  await user.keyboard('z');
  await waitFor(() => expect(rows()).toEqual(['alpha', 'beta', 'gamma']));
  await waitFor(() => expect(server.tasks[0]?.snoozedUntil).toBeNull());
});

test('the bar snoozes all that is selected, and one undo takes all of it back', async () => {
  const { server, user } = await openInbox();
  await row('alpha');
  await user.keyboard('jxjx');
  const bar = within(screen.getByRole('group', { name: 'Selected items' }));
  await user.click(bar.getByRole('button', { name: 'Snooze 2 items' }));
  await user.click((await dialog()).getByRole('button', { name: /^Tomorrow morning/ }));
  await screen.findByText(/^Snoozed 2 items until .* 08:00 AM$/);
  await waitFor(() => expect(rows()).toEqual(['gamma']));
  expect(server.called('PATCH /tasks')).toHaveLength(1);
  await user.keyboard('z');
  await waitFor(() => expect(rows()).toEqual(['alpha', 'beta', 'gamma']));
  expect(server.called('PATCH /tasks')).toHaveLength(2);
});

test('a time can be picked, in the next seven days alone', async () => {
  const { server, user } = await openInbox();
  await row('alpha');
  await user.keyboard('jh');
  const options = await dialog();
  const field = options.getByLabelText('Pick a time');
  const button = options.getByRole('button', { name: 'Snooze' });
  expect(button).toHaveProperty('disabled', true);
  await user.clear(field);
  await user.type(field, '2020-01-01T10:00');
  await options.findByText('Choose a time in the future.');
  expect(button).toHaveProperty('disabled', true);
  const picked = new Date(Date.now() + 2 * 24 * HOUR);
  picked.setHours(10, 30, 0, 0);
  const two = (part: number) => String(part).padStart(2, '0');
  await user.clear(field);
  await user.type(
    field,
    `${picked.getFullYear()}-${two(picked.getMonth() + 1)}-${two(picked.getDate())}T10:30`,
  );
  await user.click(button);
  await waitFor(() => expect(server.tasks[0]?.snoozedUntil).toBe(picked.toISOString()));
});

test('the snoozed are a list of their own, where they say until when, and are woken', async () => {
  const { server, user } = await openInbox('/inbox', ['beta']);
  await row('alpha');
  expect(rows()).toEqual(['alpha', 'gamma']);
  await user.click(screen.getByRole('button', { name: 'Snoozed 1' }));
  expect((await row('beta')).textContent).toMatch(/\d\d:\d\d [AP]M$/);
  expect(rows()).toEqual(['beta']);
  expect(window.location.search).toBe('?snoozed=true');
  await expectAccessible();
  await user.keyboard('jh');
  await user.click((await dialog()).getByRole('button', { name: 'Wake now' }));
  await screen.findByText('Nothing is snoozed');
  expect(server.tasks.map(({ snoozedUntil }) => snoozedUntil)).toEqual([null, null, null]);
  await user.click(screen.getByRole('button', { name: 'Show all items' }));
  await row('beta');
  expect(screen.queryByRole('button', { name: /^Snoozed/ })).toBeNull();
});

test('a task that is back says so', async () => {
  const server = new FakeServer();
  server.tasks = [aTask({ content: 'alpha', snoozedUntil: new Date(Date.now() - HOUR).toISOString() })];
  open('/inbox', { server });
  expect(within(await row('alpha')).getByText('Back')).toBeTruthy();
});
