import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import { FakeSocket } from '../../../test/fake-socket.ts';
import { expectAccessible, open, wholeInbox } from '../../../test/screen.tsx';
import { aTask, aUser } from '../../../test/tasks.ts';
import { session } from '../../lib/services.ts';

const ADD = 'Add New Item';
const EDIT = 'Edit Item';
const form = async (name: string) => within(await screen.findByRole('dialog', { name }));
const message = async (name: string) =>
  (await form(name)).getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
const closed = (name: string) => waitFor(() => expect(screen.queryByRole('dialog', { name })).toBeNull());

async function openWith(...contents: string[]) {
  const server = new FakeServer();
  server.tasks = contents.map((content) => aTask({ id: `task_${content}`, content, tags: ['ops'] }));
  const page = open('/inbox', { server });
  await screen.findByRole('article', { name: new RegExp(contents[0] ?? '') });
  await wholeInbox();
  return page;
}

type Page = Awaited<ReturnType<typeof openWith>>;

/** The same page once more, as a reload makes it. */
async function reload({ server, unmount }: Page): Promise<Page> {
  unmount();
  const { user } = session.getState();
  const page = open('/inbox', { server, as: { ...aUser, id: user?.id ?? '' } });
  await screen.findAllByRole('article');
  return page;
}

describe('what was typed and not saved', () => {
  test.each([
    ['Escape', (page: Page) => page.user.keyboard('{Escape}')],
    [
      'a press outside',
      (page: Page) =>
        page.user.click(screen.getByRole('dialog', { name: ADD }).parentElement ?? document.body),
    ],
    ['Cancel', (page: Page) => page.user.click(screen.getByRole('button', { name: 'Cancel' }))],
    ['Close', (page: Page) => page.user.click(screen.getByRole('button', { name: 'Close' }))],
  ])('outlives %s and a reload: text, priority and tags, with a line that says so', async (_how, close) => {
    let page = await openWith('there');
    await page.user.keyboard('c');
    await page.user.type(await message(ADD), 'call Ann');
    await page.user.click((await form(ADD)).getByRole('radio', { name: 'High' }));
    await page.user.type((await form(ADD)).getByRole('textbox', { name: 'Tags' }), 'home');
    await close(page);
    await closed(ADD);

    for (const again of [() => page, () => reload(page)]) {
      page = await again();
      await page.user.keyboard('c');
      expect((await message(ADD)).value).toBe('call Ann');
      const fields = await form(ADD);
      expect(fields.getByRole<HTMLInputElement>('textbox', { name: 'Tags' }).value).toBe('home');
      expect(fields.getByRole<HTMLInputElement>('radio', { name: 'High' }).checked).toBe(true);
      expect(fields.getByText('Draft kept')).toBeTruthy();
      await expectAccessible();
      await page.user.keyboard('{Escape}');
      await closed(ADD);
    }
  });

  test('is gone once it is discarded, or saved', async () => {
    const { user, server } = await openWith('there');
    const again = async () => {
      await user.keyboard('c');
      return message(ADD);
    };
    await user.type(await again(), 'first');
    await user.keyboard('{Escape}');
    await closed(ADD);
    await again();
    await user.click((await form(ADD)).getByRole('button', { name: 'Discard' }));
    expect((await message(ADD)).value).toBe('');
    expect(screen.queryByText('Draft kept')).toBeNull();
    await user.keyboard('second{Escape}');
    await closed(ADD);
    expect((await again()).value).toBe('second');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await closed(ADD);
    expect(server.called('POST /tasks').map(({ body }) => body['content'])).toEqual(['second']);
    expect((await again()).value).toBe('');
    expect(screen.queryByText('Draft kept')).toBeNull();
  });

  test('is kept of each item apart, and what was put back as it was is none', async () => {
    const { user } = await openWith('one', 'two');
    await user.keyboard('jE');
    await user.type(await message(EDIT), ' more');
    await user.keyboard('{Escape}');
    await closed(EDIT);
    await user.keyboard('jE');
    expect((await message(EDIT)).value).toBe('two');
    await user.keyboard('x{Backspace}{Escape}');
    await closed(EDIT);
    await user.keyboard('E');
    await message(EDIT);
    expect(screen.queryByText('Draft kept')).toBeNull();
    await user.keyboard('{Escape}');
    await closed(EDIT);
    await user.keyboard('kE');
    expect((await message(EDIT)).value).toBe('one more');
    expect(screen.getByText('Draft kept')).toBeTruthy();
  });

  test('stands over the newer version of an item that was changed meanwhile, and says what saving replaces', async () => {
    const page = await openWith('one');
    const { user, server } = page;
    await waitFor(() => FakeSocket.latest);
    act(() => FakeSocket.latest.hello());
    const change = (version: number, changes: object) => {
      server.tasks = server.tasks.map((task) => ({ ...task, ...changes, version }));
      for (const task of server.tasks)
        act(() => FakeSocket.latest.say({ type: 'task.updated', task, version }));
    };
    await user.keyboard('jE');
    await user.type(await message(EDIT), ' of mine');
    await user.keyboard('{Escape}');
    await closed(EDIT);

    change(2, { tags: ['ops', 'night'] });
    // Live messages are drawn together, a moment after they came.
    await screen.findByText('night');
    await user.keyboard('E');
    expect((await message(EDIT)).value).toBe('one of mine');
    // Nobody touched the tags here: they are as they are now.
    expect((await form(EDIT)).getByRole<HTMLInputElement>('textbox', { name: 'Tags' }).value).toBe(
      'ops, night',
    );
    expect(screen.queryByText(/was changed meanwhile/)).toBeNull();

    // Also while it is open.
    change(3, { content: 'one of theirs' });
    expect(await screen.findByText(/was changed meanwhile/)).toBeTruthy();
    expect((await message(EDIT)).value).toBe('one of mine');
    expect((await form(EDIT)).getByText('one of theirs')).toBeTruthy();
    await user.click((await form(EDIT)).getByRole('button', { name: 'Discard' }));
    expect((await message(EDIT)).value).toBe('one of theirs');
    expect(screen.queryByText(/was changed meanwhile/)).toBeNull();
  });

  test('is not shown to the next user who signs in, nor left behind by signing out', async () => {
    const page = await openWith('there');
    await page.user.keyboard('c');
    await page.user.type(await message(ADD), 'of mine');
    // The session ends by itself, and somebody else signs in at the page as it stands.
    act(() => session.require());
    act(() => session.storeTokens({ accessToken: 'a', refreshToken: 'r' }, { ...aUser, id: 'user_2' }));
    await closed(ADD);
    page.unmount();
    const next = open('/inbox', { server: page.server, as: { ...aUser, id: 'user_2' } });
    await screen.findAllByRole('article');
    await next.user.keyboard('c');
    expect((await message(ADD)).value).toBe('');
    await next.user.keyboard('of the second{Escape}');
    await closed(ADD);
    await next.user.click(screen.getByRole('button', { name: /User menu/ }));
    await next.user.click(await screen.findByRole('menuitem', { name: 'Sign Out' }));
    await waitFor(() => expect(session.getState().method).toBe('none'));
    expect(String(localStorage.getItem('qinbox.drafts'))).not.toMatch(/of mine|of the second/);
  });

  test('is kept when saving is refused, and for a user of an API key until the key is gone', async () => {
    const server = new FakeServer();
    server.tasks = [aTask({ content: 'there' })];
    server.replies.set('POST /tasks', () => refusal(400, 'VALIDATION_ERROR', 'content: too long'));
    const { user } = open('/inbox', { server, signedIn: { apiKey: 'qi_1' } });
    await screen.findAllByRole('article');
    await user.keyboard('c');
    await user.type(await message(ADD), 'long');
    await user.click((await form(ADD)).getByRole('button', { name: 'Add Item' }));
    await screen.findByText(/too long/);
    expect((await message(ADD)).value).toBe('long');
    expect(localStorage.getItem('qinbox.drafts')).toContain('long');
    act(() => session.require());
    expect(localStorage.getItem('qinbox.drafts')).toBeNull();
  });
});
