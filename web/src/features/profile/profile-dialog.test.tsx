import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { User } from '#core/contract/index.ts';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import { expectAccessible, open } from '../../../test/screen.tsx';
import { anApiKey, aUser } from '../../../test/tasks.ts';
import { maskKey } from '../../lib/key-mask.ts';

async function openProfile(server = new FakeServer(), as: User = aUser) {
  const page = open('/admin', { server, as });
  await page.user.click(screen.getByRole('button', { name: /User menu/ }));
  await page.user.click(await screen.findByRole('menuitem', { name: 'View Profile' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'User Profile' }));
  return { ...page, dialog };
}

describe('the profile', () => {
  test.each([
    [{}, ['Sign-in link', 'Verified', 'Active', 'Never']],
    [
      {
        auth_provider: 'google',
        email_verified: false,
        is_active: false,
        last_login: '2026-11-21T07:00:00',
        avatar_url: 'https://pictures.example/me.png',
      },
      ['Google', 'Pending', 'Inactive', 'Nov 21, 2026, 07:00 AM'],
    ],
  ])('shows who this is and how the account stands, and passes axe', async (fields, details) => {
    const { dialog } = await openProfile(new FakeServer(), {
      ...aUser,
      created_at: '2026-11-01T08:00:00',
      ...fields,
    });
    for (const text of ['Me', 'me@example.com', 'Member since Nov 01, 2026, 08:00 AM', 'Account Details'])
      expect(dialog.getByText(text.replace('Nov 01', 'Nov 1'))).toBeTruthy();
    expect(dialog.getAllByRole('definition').map((each) => each.textContent)).toEqual(details);
    const avatar = document.querySelector('[role=dialog] img');
    expect(avatar?.getAttribute('src') ?? null).toBe(
      'avatar_url' in fields ? 'https://pictures.example/me.png' : null,
    );
    await expectAccessible();
  });

  test('can be given another name, and says when that failed', async () => {
    const { server, user, dialog } = await openProfile();
    server.replies.set('PUT /auth/profile', () => ({ status: 500 }));
    await user.click(dialog.getByRole('button', { name: 'Edit name' }));
    const name = dialog.getByRole('textbox', { name: 'Name' });
    await user.clear(name);
    await user.type(name, ' Mira{Enter}');
    expect((await dialog.findByRole('alert')).textContent).toBe('Failed to update profile');
    server.replies.clear();
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await dialog.findByText('Mira');
    expect(JSON.parse(localStorage.getItem('user') ?? '{}')).toMatchObject({ name: 'Mira' });
  });

  test('closes, and signs out', async () => {
    const { server, user, dialog } = await openProfile();
    await user.click(dialog.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: /User menu/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'View Profile' }));
    await user.click(await screen.findByRole('button', { name: 'Sign Out' }));
    await waitFor(() => expect(localStorage.getItem('accessToken')).toBeNull());
    expect(server.called('POST /auth/logout')).toHaveLength(1);
  });

  test('is not offered to an API key', async () => {
    const { user } = open('/admin', { signedIn: { apiKey: 'qi_1' } });
    await user.click(screen.getByRole('button', { name: 'User menu: User' }));
    await screen.findByRole('menuitem', { name: 'Sign Out' });
    expect(screen.queryByRole('menuitem', { name: 'View Profile' })).toBeNull();
  });
});

describe('its API keys', () => {
  async function openKeys(server: FakeServer) {
    const page = await openProfile(server);
    expect(page.dialog.queryByRole('textbox', { name: 'Key name' })).toBeNull();
    await waitFor(() => expect(server.called('GET /auth/api-keys').length).toBeGreaterThan(0));
    await page.user.click(page.dialog.getByRole('button', { name: 'Show' }));
    return page;
  }

  test('are generated for the user by name, revealed, hidden again; others say why they cannot be', async () => {
    const server = new FakeServer();
    server.apiKeys = [anApiKey({ name: 'elsewhere' })];
    const { user, dialog } = await openKeys(server);
    const name = dialog.getByRole('textbox', { name: 'Key name' });
    const generate = dialog.getByRole('button', { name: 'Generate' });
    await user.type(name, '  ');
    expect(generate).toHaveProperty('disabled', true);
    await user.type(name, 'laptop');
    await user.click(generate);
    const full = (await dialog.findByText(/^qi_FULL/)).textContent;
    expect(server.called('POST /auth/api-keys').map(({ body }) => body)).toEqual([
      { name: 'laptop', scopes: ['read', 'write'], description: 'Generated for Me' },
    ]);
    expect(name).toHaveProperty('value', '');
    await user.click(dialog.getByRole('button', { name: 'Hide laptop' }));
    expect(dialog.getByText(maskKey(full))).toBeTruthy();
    const other = dialog.getByRole('button', { name: 'Reveal elsewhere' });
    expect(other.getAttribute('aria-disabled')).toBe('true');
    expect(document.getElementById(other.getAttribute('aria-describedby') ?? '')?.textContent).toContain(
      'Only keys made since this page was loaded',
    );
    await user.click(other);
    expect(dialog.getByText('qi_ABCDE••••••••WXYZ')).toBeTruthy();
    expect(dialog.getByRole('region', { name: 'List of API keys' }).className).toContain('max-h-64');
    await expectAccessible();
    await user.click(dialog.getByRole('button', { name: 'Hide' }));
    expect(dialog.queryByRole('textbox', { name: 'Key name' })).toBeNull();
  });

  test('are deleted after a question', async () => {
    const server = new FakeServer();
    server.apiKeys = [anApiKey({ name: 'old' })];
    const { user, dialog } = await openKeys(server);
    await user.click(await dialog.findByRole('button', { name: 'Delete old' }));
    const question = within(await screen.findByRole('alertdialog'));
    expect(
      question.getByText('Are you sure you want to delete this API key? This action cannot be undone.'),
    ).toBeTruthy();
    await user.click(question.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(dialog.queryByText('old')).toBeNull());
    expect(server.apiKeys).toEqual([]);
  });

  test('fail silently: it is only logged, without any secret', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const server = new FakeServer();
    server.apiKeys = [anApiKey({ id: 'key_d', name: 'stays' })];
    for (const call of ['POST /auth/api-keys', 'DELETE /auth/api-keys/key_d'])
      server.replies.set(call, () => refusal(500, 'INTERNAL_ERROR', 'access-1 leaked'));
    const { user, dialog } = await openKeys(server);
    await user.type(dialog.getByRole('textbox', { name: 'Key name' }), 'x{Enter}');
    await user.click(await dialog.findByRole('button', { name: 'Delete stays' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(dialog.getByText('stays')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
    const lines = log.mock.calls.flat().map(String);
    for (const what of ['generating an API key', 'deleting an API key'])
      expect(lines.some((line) => line.includes(`${what} failed: INTERNAL_ERROR (500)`))).toBe(true);
    expect(lines.join()).not.toContain('access-1');
  });

  test.each([
    ['qi_ABCDEFGHIJKLMNOP', 'qi_ABCDE••••••••MNOP'],
    ['qi_ABCDEFGHIJ', 'qi_ABCDE••••••••GHIJ'],
    ['qi_ABCDEFGHI', '••••••••••••'],
    ['short', '•••••'],
  ])('%s is masked as %s', (key, mask) => {
    expect(maskKey(key)).toBe(mask);
  });
});
