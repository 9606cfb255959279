// Without a network the app still opens, shows the cached list and says so. Changes made then are stored by
// the browser and sent once when the network is back.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createKey,
  createSignInLink,
  freePort,
  startProgram,
  temporaryFolder,
  type Program,
} from '#test/program/program.ts';
import {
  closeContext,
  hasChromium,
  killProfile,
  launchBrowser,
  launchProfile,
  openInbox,
  openInboxAt,
  rowOf,
  waitUntilLive,
  waitUntilWhole,
  WHY_NOT,
} from './browser.ts';
import { pushWithCurl } from './push.ts';
import { recordCalls } from './watch.ts';

const OFFLINE = /^You are offline\./;

/** The texts in the queue, as the server has them. */
async function contentsOf({ url }: Program, key: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/v1/tasks`, { headers: { 'x-api-key': key } });
  const { tasks } = (await answer.json()) as { tasks: { content: string }[] };
  return tasks.map(({ content }) => content);
}

async function acknowledge(page: Page, content: string): Promise<void> {
  await rowOf(page, content).hover();
  await rowOf(page, content).getByRole('button', { name: 'Acknowledge' }).click();
}

describe('without a network', () => {
  const folder = temporaryFolder('offline');
  const remote = temporaryFolder('offline-remote');
  let browser: Browser;
  let program: Program;
  let key: string;

  beforeAll(async () => {
    if (!hasChromium) return;
    browser = await launchBrowser();
    key = createKey(folder.path);
    program = await startProgram({ dataDir: folder.path });
    await pushWithCurl(program.url, key, 'there before and after');
  });
  beforeEach(({ skip }) => skip(!hasChromium, WHY_NOT));
  afterAll(async () => {
    await browser?.close();
    await program?.stop();
    folder.remove();
    remote.remove();
  });

  test('the app opens, says so, and shows the inbox again when the network is back', async () => {
    const page = await openInbox(browser, program, folder.path);
    await rowOf(page, 'there before and after').waitFor();
    // Kept whole: only then may the worker be active.
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    const stored = await page.evaluate<string[]>(`caches.keys()
      .then((names) => Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys()))))
      .then((lists) => lists.flat().map((request) => new URL(request.url).pathname))`);
    expect(stored).toContain('/index.html');
    expect(stored.filter((path) => path.startsWith('/api/'))).toEqual([]);

    await page.context().setOffline(true);
    await page.getByText(OFFLINE).waitFor();
    await page.reload();
    await page.getByText(OFFLINE).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.goto(`${program.url}/api-docs`);
    await page.getByRole('heading', { name: 'API Documentation' }).waitFor();
    // Not in the app: it must not say that there is no such page.
    await expect(page.goto(`${program.url}/docs`)).rejects.toThrow('ERR_');
    // The browser's own page comes after that.
    await page.waitForURL(/^chrome-error:/);
    await page.goto(`${program.url}/inbox`);
    await page.getByText(OFFLINE).waitFor();
    await page.getByText(/What you see is from \d\d:\d\d [AP]M\./).waitFor();
    await rowOf(page, 'there before and after').waitFor();

    await page.context().setOffline(false);
    await page.getByText(OFFLINE).waitFor({ state: 'hidden' });
    await rowOf(page, 'there before and after').waitFor();
    await page.context().close();
  });

  test('what is acknowledged then stays gone over a reload and in every tab, is told, and is sent once', async () => {
    // Not on this machine, as far as the browser knows: there the lack of a network says all.
    const port = await freePort();
    const away = `http://away.test:${port}`;
    const elsewhere = await startProgram({ dataDir: remote.path, port, env: { PUBLIC_URL: away } });
    const remoteKey = createKey(remote.path);
    const distant = await launchBrowser([
      '--host-resolver-rules=MAP away.test 127.0.0.1',
      `--unsafely-treat-insecure-origin-as-secure=${away}`,
    ]);
    for (const content of ['stays', 'first of two', 'second of two'])
      await pushWithCurl(elsewhere.url, remoteKey, content);
    const page = await openInboxAt(distant, createSignInLink(remote.path, away));
    const context = page.context();
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    const other = await context.newPage();
    await other.goto(`${away}/inbox`);
    for (const tab of [page, other]) await rowOf(tab, 'second of two').waitFor();
    const { calls } = recordCalls(context);

    await context.setOffline(true);
    for (const tab of [page, other]) await tab.getByText(OFFLINE).waitFor();
    for (const content of ['first of two', 'second of two']) await acknowledge(page, content);
    for (const tab of [page, other]) {
      await tab.getByText('2 changes are kept on this device').waitFor();
      await tab.reload();
      await tab.getByText('2 changes are kept on this device').waitFor();
      await rowOf(tab, 'stays').waitFor();
      expect(await rowOf(tab, 'of two').count()).toBe(0);
    }
    await page.keyboard.press('z');
    await rowOf(page, 'second of two').waitFor();
    for (const tab of [page, other]) await tab.getByText('1 change is kept on this device').waitFor();

    await context.setOffline(false);
    await page.getByText('1 change sent').waitFor();
    for (const tab of [page, other]) {
      await tab.getByText(/on this device/).waitFor({ state: 'hidden' });
      await rowOf(tab, 'second of two').waitFor();
      expect(await rowOf(tab, 'first of two').count()).toBe(0);
    }
    const changes = calls.filter(({ call }) => / \/tasks/.test(call) && !call.startsWith('GET '));
    expect(changes).toEqual([{ call: expect.stringMatching(/^DELETE/) as string, status: 200 }]);
    expect(await contentsOf(elsewhere, remoteKey)).toEqual(['second of two', 'stays']);
    await distant.close();
    await elsewhere.stop();
  });

  test('what was done in a browser that is then killed is sent once when it is started again', async () => {
    await pushWithCurl(program.url, key, 'done in a tunnel');
    const profile = temporaryFolder('profile');
    let [context, page] = await launchProfile(profile.path);
    await page.goto(createSignInLink(folder.path, program.url));
    await waitUntilLive(page);
    // Browsers take their time to write down a session, and closing them makes them do it.
    await context.close();

    [context, page] = await launchProfile(profile.path);
    await page.goto(`${program.url}/inbox`);
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    await rowOf(page, 'done in a tunnel').waitFor();
    await waitUntilWhole(page);
    await context.setOffline(true);
    await page.getByText(OFFLINE).waitFor();
    await acknowledge(page, 'done in a tunnel');
    await page.keyboard.press('c');
    await page.getByRole('dialog').getByLabel('Message').fill('written in a tunnel');
    await page.keyboard.press('Control+Enter');
    await rowOf(page, 'written in a tunnel').getByText('waits to be sent').waitFor({ state: 'attached' });
    await page.getByText('2 changes are kept on this device').waitFor();
    await killProfile(profile.path);
    expect(await contentsOf(program, key)).toContain('done in a tunnel');

    [context, page] = await launchProfile(profile.path);
    const { of } = recordCalls(context);
    await page.goto(`${program.url}/inbox`);
    await page.getByText('2 changes sent').waitFor();
    await rowOf(page, 'written in a tunnel').waitFor();
    expect(of('POST /tasks')).toEqual([201]);
    const now = await contentsOf(program, key);
    expect(now).not.toContain('done in a tunnel');
    expect(now.filter((content) => content === 'written in a tunnel')).toHaveLength(1);
    await context.close();
    profile.remove();
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

  test('the drawn landing page is seen before any code has come, but never by a signed-in user', async () => {
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
      await closeContext(context);
    }
  });
});
