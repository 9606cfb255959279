// Without a network the app still opens and says so; with one again, the inbox is back. What the server said is never kept.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKey, startProgram, temporaryFolder, type Program } from '#test/program/program.ts';
import { hasChromium, launchBrowser, openInbox, rowOf, WHY_NOT } from './browser.ts';
import { pushWithCurl } from './push.ts';

const OFFLINE = /^You are offline\./;

describe('without a network', () => {
  const folder = temporaryFolder('offline');
  let browser: Browser;
  let program: Program;

  beforeAll(async () => {
    if (!hasChromium) return;
    browser = await launchBrowser();
    const key = createKey(folder.path);
    program = await startProgram({ dataDir: folder.path });
    await pushWithCurl(program.url, key, 'there before and after');
  });
  beforeEach(({ skip }) => skip(!hasChromium, WHY_NOT));
  afterAll(async () => {
    await browser?.close();
    await program?.stop();
    folder.remove();
  });

  test('the app opens, says so, and shows the inbox again when the network is back', async () => {
    const page = await openInbox(browser, program, folder.path);
    await rowOf(page, 'there before and after').waitFor();
    // Kept whole: only then may the worker be active.
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    const kept = await page.evaluate<string[]>(`caches.keys()
      .then((names) => Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys()))))
      .then((lists) => lists.flat().map((request) => new URL(request.url).pathname))`);
    expect(kept).toContain('/index.html');
    expect(kept.filter((path) => path.startsWith('/api/'))).toEqual([]);

    await page.context().setOffline(true);
    await page.getByText(OFFLINE).waitFor();
    await page.reload();
    await page.getByText(OFFLINE).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.goto(`${program.url}/api-docs`);
    await page.getByRole('heading', { name: 'API Documentation' }).waitFor();
    await page.goto(`${program.url}/inbox`);
    await page.getByText(OFFLINE).waitFor();
    expect(await rowOf(page, 'there before and after').count()).toBe(0);

    await page.context().setOffline(false);
    await rowOf(page, 'there before and after').waitFor();
    expect(await page.getByText(OFFLINE).count()).toBe(0);
    await page.context().close();
  });

  test('what decides on versions is asked for anew each time; the landing page comes drawn, without a style in it', async () => {
    for (const path of ['/sw.js', '/', '/inbox', '/manifest.webmanifest']) {
      const answer = await fetch(program.url + path, { headers: { accept: 'text/html' } });
      expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 200, 'no-cache']);
    }
    const manifest = await fetch(`${program.url}/manifest.webmanifest`);
    expect(manifest.headers.get('content-type')).toContain('application/manifest+json');
    const landing = await (await fetch(program.url)).text();
    expect(landing).toMatch(/<h1[^>]*>Focus on today<\/h1>/);
    expect(landing).not.toContain(' style=');
  });

  test('the drawn landing page is seen before any code has come, but never by whoever is signed in', async () => {
    for (const [entry, state] of [
      ['qinbox.density', 'visible'],
      ['accessToken', 'hidden'],
    ] as const) {
      const context = await browser.newContext({ serviceWorkers: 'block' });
      await context.addInitScript(`localStorage.setItem('${entry}', 'any')`);
      const page = await context.newPage();
      await page.route('**/assets/*.js', () => undefined);
      await page.goto(program.url, { waitUntil: 'commit' });
      const title = page.getByRole('heading', { level: 1, name: 'Focus on today', includeHidden: true });
      await title.waitFor({ state: 'attached' });
      await title.waitFor({ state });
      expect([entry, await title.isVisible()]).toEqual([entry, state === 'visible']);
      await context.close();
    }
  });
});
