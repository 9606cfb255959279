// Text that is typed after a key that opens something goes into its first field, however long its code takes
// to load, and never acts on the tasks behind it.
import fc from 'fast-check';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKey, startProgram, temporaryFolder, type Program } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import {
  closeContext,
  hasChromium,
  launchBrowser,
  openInbox,
  rowOf,
  waitUntilWhole,
  WHY_NOT,
} from './browser.ts';
import { apiClient } from './push.ts';
import { recordCalls } from './watch.ts';

const TASKS = ['first', 'second', 'third', 'fourth', 'fifth'];
/** Every one of these letters is a key of the inbox or moves in it. */
const TYPED = 'explore x p z e 1 3 . everything';
const PROPERTY_RUNS = 12;

/** A way to open something, and the field for typed text; null where there is none. */
interface Way {
  name: string;
  open: (page: Page) => Promise<void>;
  field: ((page: Page) => ReturnType<Page['getByRole']>) | null;
  /** The text that is typed when nothing is slow; TYPED unless given. */
  typed?: string;
  /** The text of the field before. */
  holds?: string;
  shown: (page: Page) => ReturnType<Page['getByRole']>;
}

const dialog = (name: string) => (page: Page) => page.getByRole('dialog', { name });
const panel = (page: Page) => page.getByLabel('Details');
const message = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const press = (keys: string) => async (page: Page) => {
  await page.keyboard.press(keys);
};
const click = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name, exact: true }).first().click();
};

const WAYS: Way[] = [
  { name: 'c', open: press('c'), field: message, shown: dialog('Add New Item') },
  { name: 'a click on Add Item', open: click('Add Item'), field: message, shown: dialog('Add New Item') },
  { name: 'Shift E', open: press('Shift+E'), field: message, holds: 'fifth', shown: dialog('Edit Item') },
  {
    name: 'Ctrl K',
    open: press('Control+k'),
    field: (page) => page.getByRole('combobox', { name: 'Command' }),
    shown: dialog('Command palette'),
  },
  { name: '?', open: press('?'), field: null, shown: dialog('Keyboard shortcuts') },
  {
    name: 'a click on the priority filter',
    open: click('Filter by priority: All Priorities'),
    field: null,
    // A space is a key of the menu: it chooses.
    typed: TYPED.replaceAll(' ', ''),
    shown: (page) => page.getByRole('menu', { name: 'Filter by priority' }),
  },
];

describe('what is typed after a key that opens something', () => {
  const folder = temporaryFolder('keys');
  let browser: Browser;
  let program: Program;
  let key: string;
  let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>;
  let context: BrowserContext;
  let page: Page;
  let calls: ReturnType<typeof recordCalls>['calls'];
  /** The inbox has all its own code. */
  let isWhole: boolean;
  /** While set, code that comes after that is held back. */
  let held: PromiseWithResolvers<void> | null;
  let refused: boolean;

  beforeAll(async () => {
    if (!hasChromium) return;
    browser = await launchBrowser();
    key = createKey(folder.path);
    program = await startProgram({
      dataDir: folder.path,
      env: { RATE_LIMIT_PER_MINUTE: '10000', RATE_LIMIT_PER_HOUR: '100000' },
    });
    const first = await openInbox(browser, program, folder.path);
    signedIn = await first.context().storageState();
    await first.context().close();
  });
  beforeEach(async ({ skip }) => {
    skip(!hasChromium, WHY_NOT);
    for (const { id } of await tasks()) await call('DELETE', `/tasks/${id}`);
    for (const content of TASKS) await call('POST', '/tasks', { content });
    isWhole = false;
    held = null;
    refused = false;
    // What the service worker keeps would come without being asked for.
    context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      serviceWorkers: 'block',
      storageState: signedIn,
    });
    await context.route('**/assets/*.js', async (route) => {
      if (isWhole && refused) return route.abort();
      if (isWhole) await held?.promise;
      return route.continue();
    });
    page = await context.newPage();
    ({ calls } = recordCalls(page));
  });
  afterEach(() => context && closeContext(context));
  afterAll(async () => {
    await browser?.close();
    await program?.stop();
    folder.remove();
  });

  const { call, tasks } = apiClient(() => ({ url: program.url, key }));

  /** A page whose later code has not come, with the cursor on the first row. */
  async function openAnew(): Promise<void> {
    isWhole = false;
    await page.goto(`${program.url}/inbox`);
    await rowOf(page, 'first').waitFor();
    await waitUntilWhole(page);
    isWhole = true;
    await page.keyboard.press('j');
    calls.length = 0;
  }
  const changes = () => calls.filter(({ call }) => !/^GET |\/auth\/|\/live\//.test(call));
  const rows = () => page.locator('article[data-task]').count();

  test.each(WAYS)('$name: goes where it belongs while the code is on its way', async (way) => {
    held = Promise.withResolvers();
    await openAnew();
    await way.open(page);
    await page.keyboard.type(TYPED);
    await page.keyboard.press('Backspace');
    expect(await way.shown(page).count()).toBe(0);
    held.resolve();
    await way.shown(page).waitFor();
    if (way.field !== null) {
      const before = way.holds ?? '';
      await waitFor(
        'the text',
        async () => (await way.field?.(page).inputValue()) === before + TYPED.slice(0, -1),
      );
      await page.keyboard.type('g!');
      expect(await way.field(page).inputValue()).toBe(`${before}${TYPED}!`);
    }
    expect(changes()).toEqual([]);
    expect(await rows()).toBe(TASKS.length);
  });

  test.each(WAYS)('$name: goes where it belongs when nothing is slow', async (way) => {
    const typed = way.typed ?? TYPED;
    await openAnew();
    await way.open(page);
    await page.keyboard.type(typed);
    await way.shown(page).waitFor();
    if (way.field !== null)
      await waitFor(
        'the text',
        async () => (await way.field?.(page).inputValue()) === (way.holds ?? '') + typed,
      );
    expect(changes()).toEqual([]);
    expect(await rows()).toBe(TASKS.length);
  });

  test('changes no task, whatever it is and however slow the code, until that is closed', async () => {
    const keys = fc.constantFrom(
      ...'abceijkpxz0123./?EGJ'.split(''),
      'Backspace',
      'ArrowDown',
      'ArrowUp',
      'Tab',
      'Delete',
      'Home',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...WAYS),
        fc.array(keys, { minLength: 1, maxLength: 12 }),
        fc.array(keys, { maxLength: 6 }),
        fc.boolean(),
        async (way, before, after, slow) => {
          held = slow ? Promise.withResolvers<void>() : null;
          await openAnew();
          await way.open(page);
          for (const key of before) await page.keyboard.press(key);
          held?.resolve();
          for (const key of after) await page.keyboard.press(key);
          await way.shown(page).waitFor();
          expect(changes()).toEqual([]);
          expect(await rows()).toBe(TASKS.length);
        },
      ),
      { numRuns: PROPERTY_RUNS, endOnFailure: true },
    );
  });

  test('waits with Enter: the command that was typed is run once it is there', async () => {
    held = Promise.withResolvers();
    await openAnew();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('theme dark');
    await page.keyboard.press('Enter');
    await page.keyboard.type('eee');
    held.resolve();
    await page.locator('html[data-theme=dark]').waitFor();
    await dialog('Command palette')(page).waitFor({ state: 'detached' });
    expect(changes()).toEqual([]);
  });

  test('chooses in a menu what it chooses once that is there: keys walk it, and Enter takes', async () => {
    const chosen: (string | null)[] = [];
    for (const early of [false, true])
      for (const keys of [
        ['ArrowDown', 'ArrowDown', 'Enter'],
        ['ArrowUp', 'ArrowUp', 'Enter'],
        ['s', 'Enter'],
      ]) {
        held = early ? Promise.withResolvers<void>() : null;
        await openAnew();
        await page.getByRole('button', { name: /^View:/ }).focus();
        await page.keyboard.press('Enter');
        const menu = page.getByRole('menu', { name: 'View' });
        if (!early) await page.locator('[role=menu]:is(:focus, :focus-within)').waitFor();
        for (const key of keys) await page.keyboard.press(key);
        held?.resolve();
        await page.waitForURL(/order=/);
        await menu.waitFor({ state: 'detached' });
        chosen.push(new URL(page.url()).searchParams.get('order'));
      }
    expect(chosen.slice(3)).toEqual(chosen.slice(0, 3));
    expect(new Set(chosen).size).toBe(3);
    expect(changes()).toEqual([]);
  });

  test('asked for by a key, a menu has its first entry marked, and by a pointer none', async () => {
    const button = page.getByRole('button', { name: /^View:/ });
    const marked = page.locator('[role=menuitemradio][data-highlighted]');
    const first = page.getByRole('menu', { name: 'View' }).getByRole('menuitemradio').first();
    for (const early of [false, true])
      for (const key of ['Enter', ' ', 'ArrowDown']) {
        held = early ? Promise.withResolvers<void>() : null;
        await openAnew();
        await button.focus();
        await page.keyboard.press(key);
        held?.resolve();
        await marked.waitFor();
        expect(await marked.textContent()).toBe(await first.textContent());
        await page.keyboard.press('Escape');
      }
    await button.click();
    await page.locator('[role=menu]:is(:focus, :focus-within)').waitFor();
    await page.keyboard.press('ArrowDown');
    await marked.waitFor();
    expect(await marked.textContent()).toBe(await first.textContent());
    await page.keyboard.press('Escape');
  });

  test('is taken back by Escape while the code is on its way: the keys are those of the list again', async () => {
    held = Promise.withResolvers();
    await openAnew();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('ee');
    await page.keyboard.press('Escape');
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    held.resolve();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await dialog('Command palette')(page).waitFor();
    expect(changes()).toEqual([]);
  });

  test('is kept when the code cannot be fetched: a message says so, and the keys work again', async () => {
    refused = true;
    await openAnew();
    await page.keyboard.press('c');
    await page.keyboard.type('expense report');
    const failure = page.getByRole('alert').filter({ hasText: 'Add New Item' });
    await failure.waitFor();
    expect(changes()).toEqual([]);
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    refused = false;
    await failure.getByRole('button', { name: 'Try again' }).click();
    await message(page).waitFor();
    await waitFor('the text', async () => (await message(page).inputValue()) === 'expense report');
  });

  test('needs no network once the page has been idle: all code of dialogs, palette and menus is there', async () => {
    await openAnew();
    await waitFor('the code', async () =>
      page.evaluate<boolean>(
        `['item-dialog', 'task-panel', 'tags-dialog', 'views-dialog', 'shortcuts-dialog', 'palette', 'menu', 'sign-in-dialog', 'profile-dialog']
          .every((name) => performance.getEntriesByType('resource').some((entry) => entry.name.includes('/assets/' + name + '-') && entry.responseEnd > 0))`,
      ),
    );
    refused = true;
    for (const { open, shown } of WAYS) {
      await page.keyboard.press('k');
      await open(page);
      await shown(page).waitFor();
      await page.keyboard.press('Escape');
      await shown(page).waitFor({ state: 'detached' });
    }
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await panel(page).getByRole('heading').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('goes on along the list while the code of an open task is on its way, because it opens beside it', async () => {
    held = Promise.withResolvers();
    await openAnew();
    await page.keyboard.press('Enter');
    await page.keyboard.type('jj');
    expect(await panel(page).count()).toBe(0);
    held.resolve();
    await panel(page).getByRole('heading', { name: 'third' }).waitFor();
    expect(changes()).toEqual([]);
  });

  test('of a search goes into its field, with a selection, too', async () => {
    await openAnew();
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('f e p x');
    expect(await page.getByRole('combobox', { name: 'Search' }).inputValue()).toBe('f e p x');
    expect(changes()).toEqual([]);
  });
});
