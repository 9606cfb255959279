import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import { FakeSocket } from '../../../test/fake-socket.ts';
import { removePushBrowser, stubPushBrowser } from '../../../test/push.ts';
import { expectAccessible, open } from '../../../test/screen.tsx';
import { anApiKey, aTask } from '../../../test/tasks.ts';
import { getPreferences, setPreferences } from '../../lib/preferences.ts';

const MAKE = { name: 'Make an API key' };
const command = () => screen.getByText(/^curl /).textContent;
const steps = async () => within(await screen.findByRole('region', { name: 'First steps' }));
const ticked = async () =>
  (await steps())
    .getAllByRole('listitem')
    .filter((step) => /: done/.test(step.textContent))
    .map((step) => /An API key|An intake|Notifications/.exec(step.textContent)?.[0]);

beforeEach(() => void stubNotifications('granted'));
afterEach(() => {
  setPreferences({ notifications: false });
  removePushBrowser();
});

function stubNotifications(answer: string) {
  vi.stubGlobal('isSecureContext', true);
  const requestPermission = vi.fn<() => Promise<string>>(async () => {
    Object.assign(globalThis.Notification, { permission: answer });
    return answer;
  });
  vi.stubGlobal(
    'Notification',
    Object.assign(() => undefined, { permission: 'default', requestPermission }),
  );
  return requestPermission;
}

/** An intake of any kind, made as a person makes one. */
async function addIntake(server: FakeServer): Promise<void> {
  const body = { name: 'CI', adapter: 'webhook', verification: { scheme: 'none' } };
  await server.fetch('/api/v1/intakes', { method: 'POST', body: JSON.stringify(body) });
}

describe('the command for the first task', () => {
  test('gets a key that is made in place, may only create, and is told once', async () => {
    const { user, server } = open('/inbox');
    await user.click(await screen.findByRole('button', MAKE));
    await screen.findByText(/It is shown only this once: copy it now\./);
    expect(server.called('POST /auth/api-keys').map(({ body }) => body['scopes'])).toEqual([['ingest']]);
    expect(command()).toMatch(
      /^curl -d "backup failed" -H "x-api-key: qi_FULLkey_\d+TAIL" http.*\/api\/v1\/tasks$/,
    );
    expect(screen.queryByRole('button', MAKE)).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Copy command' }));
    expect(screen.getByText('Waiting for the first task')).toBeTruthy();
    await waitFor(async () => expect(await ticked()).toEqual(['An API key']));
    await expectAccessible();
  });

  test('says in the server’s words why there is no key', async () => {
    const server = new FakeServer();
    const sentence = 'There are 25 active API keys already. Revoke one first.';
    server.replies.set('POST /auth/api-keys', () => refusal(409, 'CONFLICT', sentence));
    const { user } = open('/inbox', { server });
    await user.click(await screen.findByRole('button', MAKE));
    expect((await screen.findByRole('alert')).textContent).toContain(sentence);
    expect(command()).toContain('"x-api-key: qi_…"');
    expect(screen.getByRole('button', MAKE)).toBeTruthy();
    expect(await ticked()).toEqual([]);
  });

  test('gives way to the task as it comes in', async () => {
    const { server } = open('/inbox');
    await screen.findByText('Waiting for the first task');
    await waitFor(() => FakeSocket.latest);
    act(() => FakeSocket.latest.hello());
    const task = aTask({ content: 'backup failed', ageMs: 0 });
    server.tasks = [task];
    act(() => FakeSocket.latest.say({ type: 'task.created', task, version: 1 }));
    await screen.findByRole('article', { name: /backup failed/ });
    expect(screen.queryByText('Waiting for the first task')).toBeNull();
  });
});

describe('the first steps', () => {
  test('tick themselves by what is there', async () => {
    const server = new FakeServer();
    server.apiKeys = [anApiKey()];
    open('/inbox', { server });
    await waitFor(async () => expect(await ticked()).toEqual(['An API key']));
    expect((await steps()).getByText('1 of 3 done')).toBeTruthy();
    expect((await steps()).getByRole('link', { name: 'New intake' }).getAttribute('href')).toBe(
      '/admin/intakes/new',
    );
    await expectAccessible();
  });

  test('stay in the empty inbox after the first task, and over a reload, until all are done', async () => {
    const ask = stubNotifications('granted');
    const server = new FakeServer();
    const first = open('/inbox', { server });
    expect(await ticked()).toEqual([]);
    first.unmount();
    localStorage.setItem('qinbox.used', 'yes');
    server.apiKeys = [anApiKey()];
    await addIntake(server);
    const later = open('/inbox', { server, reopened: true });
    await waitFor(async () => expect(await ticked()).toEqual(['An API key', 'An intake']));
    expect(ask).not.toHaveBeenCalled();
    await later.user.click((await steps()).getByRole('button', { name: 'Turn on' }));
    await waitFor(async () => expect(await ticked()).toHaveLength(3));
    expect(getPreferences().notifications).toBe(true);
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'First steps' }));
    later.unmount();
    open('/inbox', { server, reopened: true });
    await screen.findByRole('button', { name: 'Add First Item' });
    expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull();
  });

  test('say so when the browser refuses notifications', async () => {
    stubNotifications('denied');
    const { user } = open('/inbox');
    await user.click((await steps()).getByRole('button', { name: 'Turn on' }));
    expect((await screen.findByRole('alert')).textContent).toContain('does not allow notifications');
    expect(await ticked()).toEqual([]);
  });

  test('turn push on where the browser has it, and say what failed where an open tab must do', async () => {
    const browser = stubPushBrowser({ broken: true });
    const { server, user, unmount } = open('/inbox');
    expect((await steps()).getByText('Of high priority items, also while Qinbox is closed.')).toBeTruthy();
    await user.click((await steps()).getByRole('button', { name: 'Turn on' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Until then an open tab tells you.');
    expect([await ticked(), server.push.devices]).toEqual([['Notifications'], []]);
    unmount();
    removePushBrowser();

    setPreferences({ notifications: false });
    const working = stubPushBrowser();
    const again = open('/inbox', { reopened: true });
    const answered = Promise.withResolvers<void>();
    again.server.replies.set('POST /push/devices', async (call) => {
      await answered.promise;
      return again.server.push.answer(call);
    });
    await again.user.click((await steps()).getByRole('button', { name: 'Turn on' }));
    await waitFor(() => expect(again.server.called('POST /push/devices')).toHaveLength(1));
    // Not before it is: somebody who goes on then would be without it.
    expect(await ticked()).toEqual([]);
    answered.resolve();
    await waitFor(async () => expect(await ticked()).toEqual(['Notifications']));
    expect([browser.endpoint(), working.endpoint()]).toEqual([null, 'https://push.example/1']);
  });

  test('say on an iPhone how to get notifications', async () => {
    vi.unstubAllGlobals();
    vi.stubGlobal('isSecureContext', true);
    Object.assign(navigator, { standalone: false });
    Object.defineProperty(navigator, 'maxTouchPoints', { configurable: true, value: 5 });
    open('/inbox');
    expect((await steps()).getByText('For apps on the Home Screen.')).toBeTruthy();
    expect((await steps()).getByRole('link', { name: 'How' }).getAttribute('href')).toBe(
      '/admin/notifications',
    );
    for (const name of ['standalone', 'maxTouchPoints']) Reflect.deleteProperty(navigator, name);
  });

  test('can be dismissed for good; the focus goes to the heading', async () => {
    const { user, server, unmount } = open('/inbox');
    await user.click((await steps()).getByRole('button', { name: 'Dismiss the first steps' }));
    expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Queue is empty' }));
    expect(screen.getByRole('button', MAKE)).toBeTruthy();
    unmount();
    open('/inbox', { server, reopened: true });
    await screen.findByText('Waiting for the first task');
    expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull();
  });

  test('are not offered to who used Qinbox before them', async () => {
    localStorage.setItem('qinbox.used', 'yes');
    const { server } = open('/inbox');
    await screen.findByRole('button', { name: 'Add First Item' });
    expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull();
    expect(server.called('GET /intakes')).toEqual([]);
    expect(server.called('GET /auth/api-keys')).toEqual([]);
  });

  test('are, for a caller with an API key, those that it can take: no key is made, no intake', async () => {
    const { server } = open('/inbox', { signedIn: { apiKey: 'qi_1' } });
    await waitFor(async () => expect(await ticked()).toEqual(['An API key']));
    expect((await steps()).queryByText('An intake')).toBeNull();
    expect(screen.queryByRole('button', MAKE)).toBeNull();
    expect(server.called('GET /intakes')).toEqual([]);
    expect(server.called('GET /auth/api-keys')).toEqual([]);
    await expectAccessible();
  });

  test('do not ask for notifications that the browser does not have', async () => {
    vi.unstubAllGlobals();
    open('/inbox');
    expect((await steps()).getByText('0 of 2 done')).toBeTruthy();
    expect((await steps()).queryByText('Notifications')).toBeNull();
  });

  test('are not for guests of a public queue', async () => {
    const { server } = open('/inbox', { signedIn: false, publicQueue: true });
    await screen.findByText('Waiting for the first task');
    expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull();
    expect(screen.queryByRole('button', MAKE)).toBeNull();
    expect(server.called('GET /auth/api-keys')).toEqual([]);
  });
});
