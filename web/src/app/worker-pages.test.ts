import { describe, expect, test } from 'vitest';
import { startWorker } from '../../test/worker.ts';

describe('a page that is opened', () => {
  test('comes from the network while there is one', async () => {
    const answer = Promise.resolve(new Response('fresh'));
    expect(await startWorker().open('/inbox', answer)).toBe('fresh');
  });

  test.each([
    ['Chromium and WebKit', () => Promise.reject(new TypeError('no network'))],
    ['Firefox', () => Promise.resolve(Response.error())],
  ])('is the kept one where the request fails as %s says it', async (_, failed) => {
    expect(await startWorker().open('/inbox', failed())).toBe('cached /index.html');
  });

  test('is no page of the documents, which the app cannot stand in for', async () => {
    const opened = startWorker().open('/docs/inbox', Promise.resolve(Response.error()));
    await expect(opened).rejects.toThrow('There is no network');
  });
});

test('a tab that is open over many versions leaves no caches of those between', async () => {
  const caches = new Set(['another-program', 'qinbox-shell-in-use', 'qinbox-shell-1', 'qinbox-shell-2']);
  const worker = startWorker([], undefined, caches);
  await worker.install();
  expect([...caches]).toEqual(['another-program', 'qinbox-shell-in-use', 'qinbox-shell-none']);
  await worker.activate();
  expect([...caches]).toEqual(['another-program', 'qinbox-shell-none']);
});
