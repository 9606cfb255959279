// What is pressed while the inbox comes up is done, whenever that is: on the list that is drawn before the
// app's code, while the app takes its place, and after that. On a slow machine and on a quick one.
import type { CDPSession, Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { inboxStage } from './inbox-stage.ts';

/** Each press at this many moments ($MOMENTS). */
const MOMENTS = Number(process.env['MOMENTS'] ?? 2);
const SLOW = 6;

describe('what is pressed early', () => {
  const stage = inboxStage('early', { reducedMotion: 'reduce' });
  let page: Page;
  let machine: CDPSession;
  beforeEach(async () => {
    page = stage.page();
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

  /** Opens the inbox anew on a machine so many times as slow, and waits until a list is seen. */
  async function comeToList(rate: number): Promise<void> {
    await machine.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await page.goto(stage.url('/no/such/page'));
    await machine.send('Emulation.setCPUThrottlingRate', { rate });
    await page.goto(stage.url('/inbox'), { waitUntil: 'commit' });
    await stage.row('last').waitFor();
  }

  /** How long the app takes to take the list's place. */
  async function takeoverMs(rate: number): Promise<number> {
    await comeToList(rate);
    const seenAt = performance.now();
    await page.locator('[data-still]').waitFor({ state: 'detached' });
    return performance.now() - seenAt;
  }

  test.each([1, SLOW])('is done on a machine %i times as slow', { timeout: 3_600_000 }, async (rate) => {
    const measured = [await takeoverMs(rate), await takeoverMs(rate), await takeoverMs(rate)];
    const takeover = measured.toSorted((a, b) => a - b)[1] ?? 0;
    const lost: string[] = [];
    for (let moment = 0; moment < MOMENTS; moment++)
      for (const [what, act, shows] of CASES) {
        await comeToList(rate);
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
