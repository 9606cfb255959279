// What the notices with Undo take back: the action that each tells of, as long as there is something to take
// back.
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import { FakeSocket } from '../../../test/fake-socket.ts';
import { open, wholeInbox } from '../../../test/screen.tsx';
import { aTask } from '../../../test/tasks.ts';
import { session } from '../../lib/services.ts';

const row = (text: string) => screen.findByRole('article', { name: new RegExp(text) });
const notices = () =>
  screen.queryAllByRole('dialog', { name: new RegExp('^(Acknowledged|Undone|There is|Kept|High|Snoozed)') });
const texts = () => notices().map((each) => each.querySelector('p')?.textContent);
const noticeOf = async (text: string) => within(await screen.findByRole('dialog', { name: text }));
const withoutNotice = (text: string) =>
  waitFor(() => expect(screen.queryByRole('dialog', { name: text })).toBeNull());

async function openInbox() {
  const server = new FakeServer();
  server.tasks = ['alpha', 'beta', 'gamma'].map((content) => aTask({ id: `task_${content}`, content }));
  const page = open('/inbox', { server });
  await row('alpha');
  await wholeInbox();
  return page;
}

const contents = (server: FakeServer) => server.tasks.map(({ content }) => content).toSorted();

async function pressUndo(user: Awaited<ReturnType<typeof openInbox>>['user'], text: string) {
  await user.click((await noticeOf(text)).getByRole('button', { name: /Undo/ }));
}

test('each action has its own, which takes that one back and no other', async () => {
  const { server, user } = await openInbox();
  await user.keyboard('jee');
  await noticeOf('Acknowledged: beta');
  await waitFor(() => expect(contents(server)).toEqual(['gamma']));
  await pressUndo(user, 'Acknowledged: alpha');
  await row('alpha');
  await waitFor(() => expect(contents(server)).toEqual(['alpha', 'gamma']));
  await withoutNotice('Acknowledged: alpha');
  await pressUndo(user, 'Acknowledged: beta');
  await waitFor(() => expect(contents(server)).toEqual(['alpha', 'beta', 'gamma']));
});

test('it takes back what it tells of, although something without a notice was done since', async () => {
  const { server, user } = await openInbox();
  await user.keyboard('je');
  await noticeOf('Acknowledged: alpha');
  await user.keyboard('p');
  await waitFor(() => expect(server.tasks.filter(({ pinned }) => pinned)).toHaveLength(1));
  await pressUndo(user, 'Acknowledged: alpha');
  await row('alpha');
  await waitFor(() => expect(contents(server)).toEqual(['alpha', 'beta', 'gamma']));
  expect(server.tasks.find(({ pinned }) => pinned)?.content).toBe('beta');
});

test('it goes once its action was undone by key', async () => {
  const { user } = await openInbox();
  await user.keyboard('je');
  await noticeOf('Acknowledged: alpha');
  await user.keyboard('z');
  await row('alpha');
  await withoutNotice('Acknowledged: alpha');
  expect(texts()).toEqual([]);
});

test('it goes once the task has left the queue: by the next action here, or elsewhere', async () => {
  const { server, user } = await openInbox();
  await waitFor(() => FakeSocket.latest);
  act(() => FakeSocket.latest.hello());
  await screen.findByText('Live');
  const toHigh = async (text: string) => {
    await user.keyboard('{Control>}k{/Control}');
    await screen.findByRole('dialog', { name: 'Command palette' });
    await user.keyboard('High priority{Enter}');
    await noticeOf(text);
  };
  await user.keyboard('j');
  await toHigh('High priority for 1 item');
  await waitFor(() => expect(server.tasks[0]?.priority).toBe('high'));
  await user.keyboard('e');
  await noticeOf('Acknowledged: alpha');
  await withoutNotice('High priority for 1 item');
  await toHigh('High priority for 1 item');
  await waitFor(() => expect(server.tasks[0]?.priority).toBe('high'));
  const beta = server.tasks[0];
  if (beta === undefined) throw new Error('no task');
  act(() => FakeSocket.latest.say({ type: 'task.acknowledged', task: { ...beta, version: 9 }, version: 9 }));
  await withoutNotice('High priority for 1 item');
});

test('it goes once what was acknowledged is back: somebody restored it elsewhere', async () => {
  const { user, server } = await openInbox();
  await waitFor(() => FakeSocket.latest);
  act(() => FakeSocket.latest.hello());
  await screen.findByText('Live');
  await user.keyboard('je');
  await noticeOf('Acknowledged: alpha');
  await waitFor(() => expect(contents(server)).toEqual(['beta', 'gamma']));
  const [alpha] = server.acknowledged;
  if (alpha === undefined) throw new Error('no task');
  act(() => FakeSocket.latest.say({ type: 'task.restored', task: { ...alpha, version: 9 }, version: 9 }));
  await row('alpha');
  await withoutNotice('Acknowledged: alpha');
});

test('a refusal takes only its own away', async () => {
  const { server, user } = await openInbox();
  await user.keyboard('je');
  await noticeOf('Acknowledged: alpha');
  server.replies.set('DELETE /tasks/task_beta', () => refusal(503, 'SERVICE_UNAVAILABLE', 'Full.'));
  await user.keyboard('e');
  await screen.findByText('Full.');
  await withoutNotice('Acknowledged: beta');
  expect(texts()).toContain('Acknowledged: alpha');
});

test('signing out takes the notices away', async () => {
  const { user } = await openInbox();
  await user.keyboard('je');
  await noticeOf('Acknowledged: alpha');
  act(() => session.clear());
  await withoutNotice('Acknowledged: alpha');
  expect(texts()).toEqual([]);
});
