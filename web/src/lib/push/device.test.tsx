// Turning push on where the browser never answers, or allows no service worker: it ends, and says what to do.
import { screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { FakeServer } from '../../../test/fake-server.ts';
import { removePushBrowser, stubPushBrowser } from '../../../test/push.ts';
import { open } from '../../../test/screen.tsx';
import { readPushEntry } from './entry.ts';

afterEach(() => {
  vi.useRealTimers();
  removePushBrowser();
});

const never = () => new Promise<never>(() => undefined);
const refuse = (name: string) => () => Promise.reject(new DOMException('no', name));
const none = () => Promise.resolve(undefined);

async function turnOn() {
  const server = new FakeServer();
  const { user } = open('/admin/notifications', { server });
  const card = within(await screen.findByRole('region', { name: 'Push on this device' }));
  await user.click(card.getByRole('button', { name: 'Turn on' }));
  return { server, user, card };
}

test.each<[string, () => Promise<unknown>, string]>([
  [
    'the question of the browser',
    () => Promise.resolve(Object.assign(Notification, { requestPermission: never })),
    'got no answer',
  ],
  ['the push service', pushManager((manager) => (manager.subscribe = never)), 'reach its push service'],
  ['the look for a subscription', pushManager((m) => (m.getSubscription = never)), 'reach its push service'],
  ['the worker', () => Promise.resolve(worker({ getRegistration: never })), 'did not start'],
])('%s that never answers', async (_what, prepare, text) => {
  stubPushBrowser();
  await prepare();
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { card, server } = await turnOn();
  expect(await card.findByRole('button', { name: 'Turning on…' })).toHaveProperty('disabled', true);
  await vi.advanceTimersByTimeAsync(61_000);
  expect((await card.findByRole('alert')).textContent).toContain(text);
  expect(card.getByRole('button', { name: 'Turn on' })).toHaveProperty('disabled', false);
  expect([server.called('POST /push/devices'), readPushEntry()]).toEqual([[], null]);
});

test.each([
  ['blocks site data', { getRegistration: refuse('SecurityError') }, 'keep cookies and site data'],
  ['refuses the worker', { getRegistration: none, register: refuse('SecurityError') }, 'keep cookies'],
  ['cannot load the worker', { getRegistration: none, register: refuse('TypeError') }, 'did not start'],
])('a browser that %s says so at once', async (_what, parts, text) => {
  stubPushBrowser();
  worker(parts);
  const { card } = await turnOn();
  expect((await card.findByRole('alert')).textContent).toContain(text);
});

function pushManager(change: (manager: { subscribe: unknown; getSubscription: unknown }) => void) {
  return async () => change((await navigator.serviceWorker.ready).pushManager);
}

function worker(parts: object): object {
  return Object.assign(navigator.serviceWorker, parts);
}
