// The open task beside the list: what the keys act on, also where it has no row, and what dialogs know of it.
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { FakeServer } from '../../../test/fake-server.ts';
import { FakeSocket } from '../../../test/fake-socket.ts';
import { open, wholeInbox } from '../../../test/screen.tsx';
import { aTask } from '../../../test/tasks.ts';
import { setPreferences } from '../../lib/preferences.ts';

const row = (text: string) => screen.findByRole('article', { name: new RegExp(text) });
const panel = async () => within(await screen.findByRole('complementary', { name: 'Details' }));
const shows = async (text: string) => (await panel()).findByRole('heading', { name: text });
const left = (server: FakeServer) => server.tasks.map(({ content }) => content);

async function openInbox(address: string) {
  const server = new FakeServer();
  server.tasks = ['alpha', 'beta', 'gamma'].map((content) =>
    aTask({ id: `task_${content}`, content, priority: content === 'beta' ? 'high' : 'normal' }),
  );
  const page = open(address, { server });
  await row('gamma');
  await wholeInbox();
  await waitFor(() => FakeSocket.latest);
  act(() => FakeSocket.latest.hello());
  await screen.findByText('Live');
  return page;
}

function say(server: FakeServer, type: string, id: string, changes: Record<string, unknown> = {}) {
  const task = server.tasks.find((each) => each.id === id);
  if (task === undefined) throw new Error('no task');
  const next = { ...task, ...changes, version: task.version + 1 };
  server.tasks = server.tasks.flatMap((each) =>
    each.id !== id ? [each] : type === 'task.acknowledged' ? [] : [next],
  );
  act(() => FakeSocket.latest.say({ type, task: next, version: next.version }));
}

/** The window is wide enough for the list and the open task side by side; that of jsdom is not. */
function widen(): void {
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: media.includes('64rem'),
    media,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
}

describe('keys', () => {
  beforeEach(widen);

  test('act on the task that was opened by its link, and go on from its row', async () => {
    const { server, user } = await openInbox('/inbox?task=task_beta');
    await shows('beta');
    await user.keyboard('p');
    await waitFor(() => expect(server.tasks.find(({ pinned }) => pinned)?.content).toBe('beta'));
    await user.keyboard('p');
    await waitFor(() => expect(server.tasks.some(({ pinned }) => pinned)).toBe(false));
    await user.keyboard('j');
    await shows('gamma');
    await user.keyboard('k');
    await user.keyboard('e');
    await waitFor(() => expect(left(server)).toEqual(['alpha', 'gamma']));
    await shows('gamma');
  });

  test('act on the open task, not on a row whose button was pressed', async () => {
    const { server, user } = await openInbox('/inbox');
    await user.click(await row('alpha'));
    await shows('alpha');
    await user.click(within(await row('gamma')).getByRole('button', { name: /^Pin/ }));
    await waitFor(() => expect(server.tasks.find(({ pinned }) => pinned)?.content).toBe('gamma'));
    await user.keyboard('e');
    await waitFor(() => expect(left(server)).toEqual(['beta', 'gamma']));
  });

  test('go on with the row that takes the place of one that was opened by its link and goes', async () => {
    const { server, user } = await openInbox('/inbox?task=task_beta');
    await shows('beta');
    say(server, 'task.acknowledged', 'task_beta');
    await shows('gamma');
    await user.keyboard('e');
    await waitFor(() => expect(left(server)).toEqual(['alpha']));
  });
});

describe('in a sheet, where it covers the list', () => {
  afterEach(() => setPreferences({ shortcuts: true }));
  const showsIn = async (content: string) =>
    within(await screen.findByRole('dialog', { name: 'Details' })).findByRole('heading', { name: content });
  const hasFocus = () => expect(document.activeElement).toBe(screen.getByRole('dialog', { name: 'Details' }));
  async function openSheet(content: string) {
    const page = await openInbox('/inbox');
    await page.user.click(await row(content));
    await showsIn(content);
    return page;
  }

  test('keys act on it and walk on; acknowledged, the next one takes its place', async () => {
    const { server, user } = await openSheet('alpha');
    await user.keyboard('p');
    await waitFor(() => expect(server.tasks.find(({ pinned }) => pinned)?.content).toBe('alpha'));
    await user.keyboard('j');
    await showsIn('gamma');
    await waitFor(hasFocus);
    await user.keyboard('e');
    await waitFor(() => expect(left(server)).toEqual(['alpha', 'beta']));
    await showsIn('beta');
    await waitFor(hasFocus);
    await user.keyboard('k');
    await showsIn('alpha');
    await user.keyboard('z');
    await waitFor(() => expect(left(server)).toHaveLength(3));
  });

  test('a key that opens a dialog closes it, and keys are that one’s', async () => {
    const { server, user } = await openSheet('beta');
    await user.keyboard('t');
    const dialog = within(await screen.findByRole('dialog', { name: 'Tags' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Details' })).toBeNull());
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
    expect(left(server)).toHaveLength(3);
  });

  test('keys are off where they are switched off', async () => {
    setPreferences({ shortcuts: false });
    const { server, user } = await openSheet('beta');
    await user.keyboard('pe');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(left(server)).toHaveLength(3);
    expect(server.tasks.some(({ pinned }) => pinned)).toBe(false);
  });
});

describe('a task without a row', () => {
  beforeEach(widen);

  test('is pinned, tagged and acknowledged by key, and shows it', async () => {
    const { server, user } = await openInbox('/inbox?priority=normal&task=task_beta');
    await shows('beta');
    expect(screen.getAllByRole('article')).toHaveLength(2);
    await user.keyboard('p');
    await (await panel()).findByRole('button', { name: /^Unpin/ });
    await user.keyboard('t');
    const dialog = within(await screen.findByRole('dialog', { name: 'Tags' }));
    await user.type(dialog.getByLabelText('Add tags'), 'ops');
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
    await (await panel()).findByText('#ops');
    await waitFor(() => expect(server.tasks[1]).toMatchObject({ pinned: true, tags: ['ops'] }));
    await user.keyboard('e');
    await waitFor(() => expect(left(server)).toEqual(['alpha', 'gamma']));
    expect(screen.queryByRole('complementary')).toBeNull();
    await waitFor(() => expect(window.location.search).toBe('?priority=normal'));
    await user.keyboard('z');
    await waitFor(() => expect(left(server).toSorted()).toEqual(['alpha', 'beta', 'gamma']));
  });

  test('that could not be loaded says so, not that it has gone, and is loaded again', async () => {
    const { server, user } = await openInbox('/inbox?priority=normal');
    const failure = { success: false, error: 'Not now.', code: 'UNAVAILABLE' };
    server.replies.set('GET /tasks/task_beta', () => ({ status: 503, body: failure }));
    act(() => navigate('/inbox?priority=normal&task=task_beta'));
    await (await panel()).findByText(/^This item could not be loaded/);
    expect((await panel()).queryByText(/not in the queue any more/)).toBeNull();
    // It acts on nothing.
    await user.keyboard('e');
    expect(left(server)).toHaveLength(3);
    server.replies.clear();
    await user.click((await panel()).getByRole('button', { name: 'Try again' }));
    await shows('beta');
  });

  test('follows what others do with it, and says when it has gone; the keys go on with the list', async () => {
    const { server, user } = await openInbox('/inbox?priority=normal&task=task_beta');
    await shows('beta');
    say(server, 'task.updated', 'task_beta', { content: 'beta 2' });
    await shows('beta 2');
    say(server, 'task.acknowledged', 'task_beta');
    await (await panel()).findByText(/not in the queue any more/);
    await user.keyboard('e');
    expect(left(server)).toEqual(['alpha', 'gamma']);
    await user.keyboard('j');
    await shows('alpha');
    await user.keyboard('e');
    await waitFor(() => expect(left(server)).toEqual(['gamma']));
  });
});

test('a dialog knows the task as it is now, not as it was when the dialog opened', async () => {
  widen();
  const { server, user } = await openInbox('/inbox?task=task_alpha');
  await shows('alpha');
  await user.keyboard('t');
  const dialog = within(await screen.findByRole('dialog', { name: 'Tags' }));
  say(server, 'task.updated', 'task_alpha', { tags: ['theirs'] });
  await dialog.findByRole('button', { name: 'Remove theirs' });
  await user.type(dialog.getByLabelText('Add tags'), 'mine');
  await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
  await waitFor(() => expect(server.tasks[0]?.tags).toEqual(['theirs', 'mine']));
});
