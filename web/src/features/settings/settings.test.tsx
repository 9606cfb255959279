import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import { expectAccessible, open } from '../../../test/screen.tsx';
import { anApiKey, aUser } from '../../../test/tasks.ts';
import { getPreferences, setPreferences } from '../../lib/preferences.ts';

afterEach(() => void vi.useRealTimers());

async function openSettings(server = new FakeServer(), signedIn: boolean | { apiKey: string } = true) {
  const page = open('/admin', { server, signedIn });
  await screen.findByRole('heading', { name: 'Settings' });
  return page;
}
const field = () => screen.findByRole('textbox', { name: 'Name of a new key' });
const listed = async () => within(await screen.findByRole('list', { name: 'Active API keys' }));

describe('the account card', () => {
  test('shows e-mail and "Google OAuth" to a token session', async () => {
    await openSettings();
    const card = within(screen.getByRole('region', { name: 'Account' }));
    expect(card.getByText('me@example.com')).toBeTruthy();
    expect(card.getByText('Google OAuth')).toBeTruthy();
  });

  test('shows "API key" to a key, and in the place of the keys the notice; the list is not fetched', async () => {
    const { server } = await openSettings(new FakeServer(), { apiKey: 'qi_1' });
    expect(within(screen.getByRole('region', { name: 'Account' })).getByText('API key')).toBeTruthy();
    const notice = within(screen.getByRole('region', { name: 'Authenticated via API Key' }));
    expect(notice.getByText(/can only be managed after signing in with Google OAuth/)).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'API Keys' })).toBeNull();
    expect(server.called('GET /auth/api-keys')).toEqual([]);
    await expectAccessible();
  });

  test('is not there for a guest, nor are keys', async () => {
    const { server } = await openSettings(new FakeServer(), false);
    expect(screen.queryByRole('region', { name: 'Account' })).toBeNull();
    expect(screen.queryByRole('region', { name: /API Key/ })).toBeNull();
    expect(server.called('GET /auth/api-keys')).toEqual([]);
  });
});

describe('the sections', () => {
  const sections = () =>
    within(screen.getByRole('navigation', { name: 'Settings' }))
      .getAllByRole('link')
      .map((link) => link.textContent);

  test.each([
    ['a guest', false, false],
    ['an API key', { apiKey: 'qi_1' }, false],
    ['a person', true, false],
    ['an administrator', true, true],
  ])('%s sees those that make sense', async (_who, signedIn, admin) => {
    open('/admin', { signedIn, as: { ...aUser, is_admin: admin } });
    await screen.findByRole('heading', { name: 'Settings' });
    expect(sections()).toEqual([
      ...['Account', 'Appearance', 'Notifications', 'Keyboard'],
      ...(signedIn === true ? ['Escalation', 'Webhooks', 'Slack'] : []),
      ...(admin ? ['Users', 'System'] : []),
    ]);
  });

  test.each([
    ['/admin/appearance', 'Appearance'],
    ['/admin/notifications', 'Notifications'],
    ['/admin/keyboard', 'Keyboard'],
    ['/admin/slack', 'Slack'],
  ])('%s is the section %s, with its heading, its title, its mark, and passes axe', async (path, name) => {
    open(path);
    expect(await screen.findByRole('heading', { level: 1, name })).toBeTruthy();
    await waitFor(() => expect(document.title).toBe(`${name} · Qinbox`));
    const nav = within(screen.getByRole('navigation', { name: 'Settings' }));
    expect(nav.getByRole('link', { name }).getAttribute('aria-current')).toBe('page');
    await expectAccessible();
  });

  test('the address of Slack from before leads to its section', async () => {
    open('/admin#slack');
    expect(await screen.findByRole('heading', { level: 1, name: 'Slack' })).toBeTruthy();
    expect(location.pathname).toBe('/admin/slack');
  });
});

describe('the API keys', () => {
  test('are listed while active, with name, prefix and dots, and both dates in the format of all dates', async () => {
    const server = new FakeServer();
    server.apiKeys = [
      anApiKey({ name: 'cron', last_used_at: '2026-11-21T09:30:00' }),
      anApiKey({ name: 'nameless', prefix: '' }),
      anApiKey({ name: 'revoked', is_active: false }),
    ];
    await openSettings(server);
    const list = await listed();
    for (const text of [
      'cron',
      'qi_ABCDE••••••••',
      'qi_••••••••',
      'Last used Nov 21, 2026, 09:30 AM',
      'Never used',
    ])
      expect(list.getByText(text)).toBeTruthy();
    expect(list.getAllByText('Created Nov 20, 2026, 08:05 AM')).toHaveLength(2);
    expect(list.queryByText('revoked')).toBeNull();
    await expectAccessible();
  });

  test('are created by Enter, shown in full once, and the copy is confirmed by a check for 2 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const server = new FakeServer();
    const { user } = await openSettings(server);
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await user.type(await field(), ' laptop {Enter}');
    const made = within(await screen.findByRole('region', { name: 'New API key' }));
    const full = made.getByText(/^qi_FULL/).textContent;
    expect(server.called('POST /auth/api-keys').map(({ body }) => body)).toEqual([
      { name: 'laptop', scopes: ['read', 'write'] },
    ]);
    expect(await field()).toHaveProperty('value', '');
    await user.click(made.getByRole('button', { name: 'Copy API key' }));
    expect(copied).toHaveBeenCalledWith(full);
    await made.findByRole('button', { name: 'Copied' });
    await act(() => vi.advanceTimersByTimeAsync(1900));
    expect(made.getByRole('button', { name: 'Copied' })).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(made.getByRole('button', { name: 'Copy API key' })).toBeTruthy();
    expect((await listed()).getByText('laptop')).toBeTruthy();
    await user.click(made.getByRole('button', { name: 'I have stored it' }));
    expect(screen.queryByText(/^qi_FULL/)).toBeNull();
    // What takes the button away leaves the focus in the card.
    const card = screen.getByRole('region', { name: 'API Keys' });
    await waitFor(() => expect(document.activeElement).toBe(card));
  });

  test('need a name: Create is disabled while it is blank, and Enter says what is missing', async () => {
    const { server, user } = await openSettings();
    expect(screen.getByRole('button', { name: 'Create' })).toHaveProperty('disabled', true);
    await user.type(await field(), '   {Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('Please enter a name for the API key');
    expect(server.called('POST /auth/api-keys')).toEqual([]);
  });

  test('are revoked after a question, leave the list at once, and are asked for again after 500 ms', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const server = new FakeServer();
    server.apiKeys = [anApiKey({ name: 'old one' }), anApiKey({ name: 'kept' })];
    const { user } = await openSettings(server);
    await user.click((await listed()).getByRole('button', { name: 'Revoke old one' }));
    const question = await screen.findByRole('alertdialog', { name: 'Revoke old one' });
    expect(
      within(question).getByText('Are you sure you want to revoke this API key? This cannot be undone.'),
    ).toBeTruthy();
    await expectAccessible();
    const before = server.called('GET /auth/api-keys').length;
    await user.click(within(question).getByRole('button', { name: 'Revoke' }));
    await waitFor(() => expect(screen.queryByText('old one')).toBeNull());
    expect(server.called('GET /auth/api-keys')).toHaveLength(before);
    await act(() => vi.advanceTimersByTimeAsync(500));
    await waitFor(() => expect(server.called('GET /auth/api-keys')).toHaveLength(before + 1));
    expect((await listed()).getByText('kept')).toBeTruthy();
  });

  test('can be asked for again where they could not be fetched, also once that was dismissed', async () => {
    const server = new FakeServer();
    server.apiKeys = [anApiKey({ id: 'key_r', name: 'mine' })];
    server.replies.set('GET /auth/api-keys', () => ({ status: 500 }));
    const { user } = open('/admin', { server });
    await screen.findByText('Failed to fetch API keys');
    await user.click(screen.getByRole('button', { name: /Dismiss/ }));
    server.replies.clear();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect((await listed()).getByText('mine')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  test('are all listed after one was made while they could not be fetched', async () => {
    const server = new FakeServer();
    server.apiKeys = [anApiKey({ id: 'key_r', name: 'mine' })];
    server.replies.set('GET /auth/api-keys', () => ({ status: 500 }));
    const { user } = open('/admin', { server });
    await screen.findByText('Failed to fetch API keys');
    server.replies.clear();
    await user.type(await field(), 'laptop{Enter}');
    const list = await listed();
    expect(list.getByText('mine')).toBeTruthy();
    expect(list.getByText('laptop')).toBeTruthy();
  });

  test.each([
    ['GET', 'Failed to fetch API keys', { status: 500 }],
    ['POST', 'Failed to create API key', { status: 500 }],
    [
      'POST',
      'API key created but key value not returned',
      { status: 201, body: { success: true, apiKey: { id: 'key_x' } } },
    ],
    [
      'DELETE',
      'Failed to revoke API key. Please try again.',
      refusal(503, 'SERVICE_UNAVAILABLE', 'Not now.'),
    ],
  ])('whose %s fails say "%s"', async (method, message, reply) => {
    const server = new FakeServer();
    server.apiKeys = [anApiKey({ id: 'key_r', name: 'mine' })];
    server.replies.set(`${method} /auth/api-keys${method === 'DELETE' ? '/key_r' : ''}`, () => reply);
    const { user } = await openSettings(server);
    if (method === 'POST') await user.type(await field(), 'x{Enter}');
    if (method === 'DELETE') {
      await user.click(await screen.findByRole('button', { name: 'Revoke mine' }));
      await user.click(await screen.findByRole('button', { name: 'Revoke' }));
    }
    const alert = await screen.findByRole('alert');
    expect(within(alert).getByText(message)).toBeTruthy();
    await user.click(within(alert).getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('may do what is chosen until when is chosen, and the list says so', async () => {
    const server = new FakeServer();
    const { user } = await openSettings(server);
    await field();
    await user.click(screen.getByText(/^Read and write/));
    for (const name of ['Read', 'Write', 'Ingest']) await user.click(screen.getByRole('checkbox', { name }));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Expires' }), 'In 30 days');
    await expectAccessible();
    const before = Date.now();
    await user.type(await field(), 'sensor{Enter}');
    await screen.findByRole('region', { name: 'New API key' });
    const [call] = server.called('POST /auth/api-keys');
    expect(call?.body).toMatchObject({ name: 'sensor', scopes: ['ingest'] });
    const end = Date.parse(String(call?.body['expires_at']));
    expect(Math.abs(end - before - 30 * 86_400_000)).toBeLessThan(60_000);
    const list = await listed();
    expect(list.getByText('Ingest')).toBeTruthy();
    expect(list.getByText(/^Expires /)).toBeTruthy();
    // The next one begins with what is usual.
    expect(screen.getByRole('checkbox', { name: 'Ingest' })).toHaveProperty('checked', false);
  });

  test('that may do nothing, or end on no day, are not created', async () => {
    const { server, user } = await openSettings();
    await field();
    await user.click(screen.getByText(/^Read and write/));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Expires' }), 'After a date…');
    await user.type(await field(), 'x{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('Choose a day from today on');
    for (const name of ['Read', 'Write']) await user.click(screen.getByRole('checkbox', { name }));
    await user.click(screen.getByRole('button', { name: 'Create' }));
    expect((await screen.findByRole('alert')).textContent).toContain('at least one');
    expect(server.called('POST /auth/api-keys')).toEqual([]);
  });

  test('may be answered as a plain string', async () => {
    const server = new FakeServer();
    server.replies.set('POST /auth/api-keys', () => ({
      status: 201,
      body: { success: true, apiKey: 'qi_PLAIN' },
    }));
    const { user } = await openSettings(server);
    await user.type(await field(), 'x{Enter}');
    expect(await screen.findByText('qi_PLAIN')).toBeTruthy();
  });
});

test('rows are roomy or tight, in this browser', async () => {
  const { user } = open('/admin/appearance');
  await user.click(await screen.findByRole('radio', { name: 'Compact' }));
  expect(document.documentElement.dataset.density).toBe('compact');
  expect(localStorage.getItem('qinbox.density')).toBe('compact');
  await user.click(screen.getByRole('radio', { name: 'Comfortable' }));
  expect(document.documentElement.dataset.density).toBeUndefined();
});

describe('notifications', () => {
  test.each(['granted', 'denied'] as const)('are asked for by the click, and %s is kept', async (answer) => {
    const requestPermission = vi.fn<() => Promise<string>>(async () => {
      Object.assign(globalThis.Notification, { permission: answer });
      return answer;
    });
    vi.stubGlobal('isSecureContext', true);
    vi.stubGlobal(
      'Notification',
      Object.assign(() => undefined, { permission: 'default', requestPermission }),
    );
    const { user } = open('/admin/notifications');
    const box = await screen.findByRole('checkbox', { name: 'Tell me of high priority items' });
    expect(requestPermission).not.toHaveBeenCalled();
    expect(screen.getByRole('checkbox', { name: 'With a short sound' })).toHaveProperty('disabled', true);
    await user.click(box);
    await waitFor(() => expect(box).toHaveProperty('checked', answer === 'granted'));
    expect(getPreferences()).toMatchObject({ notifications: answer === 'granted', sound: false });
    if (answer === 'denied')
      expect((await screen.findByRole('alert')).textContent).toContain('does not allow notifications');
    setPreferences({ notifications: false });
  });

  test('are not offered at an address without https, and the reason is said', async () => {
    vi.stubGlobal('isSecureContext', false);
    vi.stubGlobal(
      'Notification',
      Object.assign(() => undefined, { permission: 'denied' }),
    );
    open('/admin/notifications');
    const box = await screen.findByRole('checkbox', { name: 'Tell me of high priority items' });
    expect(box).toHaveProperty('disabled', true);
    expect(screen.getByText(/only of an https address, or of localhost: open Qinbox at one/)).toBeTruthy();
  });
});
