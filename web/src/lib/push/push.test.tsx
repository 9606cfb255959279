// Push of a browser over its life: what each start of a page renews, what a sign-out ends, and what the
// service worker asks of a page.
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeServer } from '../../../test/fake-server.ts';
import { FakeSocket } from '../../../test/fake-socket.ts';
import { aPushDevice, removePushBrowser, SERVER_KEY, stubPushBrowser } from '../../../test/push.ts';
import { open } from '../../../test/screen.tsx';
import { aTask, aUser } from '../../../test/tasks.ts';
import { signOut } from '../session/actions.ts';
import { session } from '../services.ts';
import { turnOnPush } from './device.ts';
import { readPushEntry } from './entry.ts';

type PushBrowser = ReturnType<typeof stubPushBrowser>;

let server: FakeServer;
let browser: PushBrowser;

beforeEach(() => {
  server = new FakeServer();
  browser = stubPushBrowser();
});
afterEach(removePushBrowser);

const posted = () => server.called('POST /push/devices').map(({ body }) => body['endpoint']);
const endpoints = () => [browser.endpoint(), readPushEntry()?.endpoint ?? null];

/** Turned on in a page that was closed since. */
async function turnedOn(): Promise<void> {
  const page = open('/admin', { server });
  await turnOnPush();
  page.unmount();
  expect(endpoints()).toEqual(['https://push.example/1', 'https://push.example/1']);
}

/** The next page, once it has asked how push stands. */
async function nextPage(as = aUser) {
  const before = server.called('GET /push').length;
  const page = open('/admin', { server, as });
  await waitFor(() => expect(server.called('GET /push').length).toBeGreaterThan(before));
  return page;
}

describe('the start of a page', () => {
  test('leaves alone what is in order', async () => {
    await turnedOn();
    await nextPage();
    expect([posted(), endpoints()]).toEqual([
      ['https://push.example/1'],
      ['https://push.example/1', 'https://push.example/1'],
    ]);
  });

  test('subscribes again, without a question, when the browser has lost its subscription', async () => {
    await turnedOn();
    browser.lose();
    await nextPage();
    await waitFor(() => expect(endpoints()).toEqual(['https://push.example/2', 'https://push.example/2']));
    // The old one goes, or each loss would leave one behind.
    await waitFor(() => expect(server.push.devices.map(({ id }) => id)).toEqual([readPushEntry()?.device]));
    expect(browser.ask).toHaveBeenCalledTimes(1);
  });

  test('subscribes again when the server has another key', async () => {
    await turnedOn();
    server.push.publicKey = `${SERVER_KEY.slice(0, -2)}AA`;
    server.push.devices = [];
    await nextPage();
    await waitFor(() => expect(endpoints()).toEqual(['https://push.example/2', 'https://push.example/2']));
    expect(server.push.devices).toHaveLength(1);
  });

  test('tells the server of what the service worker has subscribed anew', async () => {
    await turnedOn();
    await browser.subscribe(SERVER_KEY);
    await nextPage();
    await waitFor(() => expect(readPushEntry()?.endpoint).toBe('https://push.example/2'));
    expect(posted()).toEqual(['https://push.example/1', 'https://push.example/2']);
  });

  test('is off where it was revoked on another device, and stays off', async () => {
    await turnedOn();
    server.push.devices = [aPushDevice()];
    await nextPage();
    await waitFor(() => expect(endpoints()).toEqual([null, null]));
    expect(posted()).toEqual(['https://push.example/1']);
  });

  test('ends what somebody else has turned on in this browser', async () => {
    await turnedOn();
    open('/admin', { server, as: { ...aUser, id: 'user_2' } });
    await waitFor(() => expect(endpoints()).toEqual([null, null]));
    // With the credentials of another account the device is not touched; the push service tells the server.
    expect(server.calls.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  test('closes the notifications of what is over, and again when somebody comes back to it', async () => {
    await turnedOn();
    const [live, later] = [aTask(), aTask()];
    const asleep = aTask({ snoozedUntil: new Date(Date.now() + 3_600_000).toISOString() });
    server.tasks = [live, later, asleep];
    browser.show('task_gone', live.id, asleep.id, later.id);
    await nextPage();
    await waitFor(() => expect(browser.closed).toEqual(['task_gone', asleep.id]));
    server.tasks = [live];
    document.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(browser.closed).toEqual(['task_gone', asleep.id, later.id]));
  });

  test('puts on the app’s icon how many there are of the chosen priorities', async () => {
    const badges: number[] = [];
    const setAppBadge = (count: number) => Promise.resolve(void badges.push(count));
    Object.assign(navigator, { setAppBadge, clearAppBadge: () => setAppBadge(0) });
    await turnedOn();
    server.push.rules = { ...server.push.rules, priorities: ['high', 'low'] };
    server.tasks = [aTask({ priority: 'high' }), aTask({ priority: 'low' }), aTask()];
    await nextPage();
    await waitFor(() => expect(badges).toEqual([2]));
    server.tasks = [];
    document.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(badges).toEqual([2, 0]));
    for (const name of ['setAppBadge', 'clearAppBadge']) Reflect.deleteProperty(navigator, name);
  });

  test('loads nothing of it where push was never on', async () => {
    open('/admin', { server });
    await screen.findByText('Google OAuth');
    expect(server.called('GET /push')).toEqual([]);
  });
});

test('a sign-out ends push in this browser and at the server, and closes what is shown', async () => {
  await turnedOn();
  browser.show('task_1', 'task_2');
  const { device } = readPushEntry() ?? {};
  await signOut();
  expect(server.called(`DELETE /push/devices/${device}`)).toHaveLength(1);
  expect([endpoints(), browser.closed]).toEqual([
    [null, null],
    ['task_1', 'task_2'],
  ]);
  const order = server.calls.map(({ method, path }) => `${method} ${path}`);
  expect(order.indexOf(`DELETE /push/devices/${device}`)).toBeLessThan(order.indexOf('POST /auth/logout'));
});

describe('what was pressed on a notification', () => {
  let stored: Map<string, object>;
  beforeEach(() => {
    stored = new Map();
    const cache = {
      keys: () => Promise.resolve([...stored.keys()]),
      match: (key: string) => Promise.resolve(Response.json(stored.get(key))),
      delete: (key: string) => Promise.resolve(stored.delete(key)),
    };
    vi.stubGlobal('caches', {
      has: () => Promise.resolve(stored.size > 0),
      open: () => Promise.resolve(cache),
      delete: () => Promise.resolve(stored.clear()),
    });
  });
  const press = (action: string, id: string, at = Date.now()) => stored.set(id, { action, id, at });

  test('is done by a page that is open, through its outbox, and can be undone', async () => {
    const task = aTask({ content: 'first' });
    server.tasks = [task];
    const { user } = open('/inbox', { server });
    await screen.findByRole('article', { name: /first/ });
    press('acknowledge', task.id);
    expect(await browser.message({ kind: 'actions' })).toBe(true);
    await waitFor(() => expect(screen.queryByRole('article', { name: /first/ })).toBeNull());
    expect([stored.size, server.tasks]).toEqual([0, []]);
    await user.click(await screen.findByRole('button', { name: /Undo/ }));
    await screen.findByRole('article', { name: /first/ });
    expect(server.tasks).toHaveLength(1);
  });

  test('is a pin, too', async () => {
    const task = aTask();
    server.tasks = [task];
    open('/admin', { server });
    press('pin', task.id);
    expect(await browser.message({ kind: 'actions' })).toBe(true);
    expect(server.tasks).toMatchObject([{ pinned: true }]);
  });

  test('is done by the page that opens for it', async () => {
    await turnedOn();
    const task = aTask();
    server.tasks = [task];
    press('acknowledge', task.id);
    open('/inbox', { server });
    await waitFor(() => expect([server.tasks, stored.size]).toEqual([[], 0]));
  });

  test('is not done for a guest; one that is gone, or of long ago, is dropped', async () => {
    const task = aTask();
    server.tasks = [task];
    press('acknowledge', task.id);
    const guest = open('/admin', { server, signedIn: false, publicQueue: true });
    expect(await browser.message({ kind: 'actions' })).toBe(false);
    expect(stored.size).toBe(1);
    guest.unmount();
    press('acknowledge', 'task_gone');
    press('acknowledge', task.id, Date.now() - 2 * 24 * 3_600_000);
    open('/admin', { server });
    expect(await browser.message({ kind: 'actions' })).toBe(true);
    expect([stored.size, server.tasks.length]).toEqual([0, 1]);
  });

  test('waits where the server cannot be reached', async () => {
    const task = aTask();
    server.tasks = [task];
    open('/admin', { server });
    await screen.findByText('Google OAuth');
    press('acknowledge', task.id);
    server.replies.set(`GET /tasks/${task.id}`, () => Promise.reject(new TypeError('no network')));
    expect(await browser.message({ kind: 'actions' })).toBe(false);
    expect(stored.size).toBe(1);
    server.replies.clear();
    expect(await browser.message({ kind: 'actions' })).toBe(true);
    expect([stored.size, server.tasks]).toEqual([0, []]);
  });
});

describe('a page, asked by the service worker,', () => {
  test('opens a task without loading again', async () => {
    const task = aTask({ content: 'the one' });
    server.tasks = [aTask(), task];
    open('/inbox', { server });
    await screen.findByRole('article', { name: /the one/ });
    expect(await browser.message({ kind: 'open', path: `/inbox?task=${task.id}` })).toBe(true);
    await screen.findByRole('heading', { name: 'the one' });
  });

  test.each([
    ['/inbox', true, true],
    ['/inbox?task=task_9&order=priority', true, true],
    ['/inbox?priority=low', true, false],
    ['/admin', true, false],
    ['/inbox', false, false],
  ])('at %s, in focus %s, says that its list is looked at: %s', async (path, focused, expected) => {
    vi.spyOn(document, 'hasFocus').mockReturnValue(focused);
    open(path, { server });
    await waitFor(() => FakeSocket.latest);
    // Not before it is live.
    expect(await browser.message({ kind: 'view' })).toBe(false);
    act(() => FakeSocket.latest.hello());
    await waitFor(async () => expect(await browser.message({ kind: 'view' })).toBe(expected));
  });

  test('renews the subscription, and does nothing that it does not know', async () => {
    await turnedOn();
    open('/admin', { server });
    await browser.subscribe(SERVER_KEY);
    expect(await browser.message({ kind: 'subscription' })).toBe(true);
    expect(posted()).toContain('https://push.example/2');
    expect(await browser.message({ kind: 'something' })).toBe(false);
    expect(session.getState().method).toBe('jwt');
  });
});
