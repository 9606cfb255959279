import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { live, session } from '../lib/services.ts';
import { FakeServer } from '../../test/fake-server.ts';
import { FakeSocket } from '../../test/fake-socket.ts';
import { aUser } from '../../test/tasks.ts';
import { watchForNewer } from './newer-version.ts';

const start = (version: string) => `/assets/start-${version}.js`;
const NOTICE = 'A newer version is here';

afterEach(() => {
  live.stop();
  for (const script of document.querySelectorAll('script')) script.remove();
});

test('a page that is older than the server says so once after the connection was away, with a way to reload', async () => {
  let version = 'old-1';
  let status = 200;
  let asked = 0;
  const server = new FakeServer();
  const page = () => {
    asked += 1;
    return new Response(`<script type="module" src="${start(version)}"></script>`, { status });
  };
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
    url === '/index.html' ? Promise.resolve(page()) : server.fetch(url, init),
  );
  const script = Object.assign(document.createElement('script'), { type: 'module' });
  script.setAttribute('src', start(version));
  document.head.append(script);
  session.storeTokens({ accessToken: 'a', refreshToken: 'r' }, aUser);
  watchForNewer();
  live.start();
  await waitFor(() => FakeSocket.latest);
  const connect = async (now: string) => {
    version = now;
    const before = asked;
    FakeSocket.latest.hello();
    await waitFor(() => expect(asked).toBe(before + 1));
  };

  const link = Object.assign(document.createElement('a'), { href: '/admin' });
  document.body.append(link);
  const follow = vi.fn<(event: Event) => void>((event) => event.preventDefault());
  link.addEventListener('click', follow);

  await connect('old-1');
  expect(screen.queryByText(NOTICE)).toBeNull();
  link.click();
  expect(follow).toHaveBeenCalledTimes(1);
  await connect('new_2');
  await screen.findByText(NOTICE);
  expect(await screen.findByRole('button', { name: 'Reload' })).toBeTruthy();
  screen.getByLabelText('Dismiss').click();
  await waitFor(() => expect(screen.queryByText(NOTICE)).toBeNull());
  await connect('new_2');
  expect(screen.queryByText(NOTICE)).toBeNull();
  // Its page may need code that the server has no more: the browser loads it.
  const loads = vi.fn<(event: Event) => void>((event) => event.preventDefault());
  window.addEventListener('click', loads, { capture: true, once: true });
  link.click();
  expect(loads).toHaveBeenCalledTimes(1);
  expect(follow).toHaveBeenCalledTimes(1);
  // This page has its code, and another site is none of its pages.
  for (const href of [`${location.pathname}?q=x`, 'https://elsewhere.example/admin']) {
    link.href = href;
    link.click();
  }
  expect(follow).toHaveBeenCalledTimes(3);
  link.remove();
  // The server went back to the version of this page; then a proxy answers with a page of an error.
  await connect('old-1');
  status = 502;
  await connect('proxy');
  await new Promise((done) => setTimeout(done, 50));
  expect(screen.queryByText(NOTICE)).toBeNull();
});
