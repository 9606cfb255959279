import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import { expectAccessible, open } from '../../../test/screen.tsx';
import { aUser } from '../../../test/tasks.ts';

const SIGNED_IN = { success: true, user: aUser, tokens: { accessToken: 'a', refreshToken: 'r' } };

async function openForm() {
  const server = new FakeServer();
  server.emailSignIn = true;
  const page = open('/admin', { server, signedIn: false, publicQueue: true });
  window.dispatchEvent(new Event('auth:required'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Sign In to Qinbox' }));
  await page.user.click(dialog.getByRole('tab', { name: 'Email' }));
  const email = await dialog.findByRole('textbox', { name: 'Email address' });
  return { ...page, server, dialog, email, password: dialog.getByLabelText('Password') };
}

describe('the e-mail form, where it is switched on', () => {
  test('needs e-mail and password, signs in, stores the session and closes', async () => {
    const { server, user, dialog, email, password } = await openForm();
    server.replies.set('POST /auth/login', () => ({ status: 200, body: SIGNED_IN }));
    await expectAccessible();
    const submit = dialog.getByRole('button', { name: 'Sign In' });
    expect(submit).toHaveProperty('disabled', true);
    await user.type(email, 'me@example.com');
    await user.type(password, '  ');
    await user.click(submit);
    expect((await dialog.findByRole('alert')).textContent).toContain('Email and password are required');
    await user.clear(password);
    await user.type(password, 'secret-8');
    await user.click(submit);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.called('POST /auth/login').map(({ body }) => body)).toEqual([
      { email: 'me@example.com', password: 'secret-8' },
    ]);
    expect(localStorage.getItem('accessToken')).toBe('a');
    expect(location.pathname).toBe('/admin');
  });

  test('signs up with a name and tells how long a password must be', async () => {
    const { server, user, dialog, email, password } = await openForm();
    server.replies.set('POST /auth/signup', () => ({ status: 201, body: SIGNED_IN }));
    await user.click(dialog.getByRole('button', { name: 'Make an account' }));
    expect(dialog.getByText('Password must be at least 8 characters long.')).toBeTruthy();
    const submit = dialog.getByRole('button', { name: 'Sign Up' });
    await user.type(email, 'me@example.com');
    await user.type(password, 'secret-8');
    expect(submit).toHaveProperty('disabled', true);
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), ' ');
    await user.click(submit);
    expect((await dialog.findByRole('alert')).textContent).toContain('Name is required for sign up');
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Me');
    await user.click(submit);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.called('POST /auth/signup').map(({ body }) => body)).toEqual([
      { name: 'Me', email: 'me@example.com', password: 'secret-8' },
    ]);
  });

  test.each([
    ['Sign In', { status: 500, body: {} }, 'Login failed'],
    ['Sign In', { status: 200, body: { user: aUser } }, 'Login failed'],
    ['Sign In', refusal(401, 'UNAUTHORIZED', 'Wrong password.'), 'Wrong password.'],
    ['Sign Up', { status: 500, body: {} }, 'Signup failed'],
  ])('%s that is answered %j says "%s"', async (button, reply, message) => {
    const { server, user, dialog, email, password } = await openForm();
    server.replies.set(button === 'Sign Up' ? 'POST /auth/signup' : 'POST /auth/login', () => reply);
    if (button === 'Sign Up') {
      await user.click(dialog.getByRole('button', { name: 'Make an account' }));
      await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Me');
    }
    await user.type(email, 'me@example.com');
    await user.type(password, 'secret-8');
    await user.click(dialog.getByRole('button', { name: button }));
    expect((await dialog.findByRole('alert')).textContent).toContain(message);
    expect(localStorage.getItem('accessToken')).toBeNull();
  });

  test('locks everything while it is busy, and cannot be closed', async () => {
    const { server, user, dialog, email, password } = await openForm();
    let answer: (reply: { status: number }) => void = () => undefined;
    server.replies.set('POST /auth/login', () => new Promise((resolve) => (answer = resolve)));
    await user.type(email, 'me@example.com');
    await user.type(password, 'secret-8{Enter}');
    for (const control of [email, password, ...dialog.getAllByRole('tab')])
      expect(control.matches(':disabled, [aria-disabled=true]')).toBe(true);
    for (const name of ['Cancel', 'Close', 'One moment…'])
      expect(dialog.getByRole('button', { name })).toHaveProperty('disabled', true);
    await user.keyboard('{Escape}');
    expect(screen.getByRole('dialog', { name: 'Sign In to Qinbox' })).toBeTruthy();
    answer({ status: 500 });
    await dialog.findByRole('alert');
  });
});
