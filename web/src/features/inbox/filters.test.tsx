// The filter and the address: what links, Back and Forward make of the list.
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { FakeServer } from '../../../test/fake-server.ts';
import { open, wholeInbox } from '../../../test/screen.tsx';
import { aTask } from '../../../test/tasks.ts';

const rows = () => screen.queryAllByRole('article').map(({ dataset }) => dataset['task']);
const field = () => screen.getByRole('combobox', { name: 'Search' });
/** Longer than typing waits to filter. */
const LATER_MS = 1000;

afterEach(() => void vi.useRealTimers());

test('the link to the inbox shows all of it, and Back shows the filtered list again', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const server = new FakeServer();
  server.tasks = ['alpha', 'beta'].map((content) => aTask({ id: content, content }));
  const { user } = open('/inbox?q=alpha&order=priority', { server });
  await wholeInbox();
  await waitFor(() => expect(rows()).toEqual(['alpha']));
  await user.click(screen.getByRole('link', { name: 'Inbox' }));
  await waitFor(() => expect(rows()).toEqual(['alpha', 'beta']));
  await act(() => vi.advanceTimersByTimeAsync(LATER_MS));
  expect([rows(), window.location.search]).toEqual([['alpha', 'beta'], '']);
  expect(field()).toHaveProperty('value', '');
  act(() => history.back());
  await waitFor(() => expect(rows()).toEqual(['alpha']));
  await act(() => vi.advanceTimersByTimeAsync(LATER_MS));
  expect([rows(), window.location.search]).toEqual([['alpha'], '?q=alpha&order=priority']);
  expect(field()).toHaveProperty('value', 'alpha');
});

test('a key right after Enter acts on what was searched for', async () => {
  const server = new FakeServer();
  server.tasks = ['alpha', 'beta', 'gamma'].map((content) => aTask({ id: content, content }));
  const { user } = open('/inbox', { server });
  await wholeInbox();
  await waitFor(() => expect(rows()).toHaveLength(3));
  await user.keyboard('/beta{Enter}e');
  await waitFor(() => expect(server.tasks.map(({ id }) => id)).toEqual(['alpha', 'gamma']));
});

test('the field keeps the focus when the row that had it before is not among what is found', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const server = new FakeServer();
  server.tasks = ['alpha', 'beta', 'gamma'].map((content) => aTask({ id: content, content }));
  const { user } = open('/inbox', { server });
  await wholeInbox();
  await waitFor(() => expect(rows()).toHaveLength(3));
  await user.keyboard('j/be');
  await act(() => vi.advanceTimersByTimeAsync(LATER_MS));
  await waitFor(() => expect(rows()).toEqual(['beta']));
  expect(document.activeElement).toBe(field());
  // Nor does it lose it when that row comes back.
  await user.keyboard('{Backspace}{Backspace}');
  await act(() => vi.advanceTimersByTimeAsync(LATER_MS));
  await waitFor(() => expect(rows()).toHaveLength(3));
  expect(document.activeElement).toBe(field());
  await user.keyboard('beta');
  expect(field()).toHaveProperty('value', 'beta');
  expect(server.tasks).toHaveLength(3);
});

test('the Enter that ends a composition in Safari stays in the field', async () => {
  const server = new FakeServer();
  server.tasks = [aTask({ id: 'alpha', content: 'alpha' })];
  const { user } = open('/inbox', { server });
  await wholeInbox();
  await user.keyboard('/alpha');
  fireEvent.keyDown(field(), { key: 'Enter', keyCode: 229, isComposing: false });
  fireEvent.keyDown(field(), { key: 'Escape', keyCode: 229, isComposing: false });
  expect(document.activeElement).toBe(field());
  expect(field()).toHaveProperty('value', 'alpha');
});

test('a row that takes the place of the one with the focus gets it', async () => {
  const server = new FakeServer();
  server.tasks = ['alpha', 'beta', 'gamma'].map((content) => aTask({ id: content, content }));
  const { user } = open('/inbox', { server });
  await wholeInbox();
  await waitFor(() => expect(rows()).toHaveLength(3));
  await user.keyboard('j');
  server.tasks = server.tasks.slice(1);
  await user.keyboard('.');
  await waitFor(() => expect(rows()).toEqual(['beta', 'gamma']));
  expect(document.activeElement).toBe(screen.getByRole('article', { name: /beta/ }));
});
