// Triage by touch on a phone: a tap opens a sheet, a long press selects, swipes act, and everything that is
// pressed is large enough.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitFor } from '#test/program/wait.ts';
import { smallOn } from './accessibility.ts';
import { inboxStage } from './inbox-stage.ts';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

describe('by touch', () => {
  const stage = inboxStage('touch', PHONE);
  const { push, row, tasks } = stage;
  const sheet = () => stage.page().getByRole('dialog', { name: 'Details' });

  async function touches(page: Page, content: string) {
    // Rows glide for a moment after another has gone: a touch would meet another place.
    await page.locator('[data-gliding]').waitFor({ state: 'detached' });
    // Its glide may not have begun yet.
    await (await row(content).elementHandle())?.waitForElementState('stable');
    const box = await row(content).boundingBox();
    if (box === null) throw new Error('no row');
    const session = await page.context().newCDPSession(page);
    const [x, y] = [box.x + 120, box.y + box.height / 2];
    const at = (dx: number) => [{ x: x + dx, y }];
    return {
      down: () => session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) }),
      up: () => session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
      /** The browser takes the touch away, as for a gesture of the system. */
      cancel: () => session.send('Input.dispatchTouchEvent', { type: 'touchCancel', touchPoints: [] }),
      /** A second finger, to the right of the first one. */
      second: () =>
        session.send('Input.dispatchTouchEvent', {
          type: 'touchStart',
          touchPoints: [
            { x, y, id: 0 },
            { x: x + 150, y, id: 1 },
          ],
        }),
      /** At once: a finger that rests is a long press, on a busy machine as well. */
      swipe: (...path: number[]) =>
        Promise.all(
          [0, ...path].map((dx, index) =>
            session.send('Input.dispatchTouchEvent', {
              type: index === 0 ? 'touchStart' : 'touchMove',
              touchPoints: at(dx),
            }),
          ),
        ),
    };
  }

  test('a tap opens a sheet, which is walked through, and Back closes it', async () => {
    const page = stage.page();
    await push({ content: 'second', metadata: { body: 'More of it.' } }, 'first');
    await row('first').tap({ position: { x: 120, y: 20 } });
    await sheet().getByRole('heading', { name: 'first' }).waitFor();
    await sheet().getByRole('button', { name: 'Next item' }).tap();
    await sheet().getByText('More of it.').waitFor();
    expect(await smallOn(page)).toEqual([]);
    await page.goBack();
    await sheet().waitFor({ state: 'detached' });
    await row('second').tap({ position: { x: 120, y: 20 } });
    const done = await sheet().getByRole('button', { name: 'Acknowledge' }).boundingBox();
    expect((done?.x ?? 0) + (done?.width ?? 0)).toBeLessThan(360);
    await sheet().getByRole('button', { name: 'Acknowledge' }).tap();
    await row('second').waitFor({ state: 'detached' });
    expect(await sheet().count()).toBe(0);
    await stage.until('the server to know', async () => (await tasks()).length === 1);
  });

  test('a long press selects, a tap selects more, and opens nothing', async () => {
    const page = stage.page();
    await push('gamma', 'beta', 'alpha');
    const finger = await touches(page, 'alpha');
    await finger.down();
    await page.getByRole('group', { name: 'Selected items' }).waitFor();
    await finger.up();
    await row('beta').tap({ position: { x: 120, y: 20 } });
    await page.getByRole('button', { name: 'Pin 2 items' }).tap();
    await stage.until(
      'both to be pinned',
      async () => (await tasks()).filter(({ pinned }) => pinned).length === 2,
    );
    expect(await sheet().count()).toBe(0);
  });

  test('a swipe says what it will do, acknowledges to the right and pins to the left', async () => {
    const page = stage.page();
    await push('stays', 'goes');
    const right = await touches(page, 'goes');
    await right.swipe(20, 60, 120);
    await row('goes').getByText('Acknowledge', { exact: true }).waitFor();
    await right.up();
    await row('goes').waitFor({ state: 'detached' });
    const left = await touches(page, 'stays');
    await left.swipe(-20, -60, -120);
    await left.up();
    await row('stays').getByText('pinned').waitFor();
    await stage.until('the pin', async () => (await tasks())[0]?.pinned === true);
    expect((await tasks()).map(({ content }) => content)).toEqual(['stays']);
  });

  test('a swipe that is cancelled, or gets a second finger, does nothing, and the row is back in its place', async () => {
    const page = stage.page();
    await push('other', 'stays');
    const place = () =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector('article[data-task] [data-face]')).transform`,
      );
    const still = () => stage.until('the row to be in its place', async () => (await place()) === 'none');
    const first = await touches(page, 'stays');
    await first.swipe(20, 60, 120);
    await row('stays').getByText('Acknowledge', { exact: true }).waitFor();
    await first.cancel();
    await still();
    const two = await touches(page, 'stays');
    await two.swipe(20, 60, 120);
    await row('stays').getByText('Acknowledge', { exact: true }).waitFor();
    await two.second();
    await still();
    await two.up();
    // Whatever they would have sent is before this.
    await push('later');
    expect((await tasks()).map(({ content, pinned }) => [content, pinned])).toEqual([
      ['later', false],
      ['stays', false],
      ['other', false],
    ]);
  });

  test('everything that is pressed is at least 44 px, and no notice covers the button to add', async () => {
    const page = stage.page();
    await push({ content: 'first', tags: ['ops'] }, 'second');
    expect(await smallOn(page)).toEqual([]);
    await row('second')
      .getByRole('button', { name: /^More actions/ })
      .tap();
    await page.getByRole('menuitem', { name: 'Acknowledge' }).tap();
    const notice = page.getByText('Acknowledged: second');
    await notice.waitFor();
    const [add, toast] = [
      await page.getByRole('button', { name: 'Add Item' }).last().boundingBox(),
      await notice
        .locator('xpath=ancestor::*[@role="dialog" or @role="alertdialog" or @role="status"][1]')
        .boundingBox(),
    ];
    expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThanOrEqual(add?.y ?? 0);
    await page.context().setOffline(true);
    await page.getByText(/^You are offline/).waitFor();
    const banner = await page.getByText(/^You are offline/).boundingBox();
    const raised = await page.getByRole('button', { name: 'Add Item' }).last().boundingBox();
    expect((raised?.y ?? 0) + (raised?.height ?? 0)).toBeLessThanOrEqual(banner?.y ?? 0);
    // It pushed nothing.
    expect((await row('first').boundingBox())?.y).toBeGreaterThan(0);
    await page.context().setOffline(false);
  });

  test('a row says how many more tags there are, and shows a third line where "Show all" would be', async () => {
    const page = stage.page();
    await push('one\ntwo\nthree', 'first\nsecond\nthird\nfourth');
    await row('first').getByRole('button', { name: 'Show all' }).waitFor();
    expect(await row('one').getByRole('button', { name: 'Show all' }).count()).toBe(0);
    const [whole, cut] = [await row('one').boundingBox(), await row('first').boundingBox()];
    expect(Math.abs((whole?.height ?? 0) - (cut?.height ?? 0))).toBeLessThan(6);
    const tags = ['customer-facing', 'production-eu', 'ops', 'nightly'];
    for (let times = 0; times < 12; times += 1)
      await push({ content: 'much reported', dedupeKey: 'much', tags, source: 'webhook' });
    await row('much reported').getByText('×12').waitFor();
    // Nothing lies over it, and it is not cut off.
    const isSeen = `(() => {
      const spans = [...document.querySelectorAll('article[data-task] span')];
      const more = spans.find(({ textContent }) => textContent === '+2');
      const { left, right, top, bottom } = more.getBoundingClientRect();
      return right <= innerWidth && document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === more;
    })()`;
    for (const width of [360, 390, 700]) {
      await page.setViewportSize({ width, height: 740 });
      await stage.until(`+2 at ${width} px`, () => page.evaluate<boolean>(isSeen));
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
  });

  test('so is what is there only sometimes: a long text, a notice, metadata, the palette, an undo, keys', async () => {
    const page = stage.page();
    await push(
      { content: `Disk full on nas-2: ${'it grows '.repeat(20)}`, metadata: { host: 'nas-2' } },
      { content: 'linked', metadata: { url: 'https://a.example' } },
      'fades',
    );
    await row('Disk full').getByRole('button', { name: 'Show all' }).waitFor();
    await row('fades')
      .getByRole('button', { name: /^More actions/ })
      .tap();
    await page.getByRole('menuitem', { name: 'Acknowledge' }).tap();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    expect(await smallOn(page)).toEqual([]);
    await row('Disk full').getByRole('button', { name: 'Show all' }).tap();
    await row('Disk full').getByRole('button', { name: 'Show less' }).waitFor();
    expect(await sheet().count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('option').first().waitFor();
    expect(await smallOn(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await row('Disk full').tap({ position: { x: 120, y: 20 } });
    await sheet().getByText('Metadata', { exact: true }).waitFor();
    expect(await smallOn(page)).toEqual([]);
    await page.goto(stage.url('/inbox?view=acknowledged'));
    await page.getByRole('button', { name: /^Restore:.*fades/ }).waitFor();
    expect(await smallOn(page)).toEqual([]);
    await page.getByRole('button', { name: /^User menu/ }).tap();
    await page.getByRole('menuitem', { name: 'View Profile' }).tap();
    await page.getByRole('dialog', { name: 'User Profile' }).getByRole('button', { name: 'Show' }).tap();
    await page
      .getByRole('button', { name: /^Reveal/ })
      .first()
      .waitFor();
    expect(await smallOn(page)).toEqual([]);
  });

  test('everything of the notifications is large enough, and nothing is wider than the screen', async () => {
    const page = stage.page();
    await page.goto(stage.url('/admin/notifications'));
    await page.getByRole('checkbox', { name: 'Push nothing in quiet hours' }).tap();
    await page.getByRole('button', { name: 'Until a time…' }).tap();
    await page.getByLabel('Time zone').waitFor();
    expect(await smallOn(page)).toEqual([]);
    const pills = await page.evaluate<number[]>(
      `[...document.querySelectorAll('fieldset label')].map((label) => label.getBoundingClientRect())
        .map(({ width, height }) => Math.min(width, height))`,
    );
    expect(pills.length).toBeGreaterThan(12);
    expect(Math.min(...pills)).toBeGreaterThanOrEqual(44);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });

  test('on a tablet the button of a row is beside its time, in the middle of its line', async () => {
    const page = stage.page();
    await push({ content: 'wide', tags: ['ops'] });
    const time = row('wide').locator('.row-time');
    const button = row('wide').getByRole('button', { name: /^More actions/ });
    for (const width of [768, 820, 1180])
      for (const density of ['comfortable', 'compact']) {
        await page.setViewportSize({ width, height: 800 });
        await page.evaluate(`document.documentElement.dataset.density = '${density}'`);
        const [said, pressed] = await Promise.all([time.boundingBox(), button.boundingBox()]);
        if (said === null || pressed === null) throw new Error('not shown');
        const where = `${width} pixels wide, ${density}`;
        expect(said.x + said.width, where).toBeLessThan(pressed.x + 8);
        const [line, middle] = [said.y + said.height / 2, pressed.y + pressed.height / 2];
        expect(Math.abs(line - middle), where).toBeLessThan(2);
      }
  });

  test('the header moves nothing once it is known who is there', async () => {
    /** Where its links are in what came with the page, before the app's code is there, and after that. */
    async function expectStill(page: Page, known: string): Promise<void> {
      const still = page.locator('[data-still]');
      const places = () =>
        Promise.all(
          ['Inbox', 'Intakes', 'Settings'].map((name) =>
            page.locator('header').getByRole('link', { name, exact: true }).boundingBox(),
          ),
        );
      const code = Promise.withResolvers<void>();
      await page.route('**/assets/start-*.js', async (route) => {
        await code.promise;
        await route.continue();
      });
      await page.goto(stage.url('/inbox'), { waitUntil: 'commit' });
      await still.getByRole('link', { name: 'Settings' }).waitFor();
      // On a slow machine the header of strangers is there until it is known that this is none.
      const before = await waitFor('its header', async () => {
        const all = await places();
        return !all.includes(null) && all;
      });
      code.resolve();
      await page.locator('header').getByRole('button', { name: known, includeHidden: true }).waitFor();
      expect(await still.count()).toBe(0);
      await page.unrouteAll({ behavior: 'wait' });
      expect(await places()).toEqual(before);
    }
    const stranger = await stage.page().context().browser()?.newContext(PHONE);
    const strangers = await stranger?.newPage();
    if (strangers === undefined) throw new Error('no browser');
    for (const width of [360, 390]) {
      for (const page of [stage.page(), strangers]) await page.setViewportSize({ width, height: 800 });
      await expectStill(stage.page(), 'User menu: me@example.com');
      await expectStill(strangers, 'Sign In');
    }
    await stranger?.close();
  });
});
