// What is pressed while the inbox comes up is done, whenever that is: on the list that is drawn before the
// app's code, while the app takes its place, and after that. On a slow machine and on a quick one.
import type { CDPSession, Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { inboxStage } from './inbox-stage.ts';

/** Each press at this many moments. */
const MOMENTS = process.env['QINBOX_LONG'] === '1' ? 40 : 2;
const SLOW = 6;
const PATIENCE_MS = 60_000;

describe('what is pressed early', () => {
  const stage = inboxStage('early', { reducedMotion: 'reduce' });
  let page: Page;
  let machine: CDPSession;
  beforeEach(async () => {
    page = stage.page();
    page.setDefaultTimeout(PATIENCE_MS);
    machine = await page.context().newCDPSession(page);
    await stage.push({ content: 'first', tags: ['ops'] }, { content: 'last', tags: ['ops'] });
  });

  const keys =
    (...all: string[]) =>
    async () => {
      for (const key of all) await page.keyboard.press(key);
    };
  const dialog = () => page.getByRole('dialog').waitFor();
  const selection = () => page.getByText('1 selected').waitFor();

  /** Where the pointer presses, without waiting for anything. */
  async function press(selector: string, x = 0.5, holdMs = 0) {
    const at = await page.evaluate<{ x: number; y: number } | undefined>(`(() => {
      const box = document.querySelector(${JSON.stringify(selector)})?.getBoundingClientRect();
      return box && { x: box.x + box.width * ${x}, y: box.y + box.height / 2 };
    })()`);
    if (at === undefined) throw new Error(`there is no ${selector}`);
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    if (holdMs > 0) await new Promise((resolve) => setTimeout(resolve, holdMs));
    await page.mouse.up();
  }

  const CASES: [what: string, act: () => Promise<unknown>, shows: () => Promise<unknown>][] = [
    ['j x', keys('j', 'x'), selection],
    ['j t', keys('j', 't'), dialog],
    ['j Shift+E', keys('j', 'Shift+E'), dialog],
    ['c', keys('c'), dialog],
    ['?', keys('?'), dialog],
    ['v', keys('v'), dialog],
    ['Ctrl+K', keys('Control+k'), dialog],
    [
      '/ # o',
      keys('/', '#', 'o'),
      () =>
        stage.until(
          'what was typed',
          async () =>
            (await page
              .locator('main input[type=search], main input:not([type=checkbox])')
              .first()
              .inputValue()) === '#o',
        ),
    ],
    ['a row', () => press('article[data-task]', 0.5), () => stage.panel().waitFor()],
    ['a row, slowly', () => press('article[data-task]', 0.5, 120), () => stage.panel().waitFor()],
    ['a checkbox', () => press('article[data-task] input'), selection],
    ['a tag', () => press('[aria-label="Only #ops"]'), () => page.waitForURL(/ops/)],
    ['a menu', () => press('[aria-label^="More actions"]'), () => page.getByRole('menu').waitFor()],
  ];

  /** Opens the inbox anew, and waits until a list is seen. */
  async function comeToList(): Promise<void> {
    await page.goto(stage.url('/no/such/page'));
    await page.goto(stage.url('/inbox'), { waitUntil: 'commit' });
    await stage.row('last').waitFor();
  }

  /** How long the app takes to take the list's place. */
  async function takeoverMs(): Promise<number> {
    await comeToList();
    const seenAt = performance.now();
    await page.locator('[data-still]').waitFor({ state: 'detached' });
    return performance.now() - seenAt;
  }

  test.each([1, SLOW])('is done on a machine %i times as slow', { timeout: 3_600_000 }, async (rate) => {
    await machine.send('Emulation.setCPUThrottlingRate', { rate });
    const takeover =
      [await takeoverMs(), await takeoverMs(), await takeoverMs()].toSorted((a, b) => a - b)[1] ?? 0;
    const lost: string[] = [];
    for (let moment = 0; moment < MOMENTS; moment++)
      for (const [what, act, shows] of CASES) {
        await comeToList();
        // Every second one while the app takes over.
        const delay =
          moment % 2 === 0 ? Math.random() * takeover * 1.5 : takeover * (0.7 + Math.random() * 0.5);
        await new Promise((resolve) => setTimeout(resolve, delay));
        const still = await page.locator('[data-still]').count();
        await act();
        await shows().catch(() => lost.push(`${what} after ${Math.round(delay)} ms, still ${still}`));
      }
    expect(lost).toEqual([]);
  });
});
