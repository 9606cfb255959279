// What tests of the inbox share: one program, one browser, and for each test an empty queue and a page that
// is signed in.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { createKey, startProgram, temporaryFolder, type Program } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { closeContext, hasChromium, launchBrowser, openInbox, rowOf, WHY_NOT } from './browser.ts';
import { apiClient } from './push.ts';

/** Sets it up in the `describe` in which it is called. */
export function inboxStage(name: string, options: BrowserContextOptions = {}) {
  const folder = temporaryFolder(name);
  const env = {
    RATE_LIMIT_PER_MINUTE: '100000',
    RATE_LIMIT_PER_HOUR: '100000',
    RATE_LIMIT_SESSION_PER_MINUTE: '100000',
  };
  let browser: Browser;
  let program: Program;
  let key: string;
  let page: Page;

  beforeAll(async () => {
    if (!hasChromium) return;
    browser = await launchBrowser();
    key = createKey(folder.path);
    program = await startProgram({ dataDir: folder.path, env });
  });
  beforeEach(async ({ skip }) => {
    skip(!hasChromium, WHY_NOT);
    for (let all = await tasks(); all.length > 0; all = await tasks())
      await call('POST', '/tasks/acknowledge', { ids: all.map(({ id }) => id) });
    page = await openInbox(browser, program, folder.path, options);
  });
  afterEach(() => page && closeContext(page.context()));
  afterAll(async () => {
    await browser?.close();
    await program?.stop();
    folder.remove();
  });

  const { call, tasks } = apiClient(() => ({ url: program.url, key }));
  return {
    call,
    tasks,
    page: () => page,
    key: () => key,
    url: (path: string) => program.url + path,
    /** Creates tasks, the first one first, and waits for the last one's row. */
    push: async (...all: (string | Record<string, unknown>)[]): Promise<void> => {
      for (const each of all)
        await call('POST', '/tasks', typeof each === 'string' ? { content: each } : each);
      const last = all.at(-1);
      await rowOf(page, String(typeof last === 'object' ? last['content'] : last)).waitFor();
    },
    /** The first lines of the rows, from top to bottom. */
    rows: () =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll('article[data-task]')].map((row) => row.ariaLabel.replace(/^\\w+ priority: /, ''))`,
      ),
    headings: () => page.locator('main h2').allInnerTexts(),
    panel: () => page.getByLabel('Details'),
    row: (content: string) => rowOf(page, content),
    /** The same person in a browser of their own. */
    another: () => openInbox(browser, program, folder.path, options),
    /** Waits until this is so. */
    until: (what: string, is: () => Promise<boolean>) => waitFor(what, is),
  };
}
