// The users of the server: invited, given another link, shut out and let in, made administrators.
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import { expectAccessible, open } from '../../../test/screen.tsx';
import { aUser } from '../../../test/tasks.ts';

const admin = { ...aUser, is_admin: true };
const ann = {
  ...aUser,
  id: 'user_ann',
  email: 'ann@example.com',
  name: 'Ann',
  last_login: '2026-11-20T08:05:00',
};

async function openUsers(server = new FakeServer()) {
  server.users = [admin, ann];
  const page = open('/admin/users', { server, as: admin });
  const list = within(await screen.findByRole('list', { name: 'Users' }));
  const row = (email: string) => within(list.getByText(email).closest('li') as HTMLElement);
  async function choose(email: string, action: string) {
    await page.user.click(row(email).getByRole('button', { name: `Actions for ${email}` }));
    await page.user.click(await screen.findByRole('menuitem', { name: action }));
  }
  return { ...page, server, list, row, choose };
}

describe('the users', () => {
  test('are listed with name, rights and last sign-in, oneself marked, and pass axe', async () => {
    const { list } = await openUsers();
    expect(screen.getByRole('heading', { level: 1, name: 'Users' })).toBeTruthy();
    expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'me@example.comYouAdministratorMeNever signed in',
      'ann@example.comAnnLast sign-in Nov 20, 2026, 08:05 AM',
    ]);
    await expectAccessible();
  });

  test('are invited by address: the link is shown once, with the address of this page and its end', async () => {
    const { server, user, list } = await openUsers();
    await user.type(screen.getByRole('textbox', { name: 'E-mail address' }), 'bob@example.com{Enter}');
    const panel = within(await screen.findByRole('region', { name: 'Sign-in link' }));
    expect(server.called('POST /admin/users')[0]?.body).toEqual({ email: 'bob@example.com' });
    const url = `${location.origin}/inbox#signin=TOKEN`;
    expect(panel.getByText(url)).toBeTruthy();
    expect(panel.getByText(/Hand this link to/).textContent).toContain('until Nov 21, 2026, 09:15 AM');
    expect(panel.getByText(/this machine only/).textContent).toContain('PUBLIC_URL');
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await user.click(panel.getByRole('button', { name: 'Copy sign-in link' }));
    expect(copied).toHaveBeenCalledWith(url);
    expect(list.getByText('bob@example.com')).toBeTruthy();
    await expectAccessible();
    await user.click(panel.getByRole('button', { name: 'I have handed it on' }));
    expect(screen.queryByText(url)).toBeNull();
  });

  test('who are there already are not invited again, and the reason is shown', async () => {
    const { server, user } = await openUsers();
    server.replies.set('POST /admin/users', () => refusal(409, 'CONFLICT', 'There is a user already.'));
    await user.type(screen.getByRole('textbox', { name: 'E-mail address' }), 'ann@example.com{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('There is a user already.');
  });

  test('are found by address and name where there are many', async () => {
    const server = new FakeServer();
    server.users = [
      admin,
      ...Array.from({ length: 10 }, (_, index) => ({
        ...ann,
        id: `u${index}`,
        email: `u${index}@example.com`,
      })),
    ];
    const { user } = open('/admin/users', { server, as: admin });
    await user.type(await screen.findByRole('searchbox', { name: 'Find a user' }), 'ann u7');
    const list = screen.getByRole('list', { name: 'Users' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(1);
    expect(list.textContent).toContain('u7@example.com');
  });

  test('get another link', async () => {
    const { choose, server } = await openUsers();
    await choose('ann@example.com', 'New sign-in link');
    const panel = await screen.findByRole('region', { name: 'Sign-in link' });
    expect(panel.textContent).toContain('Hand this link to ann@example.com');
    expect(server.called('POST /admin/users/user_ann/link')).toHaveLength(1);
  });

  test.each([
    ['Disable', 'Disable: ann@example.com', { is_active: false }, 'Disabled'],
    ['Make administrator', 'Make administrator: ann@example.com', { is_admin: true }, 'Administrator'],
  ])('are asked about before "%s"', async (action, title, body, mark) => {
    const { choose, server, user, row } = await openUsers();
    await choose('ann@example.com', action);
    const question = within(await screen.findByRole('alertdialog', { name: title }));
    expect(server.called('PATCH /admin/users/user_ann')).toEqual([]);
    await expectAccessible();
    await user.click(question.getByRole('button', { name: action }));
    await waitFor(() => expect(row('ann@example.com').getByText(mark)).toBeTruthy());
    expect(server.called('PATCH /admin/users/user_ann')[0]?.body).toEqual(body);
  });

  test('who are disabled are enabled without a question, and get no link before', async () => {
    const { server, user, choose, row } = await openUsers();
    await choose('ann@example.com', 'Disable');
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Disable' }));
    await row('ann@example.com').findByText('Disabled');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    await user.click(row('ann@example.com').getByRole('button', { name: /^Actions/ }));
    expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual([
      'Make administrator',
      'Enable',
    ]);
    await user.click(screen.getByRole('menuitem', { name: 'Enable' }));
    await waitFor(() => expect(row('ann@example.com').queryByText('Disabled')).toBeNull());
    expect(server.called('PATCH /admin/users/user_ann').at(-1)?.body).toEqual({ is_active: true });
  });

  test('cannot lock themselves out', async () => {
    const { user, row } = await openUsers();
    await user.click(row('me@example.com').getByRole('button', { name: /^Actions/ }));
    expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual([
      'New sign-in link',
    ]);
    expect(screen.getByRole('menu').closest('main')).not.toBeNull();
  });

  test('are for administrators only', async () => {
    const { server } = open('/admin/users');
    expect(await screen.findByRole('heading', { name: 'Admin Access Required' })).toBeTruthy();
    expect(server.called('GET /admin/users')).toEqual([]);
  });
});
