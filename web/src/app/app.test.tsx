import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { FakeServer, refusal } from '../../test/fake-server.ts';
import { expectAccessible, open } from '../../test/screen.tsx';
import { aUser } from '../../test/tasks.ts';
import { session } from '../lib/services.ts';
import { refreshProfile } from '../lib/session/actions.ts';
import { linkProblem, signInByLink } from '../lib/session/sign-in-link.ts';

describe('routes', () => {
  test('the landing page leads to the inbox and the API docs, and passes axe', async () => {
    open('/', { signedIn: false });
    const inbox = await screen.findByRole('link', { name: 'Open Inbox' });
    expect(inbox.getAttribute('href')).toBe('/inbox');
    expect(screen.getByRole('link', { name: 'View API Docs' }).getAttribute('href')).toBe('/api-docs');
    await expectAccessible();
  });

  test('a signed-in user goes from the landing page to the inbox', async () => {
    open('/');
    await waitFor(() => expect(location.pathname).toBe('/inbox'));
  });

  test('the settings are open to anyone and passes axe', async () => {
    const { user } = open('/admin', { signedIn: false });
    expect(await screen.findByRole('heading', { name: 'Settings' })).toBeTruthy();
    await expectAccessible();
    await user.click(screen.getByRole('link', { name: 'Appearance' }));
    await user.click(await screen.findByRole('radio', { name: 'Dark' }));
    expect(document.documentElement.dataset.theme).toBe('dark');
    expect(localStorage.getItem('qinbox.theme')).toBe('dark');
    await user.click(screen.getByRole('radio', { name: 'System' }));
    expect(document.documentElement.dataset.theme).toBeUndefined();
  });

  test('a page whose code is not there yet says that it is on its way', async () => {
    open('/admin/keyboard');
    expect(screen.getByRole('main').getAttribute('aria-busy')).toBe('true');
    expect(within(screen.getByRole('main')).getByText('Loading')).toBeTruthy();
    expect(await screen.findByRole('heading', { name: 'Keyboard' })).toBeTruthy();
    expect(screen.queryByText('Loading')).toBeNull();
  });

  test('the account card names e-mail and method', async () => {
    open('/admin');
    expect(await screen.findByText('Google OAuth')).toBeTruthy();
    expect(screen.getByText('me@example.com', { selector: 'dd' })).toBeTruthy();
  });

  test('the API documentation leads to the OpenAPI document', async () => {
    open('/api-docs');
    const link = await screen.findByRole('link', { name: 'OpenAPI document' });
    expect(link.getAttribute('href')).toBe('/api/v1/openapi.json');
    await expectAccessible();
  });

  test('anything else is "Page not found", with a way back', async () => {
    open('/nothing/here');
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Return to Inbox' }).getAttribute('href')).toBe('/');
    await expectAccessible();
  });
});

describe('the header', () => {
  test('shows tagline and places, marks the active one, and names the user', async () => {
    open('/admin');
    const nav = screen.getByRole('navigation', { name: 'Main' });
    expect(screen.getByText('Focus on today')).toBeTruthy();
    expect(within(nav).getByRole('link', { name: 'Settings' }).getAttribute('aria-current')).toBe('page');
    for (const other of ['Inbox', 'Intakes'])
      expect(within(nav).getByRole('link', { name: other }).getAttribute('aria-current')).toBeNull();
    expect(screen.getByRole('button', { name: 'User menu: me@example.com' })).toBeTruthy();
    await screen.findByRole('heading', { name: 'Settings' });
  });

  test('names nobody until it is known who has signed in', async () => {
    const server = new FakeServer();
    const answer = Promise.withResolvers<void>();
    server.replies.set('GET /auth/profile', async () => {
      await answer.promise;
      return { status: 200, body: { success: true, user: aUser } };
    });
    localStorage.setItem('accessToken', 'access-1');
    localStorage.setItem('refreshToken', 'refresh-1');
    const { user } = open('/admin', { server, reopened: true });
    void refreshProfile();
    const button = screen.getByRole('button', { name: 'User menu' });
    await user.click(button);
    expect((await screen.findByRole('menu')).textContent).not.toContain('User');
    answer.resolve();
    await waitFor(() => expect(button.textContent).toContain('User menu: me@example.com'));
  });

  test.each([
    ['/admin/intakes', 'Intakes', 'page'],
    ['/admin/intakes/new', 'Intakes', 'true'],
    ['/admin/appearance', 'Settings', 'true'],
    ['/inbox', 'Inbox', 'page'],
  ])('at %s marks %s alone', (path, active, current) => {
    open(path);
    const links = within(screen.getByRole('navigation', { name: 'Main' })).getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('aria-current')])).toEqual(
      ['Inbox', 'Intakes', 'Settings'].map((name) => [name, name === active ? current : null]),
    );
  });

  test('signs out: tells the server and forgets everything', async () => {
    const { server, user } = open('/admin');
    await user.click(screen.getByRole('button', { name: /User menu/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'Sign Out' }));
    await within(screen.getByRole('banner')).findByRole('button', { name: 'Sign In' });
    expect(server.called('POST /auth/logout')).toHaveLength(1);
    for (const name of ['accessToken', 'refreshToken', 'user', 'apiKey'])
      expect(localStorage.getItem(name)).toBeNull();
  });
});

describe('the sign-in dialog', () => {
  async function openDialog(server = new FakeServer()) {
    const page = open('/admin', { server, signedIn: false });
    window.dispatchEvent(new Event('auth:required'));
    return { ...page, dialog: await screen.findByRole('dialog', { name: 'Sign In to Qinbox' }) };
  }

  test('opens at auth:required, with the coming-soon text for e-mail, and passes axe', async () => {
    const { user, dialog } = await openDialog();
    await expectAccessible();
    await user.click(within(dialog).getByRole('tab', { name: 'Email' }));
    expect(await within(dialog).findByText('Email Sign In Coming Soon')).toBeTruthy();
    expect(
      within(dialog).getByText(
        "We're working on email authentication. Please use Google Sign In or API Key for now.",
      ),
    ).toBeTruthy();
    expect(within(dialog).getByText('Or continue with')).toBeTruthy();
  });

  test('on a server without Google tells the command for a link, and sends nobody to Google', async () => {
    const { user, dialog } = await openDialog();
    const help = within(await within(dialog).findByRole('region', { name: 'Sign in with a link' }));
    expect(help.getByText('qinbox signin-link --email YOU@example.com')).toBeTruthy();
    expect(help.getByText(/^Google Sign-In is not configured/).textContent).toContain('GOOGLE_CLIENT_ID');
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await user.click(help.getByRole('button', { name: 'Copy command' }));
    expect(copied).toHaveBeenCalledWith('qinbox signin-link --email YOU@example.com');
    expect(within(dialog).getByText(/^No key yet\?/).textContent).toBe(
      'No key yet? Sign in with a link first and generate a key from your profile settings.',
    );
    await user.click(within(dialog).getByRole('tab', { name: 'Email' }));
    expect(await within(dialog).findByText(/Google Sign-In is off on this server/)).toBeTruthy();
    await expectAccessible();
  });

  test('with Google hints at Google', async () => {
    const server = new FakeServer();
    server.googleClientId = 'client.apps.example';
    const { dialog } = await openDialog(server);
    expect(await within(dialog).findByRole('button', { name: 'Continue with Google' })).toBeTruthy();
    expect(within(dialog).queryByRole('region', { name: 'Sign in with a link' })).toBeNull();
    expect(within(dialog).getByText(/^No key yet\?/).textContent).toContain('Google or e-mail first');
  });

  test('asks for a key, says when it is refused, and stores nothing then', async () => {
    const { user, dialog } = await openDialog();
    const submit = within(dialog).getByRole('button', { name: 'Authenticate with API Key' });
    await user.click(submit);
    expect((await within(dialog).findByRole('alert')).textContent).toContain('API Key is required');
    await user.type(within(dialog).getByRole('textbox', { name: 'API Key' }), 'qi_wrong');
    await user.click(submit);
    expect((await within(dialog).findByRole('alert')).textContent).toContain('Authentication failed');
    expect(localStorage.getItem('apiKey')).toBeNull();
  });

  test('stores a good key, trimmed, closes and goes to the inbox', async () => {
    const server = new FakeServer();
    const { user, dialog } = await openDialog(server);
    server.guest = false;
    await user.type(within(dialog).getByRole('textbox', { name: 'API Key' }), '  qi_good ');
    await user.click(within(dialog).getByRole('button', { name: 'Authenticate with API Key' }));
    await waitFor(() => expect(location.pathname).toBe('/inbox'));
    expect(localStorage.getItem('apiKey')).toBe('qi_good');
    expect(localStorage.getItem('accessToken')).toBeNull();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('Cancel closes it and clears the field', async () => {
    const { user, dialog } = await openDialog();
    await user.type(within(dialog).getByRole('textbox', { name: 'API Key' }), 'qi_half');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getAllByRole('button', { name: 'Sign In' })[0] as HTMLElement);
    expect(await screen.findByRole('textbox', { name: 'API Key' })).toHaveProperty('value', '');
  });
});

describe('a sign-in link', () => {
  function follow(server: FakeServer) {
    vi.stubGlobal('fetch', server.fetch);
    session.clear();
    history.replaceState(null, '', '/inbox?priority=high#signin=SECRET');
    return signInByLink();
  }

  test('signs in, and its token leaves the address before it is used', async () => {
    const server = new FakeServer();
    let address = '';
    server.replies.set('POST /auth/link', () => {
      address = location.href;
      return {
        status: 200,
        body: { success: true, user: aUser, tokens: { accessToken: 'a', refreshToken: 'r' } },
      };
    });
    await follow(server);
    expect(address).toMatch(/\/inbox\?priority=high$/);
    expect(server.called('POST /auth/link').map(({ body }) => body)).toEqual([{ token: 'SECRET' }]);
    expect(session.getState()).toEqual({ method: 'jwt', user: aUser, loading: false });
    expect(linkProblem()).toBeNull();
  });

  test('that was used says so, and what to run', async () => {
    const server = new FakeServer();
    server.replies.set('POST /auth/link', () => refusal(401, 'UNAUTHORIZED', 'This link is not valid.'));
    await follow(server);
    server.guest = true;
    open('/inbox', { server, signedIn: false });
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('does not work any more');
    expect(alert.textContent).toContain('qinbox signin-link --email YOU@example.com');
  });
});
