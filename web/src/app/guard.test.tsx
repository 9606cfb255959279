import { act, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { FakeServer } from '../../test/fake-server.ts';
import { expectAccessible, open } from '../../test/screen.tsx';
import { aUser } from '../../test/tasks.ts';
import { session } from '../lib/services.ts';
import { Spinner } from '../ui/spinner.tsx';

describe('a page for administrators', () => {
  test('asks a guest to sign in, by raising auth:required', async () => {
    const { user } = open('/admin/system', { signedIn: false });
    expect(await screen.findByRole('heading', { name: 'Authentication Required' })).toBeTruthy();
    expect(screen.getByText('You need to be signed in to access this page.')).toBeTruthy();
    await expectAccessible();
    const raised: Event[] = [];
    window.addEventListener('auth:required', (event) => raised.push(event), { once: true });
    await user.click(screen.getAllByRole('button', { name: 'Sign In' }).at(-1) as HTMLElement);
    expect(raised).toHaveLength(1);
    expect(await screen.findByRole('dialog', { name: 'Sign In to Qinbox' })).toBeTruthy();
  });

  test('tells an API key which method it needs and which is used', async () => {
    const { server } = open('/admin/system', { signedIn: { apiKey: 'qi_1' } });
    expect(await screen.findByRole('heading', { name: 'Insufficient Authentication' })).toBeTruthy();
    expect(screen.getByText('This page requires a different authentication method.')).toBeTruthy();
    expect(screen.getAllByRole('term').map((each) => each.textContent)).toEqual(['Required', 'Current']);
    expect(screen.getAllByRole('definition').map((each) => each.textContent)).toEqual([
      'Google OAuth',
      'API key',
    ]);
    expect(server.called('GET /admin/overview')).toEqual([]);
    await expectAccessible();
  });

  test('tells anyone else that they need to be one, and asks the server for nothing', async () => {
    const { server } = open('/admin/system');
    expect(await screen.findByRole('heading', { name: 'Admin Access Required' })).toBeTruthy();
    expect(screen.getByText('You need administrator privileges to access this page.')).toBeTruthy();
    expect(server.called('GET /admin/overview')).toEqual([]);
    await expectAccessible();
  });

  test('opens for one, and shows a spinner until it is known who this is', async () => {
    act(() => session.setLoading(true));
    open('/admin/system', { server: new FakeServer(), as: { ...aUser, is_admin: true } });
    expect((await screen.findByText('Checking who you are')).parentElement?.dataset.size).toBe('large');
    expect(screen.queryByRole('heading', { name: 'System' })).toBeNull();
    act(() => session.setLoading(false));
    expect(await screen.findByRole('heading', { name: 'System' })).toBeTruthy();
  });
});

afterEach(() => act(() => session.setLoading(false)));

test('the spinner is small, medium or large', () => {
  render(
    <>
      <Spinner size="small" />
      <Spinner />
      <Spinner size="large" />
    </>,
  );
  expect(
    screen.getAllByRole('status').map((each) => each.querySelector('svg')?.getAttribute('width')),
  ).toEqual(['16', '24', '40']);
});

test('the settings do not ask who this is, not even while that is being found out', async () => {
  act(() => session.setLoading(true));
  open('/admin', { signedIn: false });
  expect(await screen.findByRole('heading', { name: 'Settings' })).toBeTruthy();
  await waitFor(() => expect(screen.queryByText('Checking who you are')).toBeNull());
});
