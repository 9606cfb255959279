// The documentation in a real browser: served as it was built, found one's way through, searched, copied, on
// a desk and on a phone, in both themes.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startProgram, temporaryFolder, type Program } from '#test/program/program.ts';
import { smallOn, violationsOn } from './accessibility.ts';
import { hasChromium, launchBrowser, WHY_NOT } from './browser.ts';

const folder = temporaryFolder('docs');
let program: Program;

beforeAll(async () => {
  program = await startProgram({ dataDir: folder.path });
});
afterAll(async () => {
  await program?.stop();
  folder.remove();
});

describe('the server', () => {
  const ask = (path: string, method = 'GET') =>
    fetch(program.url + path, { method, redirect: 'manual', headers: { accept: 'text/html' } });

  test('answers each page at one address, with the headers of pages', async () => {
    const page = await ask('/docs/errors');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(await page.text()).toContain('<h2 id="not_found">');
    const other = await ask('/docs/errors/');
    expect([other.status, other.headers.get('location')]).toEqual([301, '/docs/errors']);
    for (const path of ['/docs/errors.html', '/docs.html', '/docs/none', '/docs/../../package.json'])
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
    expect((await ask('/docs', 'DELETE')).status).toBe(405);
  });

  test('lets browsers store what is named by its content, and the search is fetched only when it is used', async () => {
    const html = await (await ask('/docs')).text();
    const named = [...html.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThanOrEqual(2);
    for (const path of named) {
      const { status, headers } = await ask(path);
      expect([path, status, headers.get('cache-control')]).toEqual([
        path,
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
    expect(named.filter((path) => path.endsWith('.json'))).toEqual([]);
  });
});

describe('the pages', () => {
  let browser: Browser;
  let context: BrowserContext;
  const complaints: string[] = [];

  beforeAll(async () => {
    if (hasChromium) browser = await launchBrowser();
  });
  beforeEach(({ skip }) => skip(!hasChromium, WHY_NOT));
  afterEach(async () => {
    await context?.close();
    // A policy that was not held to, or a script that failed.
    if (complaints.length > 0) throw new Error(complaints.splice(0).join('\n'));
  });
  afterAll(() => browser?.close());

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(program.url + path);
    return page;
  }
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const title = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();

  test('lead on: from the landing page to the list, to a page, to the next and to a place on it', async () => {
    const page = await open('/');
    await page.getByRole('link', { name: 'Docs', exact: true }).click();
    await page.waitForURL('**/docs');
    await page.getByRole('article').getByRole('link', { name: 'Getting started' }).click();
    await page.waitForURL('**/docs/getting-started');
    const here = page.getByRole('navigation', { name: 'Documentation' }).locator('[aria-current=page]');
    expect(await here.textContent()).toBe('Getting started');
    await page.getByRole('link', { name: 'Next Concepts' }).click();
    await page.waitForURL('**/docs/concepts');
    const toc = page.getByRole('navigation', { name: 'On this page' });
    await toc.getByRole('link', { name: 'Ways out' }).click();
    await page.waitForURL('**/docs/concepts#ways-out');
    await toc.locator('[aria-current=location]', { hasText: 'Ways out' }).waitFor();
    const inbox = page.getByRole('banner').getByRole('link', { name: 'Inbox', exact: true });
    expect(await inbox.getAttribute('href')).toBe('/inbox');
  });

  test('are searched by `/`, through all of them, with the arrow keys', async () => {
    const page = await open('/docs');
    await page.keyboard.press('/');
    const field = page.getByRole('combobox', { name: 'Search the documentation' });
    await field.fill('quiet hours');
    const options = page.getByRole('option');
    await options.filter({ hasText: 'Quiet hours, do not disturb' }).waitFor();
    expect(await options.first().getAttribute('aria-selected')).toBe('true');
    expect(await violationsOn(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/notifications#quiet-hours-do-not-disturb');
    await page.keyboard.press('Control+k');
    await field.fill('xylophone');
    await page.getByText('Nothing has all of these words: xylophone').waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'hidden' });
  });

  test('give code to copy, and of a session at a terminal what is typed', async () => {
    const page = await open('/docs/getting-started', { permissions: ['clipboard-read', 'clipboard-write'] });
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
    const block = page.locator('.code').first();
    await block.hover();
    await block.getByRole('button', { name: 'Copy this code' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await copied()).toBe('npm start');
    await page.goto(`${program.url}/docs/cli`);
    const session = page.locator('.code:has([data-language=console])', { hasText: 'qinbox login' });
    await session.hover();
    await session.getByRole('button').click();
    await session.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await copied()).toMatch(/^qinbox /);
    expect(await copied()).not.toContain('$ qinbox');
  });

  test('on a phone: a menu of all pages, what is on this one, and nothing too small for a finger', async () => {
    const page = await open('/docs/operations', phone);
    const pages = page.getByRole('navigation', { name: 'Documentation' });
    await page.getByRole('button', { name: 'All pages' }).tap();
    await pages.waitFor();
    // Headings are links as texts have them.
    const headings = await page.locator('article :is(h2, h3) a').allTextContents();
    const small = await smallOn(page);
    expect(small.filter((one) => !headings.some((heading) => one.startsWith(`${heading} `)))).toEqual([]);
    await pages.getByRole('link', { name: 'The API' }).tap();
    await page.waitForURL('**/docs/api');
    await page.getByRole('group').getByText('On this page').tap();
    await page.locator('.toc-folded').getByRole('link', { name: 'Limits' }).tap();
    await page.waitForURL('**/docs/api#limits');
    expect(await title(page)).toBe('The API');
  });

  test('are printed dark on white, whatever the theme', async () => {
    const page = await open('/docs/concepts', { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const ink = `getComputedStyle(document.querySelector('article p:not(.group)')).color`;
    expect(await page.evaluate<string>(ink)).toBe('rgb(0, 0, 0)');
    expect(await page.locator('figure.only-light').isVisible()).toBe(true);
    expect(await page.getByRole('navigation').count()).toBe(0);
  });

  test('are whole without scripts', async () => {
    const page = await open('/docs/concepts', { ...phone, javaScriptEnabled: false });
    await page.getByRole('button', { name: 'All pages' }).tap();
    await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Errors' }).tap();
    await page.waitForURL('**/docs/errors');
    expect(await title(page)).toBe('Errors');
  });

  test.each([
    ['/docs', 'light', 1280],
    ['/docs', 'dark', 360],
    ['/docs/api', 'dark', 1280],
    ['/docs/api', 'light', 320],
    ['/docs/concepts', 'light', 360],
    ['/docs/concepts', 'dark', 1280],
  ] as const)(
    '%s in the %s theme at %d px: axe is content, nothing scrolls sideways',
    async (path, colorScheme, width) => {
      const page = await open(path, {
        viewport: { width, height: 800 },
        colorScheme,
        reducedMotion: 'reduce',
      });
      expect(await violationsOn(page)).toEqual([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width);
      const dark = page.locator('figure.only-dark').first();
      if (path === '/docs/concepts') expect(await dark.isVisible()).toBe(colorScheme === 'dark');
    },
  );
});
