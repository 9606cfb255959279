// On screens that are small for what is on them: a phone that lies on its side, or that has large letters.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitFor } from '#test/program/wait.ts';
import { inboxStage } from './inbox-stage.ts';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/** Those of these controls in the middle of which something else would be pressed. */
function coveredIn(page: Page, selector: string): Promise<string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('${selector}')].filter((control) => {
      const { x, y, width, height } = control.getBoundingClientRect();
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      return hit !== null && !control.contains(hit);
    }).map((control) => control.ariaLabel ?? control.textContent)`,
  );
}

describe('on a small screen', () => {
  const stage = inboxStage('small-screen', PHONE);
  const { push, row } = stage;

  test('that lies on its side, the menu of a row is on the screen and scrolls to its end', async () => {
    const page = stage.page();
    await page.setViewportSize({ width: 640, height: 320 });
    await push('second', 'first');
    await row('second')
      .getByRole('button', { name: /^More actions/ })
      .tap();
    const menu = await page.getByRole('menu').boundingBox();
    expect(menu?.y).toBeGreaterThanOrEqual(0);
    expect((menu?.y ?? 0) + (menu?.height ?? 0)).toBeLessThanOrEqual(320);
    await page.getByRole('menuitem', { name: 'Select' }).tap();
    await page.getByText('1 selected').waitFor();
  });

  test('with letters twice as large, menus, choices and titles stay on the screen', async () => {
    const page = stage.page();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
    const isWide = () => page.evaluate('document.documentElement.scrollWidth > 360');
    await page.goto(stage.url('/inbox'));
    await page.getByRole('button', { name: /^View:/ }).tap();
    const menu = await page.getByRole('menu').boundingBox();
    expect(menu?.width).toBeLessThanOrEqual(344);
    expect(await isWide()).toBe(false);
    await page.goto(stage.url('/admin/appearance'));
    await page.getByRole('radio').last().waitFor();
    const cut = await page.evaluate<string[]>(
      `[...document.querySelectorAll('label:has([type=radio])')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map((label) => label.textContent)`,
    );
    expect(cut).toEqual([]);
    await page.goto(stage.url('/admin/intakes'));
    const title = await page.getByRole('heading', { name: 'Intakes' }).boundingBox();
    expect(title?.height).toBeLessThan(100);
    expect(await isWide()).toBe(false);
  });

  test('a notice lies over no entry of a menu and no control of a dialog, and is one at a time', async () => {
    const page = stage.page();
    await push('fourth', 'third', 'second', 'first');
    const menuOf = (content: string) =>
      row(content)
        .getByRole('button', { name: /^More actions/ })
        .tap();
    const notices = page.locator('[data-notice]:visible');
    for (const [index, content] of ['first', 'second'].entries()) {
      await menuOf(content);
      await page.getByRole('menuitem', { name: 'Acknowledge' }).tap();
      await page.locator('[data-notice]').nth(index).waitFor({ state: 'attached' });
    }
    expect(await notices.count()).toBe(1);
    await menuOf('third');
    await page.getByRole('menuitem', { name: 'Select' }).waitFor();
    const onTop = await page.evaluate<string | null>(`(() => {
      const menu = document.querySelector('[role=menu]').getBoundingClientRect();
      const notice = document.querySelector('[data-notice]').getBoundingClientRect();
      const middle = (notice.top + Math.min(menu.bottom, notice.bottom)) / 2;
      if (menu.bottom <= notice.top) return 'the menu does not reach the notice';
      return document.elementFromPoint((menu.left + menu.right) / 2, middle).closest('[role=menu], [data-notice]').role;
    })()`);
    expect(onTop).toBe('menu');
    await page.getByRole('menuitem', { name: 'Edit' }).tap();
    await page.getByRole('dialog', { name: 'Edit Item' }).waitFor();
    // The menu is gone, and the notice is there again.
    await notices.waitFor();
    expect(await coveredIn(page, '[data-modal] button')).toEqual([]);
  });

  test('a webhook with a long name and a long tag, and the dialogs about it, are no wider than the screen', async () => {
    const page = stage.page();
    const long = 'a'.repeat(50);
    await page.evaluate(
      `fetch('/api/v1/webhooks', {
        method: 'POST',
        headers: { authorization: 'Bearer ' + localStorage.getItem('accessToken'), 'content-type': 'application/json' },
        body: JSON.stringify({ name: '${long}${long}', url: 'https://hooks.example.com/q', events: ['task.created'], filter: { tags: ['${long}'] }, paused: true }),
      })`,
    );
    const cut = () =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll('main li span, [data-modal] h2')]
          .filter((text) => text.getBoundingClientRect().right > 360).map(({ textContent }) => textContent)`,
      );
    await page.goto(stage.url('/admin/webhooks'));
    const menu = page.getByRole('button', { name: /^Actions for/ });
    await menu.waitFor();
    expect(await cut()).toEqual([]);
    for (const [action, role] of [
      ['Edit', 'dialog'],
      ['Delete', 'alertdialog'],
    ] as const) {
      await menu.tap();
      await page.getByRole('menuitem', { name: action }).tap();
      const dialog = page.getByRole(role, { name: long });
      await dialog.waitFor();
      expect(await cut()).toEqual([]);
      await dialog.getByRole('button', { name: 'Cancel' }).tap();
      await dialog.waitFor({ state: 'detached' });
    }
  });

  test('a tablet has room for the words of a search beside all counts', async () => {
    const page = stage.page();
    await push('second', 'first');
    const [{ id } = { id: '' }] = await stage.tasks();
    await stage.call('POST', `/tasks/${id}/snooze`, {
      until: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await page.getByRole('button', { name: 'Snoozed 1' }).waitFor();
    for (const width of [768, 900, 1024]) {
      await page.setViewportSize({ width, height: 600 });
      const field = await page.getByRole('combobox', { name: 'Search' }).boundingBox();
      expect(field?.width, `at ${width} px`).toBeGreaterThan(110);
    }
  });

  test('a new API key comes into sight by itself', async () => {
    const page = stage.page();
    await page.goto(stage.url('/admin'));
    await page.getByRole('textbox', { name: 'Name of a new key' }).fill('backup');
    await page.getByRole('button', { name: 'Create' }).tap();
    const made = page.getByRole('region', { name: 'New API key' });
    await made.waitFor();
    const bottom = await waitFor(
      'the new key to be scrolled to',
      async () => {
        const box = await made.boundingBox();
        return box !== null && box.y + box.height <= 740 ? box.y + box.height : null;
      },
      20_000,
    );
    expect(bottom).toBeGreaterThan(0);
  });
});
