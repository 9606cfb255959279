// A session in a real browser on the real program: how it is renewed, how it ends, and what is left after it.
import { decodeJwt } from 'jose';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createJwtAccessTokens } from '#adapters/jwt/access-tokens.ts';
import {
  createKey,
  createSignInLink,
  runCommand,
  startProgram,
  temporaryFolder,
  type Program,
} from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import {
  closeContext,
  hasChromium,
  launchBrowser,
  rowOf,
  waitUntilLive,
  waitUntilWhole,
  WHY_NOT,
} from './browser.ts';
import { pushWithCurl } from './push.ts';
import {
  authEvents,
  holdUntilTogether,
  recordAuthEvents,
  recordCalls,
  storedSession,
  storeEntries,
} from './watch.ts';

const SECRET = 'a secret of this test and of nothing else';
/** "Within seconds", below the 30 s after which the inbox asks by itself. */
const SECONDS_MS = 20_000;

describe('a session', () => {
  const folder = temporaryFolder('session');
  let browser: Browser;
  let program: Program;
  let key: string;
  let context: BrowserContext;

  beforeAll(async () => {
    if (!hasChromium) return;
    browser = await launchBrowser();
    key = createKey(folder.path);
    program = await startProgram({
      dataDir: folder.path,
      env: { JWT_SECRET: SECRET, RATE_LIMIT_PER_MINUTE: '10000', RATE_LIMIT_PER_HOUR: '10000' },
    });
    await pushWithCurl(program.url, key, 'there from the start');
  });
  beforeEach(({ skip }) => skip(!hasChromium, WHY_NOT));
  afterEach(() => context && closeContext(context));
  afterAll(async () => {
    await browser?.close();
    await program?.stop();
    folder.remove();
  });

  /** A browser profile of its own. */
  async function newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    context.setDefaultTimeout(SECONDS_MS);
    await recordAuthEvents(context);
    return context;
  }

  async function signIn(): Promise<Page> {
    const page = await (await newContext()).newPage();
    await page.goto(createSignInLink(folder.path, program.url));
    await waitUntilLive(page);
    await rowOf(page, 'there from the start').waitFor();
    return page;
  }

  /** The whole inbox is there, and has fetched the list for itself: for a while it asks for no more. */
  async function untilFetched(page: Page): Promise<void> {
    await waitUntilWhole(page);
    let before = 1;
    await waitFor('the list to be fetched', async () => {
      await page.waitForTimeout(500);
      const fetched = await page.evaluate<number>(
        `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/tasks?')).length`,
      );
      const isQuiet = fetched === before;
      before = Math.max(2, fetched);
      return isQuiet;
    });
  }

  /** The page's access token as it would be when its time is over: ours, well formed, of the same session. */
  async function expiredToken(page: Page): Promise<string> {
    const { sub = '', sid } = decodeJwt<{ sid: string }>((await storedSession(page)).accessToken ?? '');
    const now = Date.now();
    return createJwtAccessTokens([SECRET]).sign({
      userId: sub,
      sessionId: sid,
      issuedAt: now - 20 * 60_000,
      expiresAt: now - 5 * 60_000,
    });
  }

  // Behind an open dialog it is hidden from assistive technology, and there all the same.
  const signInButton = (page: Page) =>
    page.locator('header').getByRole('button', { name: 'Sign In', includeHidden: true });
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Sign In to Qinbox' });

  async function pressPin(page: Page): Promise<void> {
    await page.keyboard.press('j');
    await page.keyboard.press('p');
  }

  /** The files that a page names, and their bytes as gzip. */
  async function filesOf(screen: string) {
    const html = await (await fetch(program.url + screen)).text();
    const named = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((match) => match[1] as string);
    const sizes = { js: 0, css: 0 };
    for (const path of named) {
      const { headers } = await fetch(program.url + path, { headers: { 'accept-encoding': 'gzip' } });
      sizes[path.endsWith('.css') ? 'css' : 'js'] += Number(headers.get('content-length'));
    }
    return { html, named, sizes };
  }

  test.each([
    ['/', 'Focus on today'],
    ['/api-docs', 'API Documentation'],
    ['/inbox', 'Today'],
  ])(
    'opens %s with its text drawn, and with at most 110 kB of code and 15 kB of styles',
    async (path, text) => {
      const { html, sizes } = await filesOf(path);
      expect(html).toMatch(new RegExp(`<h1[^>]*>${text}</h1>`));
      expect(sizes.js).toBeGreaterThan(50_000);
      expect(sizes.js).toBeLessThanOrEqual(110_000);
      expect(sizes.css).toBeLessThanOrEqual(15_000);
    },
  );

  test('shows the first list by the code that the page of the inbox names, and does what is pressed then once it can', async () => {
    const { named } = await filesOf('/inbox');
    const pinned = async () => {
      const answer = await fetch(`${program.url}/api/v1/tasks`, { headers: { 'x-api-key': key } });
      const { statistics } = (await answer.json()) as { statistics: { pinned: number } };
      return statistics.pinned;
    };
    const page = await (await newContext()).newPage();
    const rest = Promise.withResolvers<void>();
    await page.route('**/assets/*', async (route) => {
      if (!named.includes(new URL(route.request().url()).pathname)) await rest.promise;
      await route.continue();
    });
    await page.goto(createSignInLink(folder.path, program.url));
    const row = rowOf(page, 'there from the start');
    await row.hover();
    await row.getByRole('button', { name: /^Pin/ }).click();
    expect(await page.getByRole('group', { name: 'List' }).count()).toBe(0);
    rest.resolve();
    await row.getByRole('button', { name: /^Unpin/ }).waitFor({ state: 'attached' });
    await waitFor('it to be pinned', async () => (await pinned()) === 1);
    await page.keyboard.press('z');
    await row.getByRole('button', { name: /^Pin/ }).waitFor({ state: 'attached' });
    await waitFor('it to be unpinned', async () => (await pinned()) === 0);
  });

  test('shows the first list before it fetches the code of the app, which takes over without a change', async () => {
    const page = await signIn();
    await page.addInitScript(`globalThis.shifts = 0; new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shifts += value;
    }).observe({ type: 'layout-shift', buffered: true });`);
    const app = Promise.withResolvers<void>();
    await page.route('**/assets/start-*.js', async (route) => {
      await app.promise;
      await route.continue();
    });
    await page.goto(`${program.url}/inbox`);
    const row = rowOf(page, 'there from the start');
    await row.waitFor();
    expect(await page.locator('[data-still]').getByRole('article').count()).toBeGreaterThan(0);
    await row.getByRole('checkbox').focus();
    await page.keyboard.press('Space');
    await row.getByRole('button', { name: /^Pin/ }).focus();
    const textAt = await row.getByText('there from the start').boundingBox();

    app.resolve();
    await page.getByText('1 selected').waitFor();
    expect(await page.locator('[data-still]').count()).toBe(0);
    expect(await page.evaluate<string>('document.activeElement.ariaLabel')).toMatch(/^Pin/);
    expect(await row.getByRole('checkbox').isChecked()).toBe(true);
    expect(await row.getByText('there from the start').boundingBox()).toEqual(textAt);
    expect(await page.evaluate<number>('shifts')).toBeLessThan(0.01);
    await row.getByRole('checkbox').click();
  });

  test('shows the palette that was asked for before the code of the app was there', async () => {
    const page = await signIn();
    const app = Promise.withResolvers<void>();
    await page.route('**/assets/start-*.js', async (route) => {
      await app.promise;
      await route.continue();
    });
    await page.goto(`${program.url}/inbox`);
    await rowOf(page, 'there from the start').waitFor();
    await page.keyboard.press('Control+k');
    expect(await page.locator('[data-still]').count()).toBe(1);
    app.resolve();
    await page.getByRole('dialog').waitFor();
  });

  test.each(['/', '/api-docs'])('shows %s before it fetches code', async (path) => {
    const page = await (await newContext()).newPage();
    await page.goto(program.url + path);
    await page.locator('[data-still]').waitFor({ state: 'detached' });
    const [seen, fetched] = await page.evaluate<[number, number]>(`[
      performance.getEntriesByName('first-contentful-paint')[0].startTime,
      Math.min(...performance.getEntriesByType('resource')
        .filter(({ name }) => name.includes('/assets/') && name.endsWith('.js'))
        .map(({ startTime }) => startTime)),
    ]`);
    expect(seen).toBeGreaterThan(0);
    expect(fetched).toBeGreaterThan(seen);
  });

  test('runs in a tab that is not seen, which draws no frame', async () => {
    const page = await (await newContext()).newPage();
    await page.addInitScript(`globalThis.PerformanceObserver = class { observe() {} };
      Object.defineProperty(document, 'hidden', { value: true });`);
    await page.goto(program.url);
    await page.locator('[data-still]').waitFor({ state: 'detached' });
    expect(await page.getByRole('heading', { level: 1, name: 'Focus on today' }).count()).toBe(1);
  });

  test('waits for no first text of a page that came drawn for strangers', async () => {
    const page = await (await newContext()).newPage();
    await page.addInitScript(`localStorage.setItem('apiKey', '${key}');
      const timer = setTimeout;
      globalThis.setTimeout = (run, ms, ...rest) => (ms === 1000 ? 0 : timer(run, ms, ...rest));`);
    await page.goto(program.url);
    await rowOf(page, 'there from the start').waitFor();
    expect(page.url()).toBe(`${program.url}/inbox`);
    await page.goto(`${program.url}/api-docs`);
    await page.getByRole('heading', { level: 1, name: 'API Documentation' }).waitFor();
  });

  test('begins also with a press on Sign In before any code of the page is there', async () => {
    const page = await (await newContext()).newPage();
    const code = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await code.promise;
      await route.continue();
    });
    await page.goto(program.url, { waitUntil: 'commit' });
    await page.locator('[data-still] header').getByRole('button', { name: 'Sign In' }).click();
    code.resolve();
    await page.getByRole('dialog', { name: 'Sign In to Qinbox' }).waitFor();
    expect(await page.locator('[data-still]').count()).toBe(0);
  });

  test.each([
    ['mouse', '/', 'Sign In'],
    ['mouse', '/', 'Intakes'],
    ['mouse', '/inbox', 'Intakes'],
    ['touch', '/', 'Sign In'],
    ['touch', '/', 'Intakes'],
  ])(
    'does once what a %s presses on %s, %s, also where the code comes before it is let go',
    async (kind, path, name) => {
      const page = await (await newContext({ hasTouch: true })).newPage();
      if (path === '/inbox') await page.addInitScript(`localStorage.setItem('apiKey', '${key}')`);
      const devtools = await page.context().newCDPSession(page);
      const code = Promise.withResolvers<void>();
      await page.route('**/assets/*.js', async (route) => {
        await code.promise;
        await route.continue();
      });
      await page.goto(program.url + path, { waitUntil: 'commit' });
      const control = page
        .locator('[data-still] header :is(a, button)')
        .filter({ hasText: name, visible: true })
        .first();
      const box = await control.boundingBox();
      if (box === null) throw new Error('not shown');
      const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      const touch = (type: 'touchStart' | 'touchEnd') =>
        devtools.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [point] });
      await page.mouse.move(point.x, point.y);
      await (kind === 'mouse' ? page.mouse.down() : touch('touchStart'));
      const visits = await page.evaluate<number>('history.length');
      code.resolve();
      await page.locator('[data-still]').waitFor({ state: 'detached' });
      await (kind === 'mouse' ? page.mouse.up() : touch('touchEnd'));
      if (name === 'Sign In') await page.getByRole('dialog', { name: 'Sign In to Qinbox' }).waitFor();
      else {
        await page.waitForURL(`${program.url}/admin/intakes`);
        expect(await page.evaluate<number>('history.length')).toBe(visits + 1);
      }
    },
  );

  test('is renewed once by a request that its expired token failed; that is replayed, and the page goes on', async () => {
    const page = await signIn();
    await untilFetched(page);
    const expired = await expiredToken(page);
    const before = await storedSession(page);
    await storeEntries(page, { accessToken: expired });
    const { calls, of } = recordCalls(page);

    await pressPin(page);
    await rowOf(page, 'there from the start')
      .getByRole('button', { name: 'Unpin' })
      .waitFor({ state: 'attached' });
    await waitFor('the replay', () => calls.length >= 3);
    const [first, second, third] = calls;
    expect(first).toEqual({ call: expect.stringMatching(/^PATCH .*\/pin$/) as string, status: 401 });
    expect(second).toEqual({ call: 'POST /auth/refresh', status: 200 });
    expect(third).toEqual({ call: first?.call, status: 200 });

    const after = await storedSession(page);
    expect(after.accessToken).not.toBe(expired);
    expect(after.refreshToken).not.toBe(before.refreshToken);
    expect(after.user).toBe(before.user);
    await page.keyboard.press('p');
    await rowOf(page, 'there from the start')
      .getByRole('button', { name: /^Pin:/ })
      .waitFor({ state: 'attached' });
    await waitFor('the second change', () => of(first?.call ?? '').length === 3);
    expect(of(first?.call ?? '')).toEqual([401, 200, 200]);
    await pushWithCurl(program.url, key, 'after the renewal');
    await rowOf(page, 'after the renewal').waitFor();
    expect(of('POST /auth/refresh')).toEqual([200]);
    expect(await authEvents(page)).toEqual([]);
  });

  test('is renewed once a tab, however many requests of however many tabs fail at the same time, and stays one session', async () => {
    const first = await signIn();
    // Away from the inbox first: what it still fetches would renew the session before the two tabs can.
    await first.goto(`${program.url}/api/v1/health`);
    const expired = await expiredToken(first);
    const second = await context.newPage();
    const { of } = recordCalls(context);
    await storeEntries(first, { accessToken: expired });
    // Profile, list and live ticket, in each of two tabs.
    await holdUntilTogether(context, expired, 6);
    await Promise.all([first, second].map((page) => page.goto(`${program.url}/inbox`)));
    for (const page of [first, second]) {
      await waitUntilLive(page);
      await rowOf(page, 'there from the start').waitFor();
      expect(await authEvents(page)).toEqual([]);
    }
    for (const call of ['GET /auth/profile', 'GET /tasks', 'POST /live/ticket'])
      expect(of(call).filter((status) => status === 401)).toHaveLength(2);
    // A tab may not see yet what the other one has just stored. It then sends the token of before, is
    // answered the same pair again, and nobody is signed out: once for each tab at most, however many
    // requests failed.
    const refreshes = of('POST /auth/refresh');
    expect(refreshes.length).toBeLessThanOrEqual(2);
    expect(new Set(refreshes)).toEqual(new Set([200]));
    expect((await storedSession(second)).refreshToken).toBe((await storedSession(first)).refreshToken);
  });

  test('that was revoked elsewhere ends at the one refresh that is refused: auth:expired, and nothing stays stored', async () => {
    const page = await signIn();
    const { accessToken = '' } = await storedSession(page);
    await page.goto('about:blank');
    const { status } = await fetch(`${program.url}/api/v1/auth/logout`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}` },
    });
    expect(status).toBe(200);

    const { of } = recordCalls(page);
    await page.goto(`${program.url}/inbox`);
    await signInButton(page).waitFor();
    await page.getByText('Your session has ended. Sign in to go on.').waitFor();
    expect(of('POST /auth/refresh')).toEqual([401]);
    expect(await authEvents(page)).toEqual(['auth:expired']);
    expect(await storedSession(page)).toEqual({});
  });

  test('whose refresh token is not valid ends likewise while the inbox is open', async () => {
    const page = await signIn();
    const { of } = recordCalls(page);
    await storeEntries(page, {
      accessToken: await expiredToken(page),
      refreshToken: 'qr_nobody.nothing',
      apiKey: 'qi_left-over',
    });
    await pressPin(page);
    await signInButton(page).waitFor();
    await page.getByText('Your session has ended. Sign in to go on.').waitFor();
    expect(of('POST /auth/refresh')).toEqual([401]);
    expect(await authEvents(page)).toEqual(['auth:expired']);
    expect(await storedSession(page)).toEqual({});
  });

  test('without a refresh token is asked to sign in again: auth:required, and nothing stays stored', async () => {
    const page = await signIn();
    const { of } = recordCalls(page);
    await storeEntries(page, { accessToken: await expiredToken(page), refreshToken: null });
    await pressPin(page);
    await dialog(page).waitFor();
    expect(of('POST /auth/refresh')).toEqual([]);
    expect(await authEvents(page)).toEqual(['auth:required']);
    expect(await storedSession(page)).toEqual({});
  });

  test('ends in every tab when one signs out, and at the server', async () => {
    const first = await signIn();
    const second = await context.newPage();
    await second.goto(`${program.url}/inbox`);
    await waitUntilLive(second);
    const { accessToken = '', refreshToken = '' } = await storedSession(first);
    const { of } = recordCalls(first);

    await first.getByRole('button', { name: /User menu/ }).click();
    await first.getByRole('menuitem', { name: 'Sign Out' }).click();
    await first.waitForURL(`${program.url}/`);
    await first.getByRole('link', { name: 'Open Inbox' }).first().waitFor();
    await signInButton(second).waitFor();
    expect(of('POST /auth/logout')).toEqual([200]);
    expect(await authEvents(first)).toEqual([]);
    expect(await storedSession(second)).toEqual({});

    const profile = await fetch(`${program.url}/api/v1/auth/profile`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    const renewed = await fetch(`${program.url}/api/v1/auth/refresh`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refreshToken }),
    });
    expect([profile.status, renewed.status]).toEqual([401, 401]);
  });

  test('by API key begins in the dialog, works the inbox, and ends within seconds when the key is revoked', async () => {
    const page = await (await newContext()).newPage();
    const own = createKey(folder.path);
    await page.goto(program.url);
    await signInButton(page).click();
    const field = dialog(page).getByRole('textbox', { name: 'API Key' });
    await field.fill('qi_mistyped');
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('alert').getByText('Authentication failed.').waitFor();
    expect(await storedSession(page)).toEqual({});

    await field.fill(`  ${own}  `);
    await dialog(page).getByRole('button', { name: 'Authenticate with API Key' }).click();
    await page.waitForURL(`${program.url}/inbox`);
    await waitUntilLive(page);
    const { user = '', ...entries } = await storedSession(page);
    expect(entries).toEqual({ apiKey: own });
    expect(JSON.parse(user)).toMatchObject({ id: 'api-user', type: 'integration', method: 'api_key' });
    await pushWithCurl(program.url, key, 'seen by key');
    await rowOf(page, 'seen by key').waitFor();
    expect(await authEvents(page)).toEqual([]);

    const keys = JSON.parse(runCommand(folder.path, ['key', 'list', '--json'])) as {
      id: string;
      last4: string;
    }[];
    const { id = '' } = keys.find(({ last4 }) => own.endsWith(last4)) ?? {};
    runCommand(folder.path, ['key', 'revoke', id]);
    await dialog(page).waitFor();
    await signInButton(page).waitFor();
    expect(await storedSession(page)).toEqual({});
    expect(await authEvents(page)).toEqual(['auth:required']);
  });
});
