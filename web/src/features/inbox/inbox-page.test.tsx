import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Task } from '#core/contract/index.ts';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import { FakeSocket } from '../../../test/fake-socket.ts';
import { expectAccessible, open } from '../../../test/screen.tsx';
import { aTask } from '../../../test/tasks.ts';

const HOUR = 3_600_000;

function serverWith(...tasks: Task[]): FakeServer {
  const server = new FakeServer();
  server.tasks = tasks;
  return server;
}

const row = (text: string) => screen.findByRole('article', { name: new RegExp(text) });
const gone = (text: string) =>
  waitFor(() => expect(screen.queryByRole('article', { name: new RegExp(text) })).toBeNull());
const rowNames = () => screen.getAllByRole('article').map((article) => article.getAttribute('aria-label'));

async function openWith(...tasks: Task[]) {
  const page = open('/inbox', { server: serverWith(...tasks) });
  await screen.findByRole('list', { name: 'Tasks' });
  return page;
}

afterEach(() => void vi.useRealTimers());

describe('a row', () => {
  test('shows text, tags, occurrences, source, priority and time left, and passes axe', async () => {
    await openWith(
      aTask({
        content: 'Pump <b>failed</b>',
        priority: 'high',
        source: 'webhook',
        tags: ['ops'],
        occurrences: 3,
      }),
      aTask({ content: 'pinned one', pinned: true }),
    );
    const article = await row('High priority: Pump');
    expect(article).toHaveProperty('tagName', 'ARTICLE');
    expect(article.querySelector('b')).toBeNull();
    for (const text of ['Pump <b>failed</b>', 'ops', '×3', 'Webhook', '1 min ago'])
      expect(within(article).getByText(text)).toBeTruthy();
    expect(within(await row('pinned one')).getByText('pinned')).toBeTruthy();
    expect(screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toEqual([
      'Pinned',
      'New',
    ]);
    await expectAccessible();
  });

  test('links web addresses without handing over the page, and nothing else', async () => {
    await openWith(
      aTask({ content: 'see https://a.example/x, javascript:alert(1)', metadata: { url: 'javascript:1' } }),
    );
    const links = within(await row('see')).getAllByRole('link');
    expect(
      links.map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('rel')]),
    ).toEqual([['https://a.example/x', 'https://a.example/x', 'noopener noreferrer']]);
  });

  test('goes by itself when its time is up', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await openWith(aTask({ content: 'soon over', ageMs: 24 * HOUR - 3000 }), aTask({ content: 'stays' }));
    await row('soon over');
    await act(() => vi.advanceTimersByTimeAsync(3100));
    await gone('soon over');
    expect(rowNames()).toEqual(['Normal priority: stays']);
  });
});

describe('acknowledging', () => {
  test('removes the row at once, moves the focus to the next, and undo brings it back', async () => {
    const { server, user } = await openWith(aTask({ content: 'first' }), aTask({ content: 'second' }));
    await user.click(within(await row('first')).getByRole('button', { name: /^Acknowledge/ }));
    await gone('first');
    expect(document.activeElement).toBe(await row('second'));
    await user.click(await screen.findByRole('button', { name: /Undo/ }));
    await row('first');
    await waitFor(() => expect(server.calls.some(({ path }) => path.endsWith('/restore'))).toBe(true));
  });

  test('that fails puts the row back and says why', async () => {
    const { server, user } = await openWith(aTask({ id: 'task_x', content: 'stubborn' }));
    server.replies.set('DELETE /tasks/task_x', () =>
      refusal(503, 'SERVICE_UNAVAILABLE', 'The store is full.'),
    );
    await user.click(within(await row('stubborn')).getByRole('button', { name: /^Acknowledge/ }));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('The store is full.');
    expect(alert.textContent).toContain('Error Code: SERVICE_UNAVAILABLE');
    await row('stubborn');
    await user.click(within(alert).getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('of a selection is one call, and one undo brings all back', async () => {
    const { server, user } = await openWith(
      aTask({ content: 'alpha' }),
      aTask({ content: 'beta' }),
      aTask({ content: 'gamma' }),
    );
    await row('alpha');
    await user.keyboard('jxjx');
    expect(screen.getByText('2 selected')).toBeTruthy();
    await user.keyboard('e');
    await gone('alpha');
    await gone('beta');
    expect(server.called('POST /tasks/acknowledge')).toHaveLength(1);
    await user.keyboard('z');
    await row('alpha');
    await row('beta');
    expect(server.called('POST /tasks/restore')).toHaveLength(1);
  });

  test('of a selection is undone whole, also where the answer has no room for all that are back', async () => {
    const { server, user } = await openWith(aTask({ content: 'alpha' }), aTask({ content: 'beta' }));
    await row('alpha');
    await user.keyboard('jxjxe');
    await gone('beta');
    server.largestAnswer = 1;
    await user.keyboard('z');
    await row('alpha');
    await row('beta');
    await waitFor(() =>
      expect(server.calls.filter(({ path }) => path.startsWith('/tasks/task_'))).toHaveLength(1),
    );
    expect(screen.queryByText('1 of 2 items are back')).toBeNull();
  });

  test('with Shift selects the range in between', async () => {
    const { user } = await openWith(...['a1', 'a2', 'a3', 'a4'].map((content) => aTask({ content })));
    await user.click(within(await row('a1')).getByRole('checkbox'));
    await user.keyboard('{Shift>}');
    await user.click(await row('a3'));
    await user.keyboard('{/Shift}');
    expect(screen.getByText('3 selected')).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(screen.queryByText('3 selected')).toBeNull();
  });
});

describe('the keyboard', () => {
  test('moves, pins, edits, adds, searches and filters; and is silent in fields', async () => {
    const { server, user } = await openWith(
      aTask({ content: 'one' }),
      aTask({ content: 'two', priority: 'high' }),
    );
    await row('one');
    await user.keyboard('jj');
    expect(document.activeElement).toBe(await row('two'));
    await user.keyboard('p');
    await waitFor(() => expect(rowNames()[0]).toContain('two'));
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('dialog', { name: 'Details' })).toBeTruthy();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.keyboard('E');
    expect(await screen.findByRole('dialog', { name: 'Edit Item' })).toBeTruthy();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.keyboard('/');
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Search' }));
    await user.keyboard('e1c');
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.keyboard('{Escape}1');
    await waitFor(() => expect(server.calls.at(-1)?.query.get('priority')).toBe('high'));
    await gone('one');
    await user.keyboard('0');
    await row('one');
  });

  test('can be switched off', async () => {
    const { setPreferences } = await import('../../lib/preferences.ts');
    setPreferences({ shortcuts: false });
    const { user } = await openWith(aTask({ content: 'calm' }));
    await user.keyboard('c?');
    expect(screen.queryByRole('dialog')).toBeNull();
    setPreferences({ shortcuts: true });
  });
});

describe('adding and editing', () => {
  test('needs a message, and sends source web and createdVia web-interface', async () => {
    const { server, user } = open('/inbox');
    await user.click(await screen.findByRole('button', { name: 'Add First Item' }));
    const dialog = await screen.findByRole('dialog', { name: 'Add New Item' });
    const submit = within(dialog).getByRole('button', { name: 'Add Item' });
    const message = within(dialog).getByLabelText('Message');
    expect(submit).toHaveProperty('disabled', true);
    await user.type(message, '  x');
    await user.clear(message);
    await user.tab();
    expect(await within(dialog).findByText('Message is required')).toBeTruthy();
    await expectAccessible();
    await user.type(message, ' call the plumber ');
    await user.type(within(dialog).getByLabelText('Tags'), 'home, , urgent');
    await user.click(within(dialog).getByRole('radio', { name: 'High' }));
    await user.click(submit);
    await row('call the plumber');
    expect(server.called('POST /tasks').map(({ body }) => body)).toEqual([
      {
        content: 'call the plumber',
        priority: 'high',
        tags: ['home', 'urgent'],
        source: 'web',
        metadata: { createdVia: 'web-interface' },
      },
    ]);
    expect(screen.queryByRole('dialog', { name: 'Add New Item' })).toBeNull();
  });

  test('shows the refusal in the dialog, keeps what was typed, and cannot be closed while saving', async () => {
    const { server, user } = await openWith(aTask({ id: 'task_e', content: 'before' }));
    let answer: (reply: ReturnType<typeof refusal>) => void = () => undefined;
    server.replies.set('PUT /tasks/task_e', () => new Promise((resolve) => (answer = resolve)));
    await user.click(within(await row('before')).getByRole('button', { name: /^Edit/ }));
    const dialog = await screen.findByRole('dialog', { name: 'Edit Item' });
    await user.type(within(dialog).getByLabelText('Message'), ' and after');
    await user.click(within(dialog).getByRole('button', { name: 'Save Changes' }));
    expect(within(dialog).getByRole('button', { name: 'Saving…' })).toHaveProperty('disabled', true);
    await user.keyboard('{Escape}');
    expect(screen.getByRole('dialog', { name: 'Edit Item' })).toBeTruthy();
    act(() => answer(refusal(400, 'VALIDATION_ERROR', 'content: too long')));
    expect((await within(dialog).findByRole('alert')).textContent).toContain('content: too long');
    expect(within(dialog).getByLabelText('Message')).toHaveProperty('value', 'before and after');
  });
});

describe('live', () => {
  async function goLive() {
    await waitFor(() => FakeSocket.latest);
    act(() => FakeSocket.latest.hello());
    await screen.findByText('Live');
  }

  test('shows, changes and removes rows as the server tells, and says that it is live', async () => {
    const task = aTask({ content: 'there' });
    await openWith(task);
    await goLive();
    const pushed = aTask({ content: 'pushed' });
    act(() => FakeSocket.latest.say({ type: 'task.created', task: pushed, version: 1 }));
    await row('pushed');
    act(() =>
      FakeSocket.latest.say({
        type: 'task.updated',
        task: { ...task, content: 'changed', version: 2 },
        version: 2,
      }),
    );
    await row('changed');
    act(() =>
      FakeSocket.latest.say({ type: 'task.acknowledged', task: { ...pushed, version: 2 }, version: 2 }),
    );
    await gone('pushed');
    expect(rowNames()).toEqual(['Normal priority: changed']);
  });

  test('new rows wait behind a pill while some are selected', async () => {
    const { user } = await openWith(aTask({ content: 'chosen' }));
    await goLive();
    await user.keyboard('jx');
    act(() =>
      FakeSocket.latest.say({ type: 'task.created', task: aTask({ content: 'newcomer' }), version: 1 }),
    );
    const pill = await screen.findByRole('button', { name: '1 new' });
    expect(rowNames()).toEqual(['Normal priority: chosen']);
    await user.click(pill);
    await row('newcomer');
  });

  test('fetches the list anew after each connection', async () => {
    const { server } = await openWith(aTask());
    const before = server.called('GET /tasks').length;
    await goLive();
    await waitFor(() => expect(server.called('GET /tasks').length).toBe(before + 1));
  });
});

describe('the list', () => {
  test('is asked for again every 30 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { server } = await openWith(aTask());
    const before = server.called('GET /tasks').length;
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    await waitFor(() => expect(server.called('GET /tasks').length).toBeGreaterThan(before));
  });

  test('says how much is shown, and Load More asks for 50 more', async () => {
    const { server, user } = await openWith(...Array.from({ length: 120 }, () => aTask()));
    expect(screen.getByText('Showing 50 of 120 items')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Load More' }));
    await screen.findByText('Showing 100 of 120 items');
    expect(server.calls.at(-1)?.query.get('limit')).toBe('100');
  });

  test('is whole also where one answer does not carry all that was asked for', async () => {
    const server = serverWith(...Array.from({ length: 120 }, () => aTask()));
    server.largestAnswer = 20;
    const { user } = open('/inbox', { server });
    await screen.findByText('Showing 50 of 120 items');
    const asked = () =>
      server.called('GET /tasks').map(({ query }) => `${query.get('offset')}+${query.get('limit')}`);
    expect(asked()).toEqual(['0+50', '20+30', '40+10']);
    await user.click(screen.getByRole('button', { name: 'Load More' }));
    await screen.findByText('Showing 100 of 120 items');
  });

  test('is cleared when it cannot be fetched, and says why', async () => {
    const server = serverWith(aTask({ content: 'was here' }));
    const { user } = open('/inbox', { server });
    await row('was here');
    server.replies.set('GET /tasks', () => ({ status: 500, body: {} }));
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    await gone('was here');
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to fetch tasks');
  });
});

describe('empty', () => {
  test('for the first time, teaches with a curl and waits', async () => {
    open('/inbox');
    expect(await screen.findByRole('heading', { name: 'Queue is empty' })).toBeTruthy();
    expect(
      screen.getByText(/^curl -d "backup failed" -H "x-api-key: qi_…" .*\/api\/v1\/tasks$/),
    ).toBeTruthy();
    expect(screen.getByText('Waiting for the first task')).toBeTruthy();
    await expectAccessible();
  });

  test('after use, is simply done', async () => {
    localStorage.setItem('qinbox.used', 'yes');
    open('/inbox');
    expect(await screen.findByRole('button', { name: 'Add First Item' })).toBeTruthy();
    expect(screen.queryByText('Waiting for the first task')).toBeNull();
  });

  test('by a filter, names the priority; choosing the active one again clears it', async () => {
    const { user } = await openWith(aTask({ content: 'normal one' }));
    await user.click(screen.getByRole('button', { name: /Filter by priority/ }));
    await user.click(await screen.findByRole('menuitemradio', { name: /Low/ }));
    await screen.findByRole('heading', { name: 'No low priority items' });
    await user.click(screen.getByRole('button', { name: /Filter by priority: Low/ }));
    await user.click(await screen.findByRole('menuitemradio', { name: /Low/ }));
    await row('normal one');
    expect(screen.getByRole('button', { name: 'Filter by priority: All Priorities' })).toBeTruthy();
  });
});
