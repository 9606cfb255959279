// Pages whose scripts do not run: switched off, or one of them kept away by a content blocker. None stays an
// empty frame without a word.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startProgram, temporaryFolder, type Program } from '#test/program/program.ts';
import { closeContext, hasChromium, launchBrowser, WHY_NOT } from './browser.ts';

const PAGES = ['/', '/inbox', '/admin', '/api-docs'];

describe('a page that does not start', () => {
  const folder = temporaryFolder('unstarted');
  let browser: Browser;
  let program: Program;

  beforeAll(async () => {
    if (!hasChromium) return;
    browser = await launchBrowser();
    program = await startProgram({ dataDir: folder.path });
  });
  beforeEach(({ skip }) => skip(!hasChromium, WHY_NOT));
  afterAll(async () => {
    await browser?.close();
    await program?.stop();
    folder.remove();
  });

  async function withPage(options: BrowserContextOptions, use: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser.newContext({ serviceWorkers: 'block', ...options });
    await use(await context.newPage());
    await closeContext(context);
  }

  const words = (page: Page) => page.getByText('Qinbox has not started.');

  test.each(PAGES)('%s says so at once without scripts, and the way to the documentation', (path) =>
    withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(program.url + path);
      await words(page).waitFor({ timeout: 3000 });
      await page.getByRole('link', { name: 'The documentation' }).click();
      await page.getByRole('heading', { name: 'Documentation', level: 1 }).waitFor();
      expect(await words(page).count()).toBe(0);
    }),
  );

  test.each(['**/theme.js', '**/assets/start-*.js', '**/assets/rolldown-runtime-*.js'])(
    'the inbox says so where %s is blocked, and starts when it is loaded again without',
    (blocked) =>
      withPage({}, async (page) => {
        await page.route(blocked, (route) => route.abort('blockedbyclient'));
        await page.goto(`${program.url}/inbox`);
        expect(await words(page).isVisible()).toBe(false);
        await words(page).waitFor();
        await page.unroute(blocked);
        await page.getByRole('link', { name: 'Load it again' }).click();
        await page.getByText('Demo Mode').first().waitFor();
        await words(page).waitFor({ state: 'detached' });
      }),
  );
});
