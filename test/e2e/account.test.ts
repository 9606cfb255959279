// The account of a person in a real browser: its file, taken in by somebody else, and its end.
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createKey,
  createSignInLink,
  startProgram,
  temporaryFolder,
  type Program,
} from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { smallOn, violationsOn } from './accessibility.ts';
import { hasChromium, launchBrowser, openInbox, openInboxAt, rowOf, WHY_NOT } from './browser.ts';
import { apiClient } from './push.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const BOB = 'bob@example.com';

describe('the own account', () => {
  const folder = temporaryFolder('account');
  const file = join(folder.path, 'account.json');
  let browser: Browser;
  let program: Program;
  /** Of the first user, an administrator. */
  let page: Page;
  /** Of somebody who has nothing yet. */
  let phone: Page;
  let key: string;
  let keyOfBob: string;

  beforeAll(async () => {
    if (!hasChromium) return;
    browser = await launchBrowser();
    key = createKey(folder.path);
    keyOfBob = createKey(folder.path, BOB);
    program = await startProgram({ dataDir: folder.path });
    const link = createSignInLink(folder.path, program.url, BOB);
    [page, phone] = await Promise.all([
      openInbox(browser, program, folder.path, { reducedMotion: 'reduce' }),
      openInboxAt(browser, link, { ...PHONE, reducedMotion: 'reduce' }),
    ]);
  });
  beforeEach(({ skip }) => skip(!hasChromium, WHY_NOT));
  afterAll(async () => {
    await browser?.close();
    await program?.stop();
    folder.remove();
  });

  const { call } = apiClient(() => ({ url: program.url, key }));
  const asks = (path: string, init?: RequestInit) => fetch(`${program.url}/api/v1${path}`, init);
  const signInOf = (of: Page) => of.getByRole('dialog', { name: 'Sign In to Qinbox' });

  async function expectNothingWrong(on: Page): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await on.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      // The colours of the other theme fade in.
      await waitFor('the end of the fading', () =>
        on.evaluate<boolean>("document.getAnimations().every(({ playState }) => playState !== 'running')"),
      );
      expect(await violationsOn(on)).toEqual([]);
    }
    if (on !== phone) return;
    expect(await smallOn(on)).toEqual([]);
    expect(
      await on.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    ).toBe(0);
  }

  test('becomes a file without its keys, which somebody else takes in', async () => {
    for (const content of ['the disk of nas is full', 'renew the certificate'])
      await call('POST', '/tasks', { content });
    await page.goto(`${program.url}/admin`);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toMatch(/^qinbox-account-\d{4}-\d\d-\d\d\.json$/);
    await download.saveAs(file);
    await expectNothingWrong(page);

    await phone.goto(`${program.url}/admin`);
    await phone.getByRole('button', { name: 'Import…' }).waitFor();
    await expectNothingWrong(phone);
    await phone.getByLabel('File of an account').setInputFiles(file);
    const asked = phone.getByRole('dialog', { name: 'Import this file?' });
    await asked.getByText('2 tasks').waitFor();
    await expectNothingWrong(phone);
    await asked.getByRole('button', { name: 'Import' }).tap();
    await phone.getByRole('dialog', { name: 'Imported' }).getByRole('button', { name: 'Done' }).tap();
    await phone.goto(`${program.url}/inbox`);
    for (const content of ['the disk of nas is full', 'renew the certificate'])
      await rowOf(phone, content).waitFor();
  });

  test('cannot be deleted by the last administrator who names no other', async () => {
    // The start of the program made the owner of the install, who is an administrator, too.
    await page.goto(`${program.url}/admin/users`);
    await page.getByRole('button', { name: 'Actions for owner@localhost' }).click();
    await page.getByRole('menuitem', { name: 'Remove administrator' }).click();
    await page
      .getByRole('alertdialog', { name: 'Remove administrator: owner@localhost' })
      .getByRole('button', { name: 'Remove administrator' })
      .click();
    await page.getByText('owner@localhost is no administrator.').waitFor();
    await page.goto(`${program.url}/admin`);
    const button = page.getByRole('button', { name: 'Delete my account…' });
    await button.click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete my account' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    // It was disabled when the dialog opened.
    await button.and(page.locator(':focus')).waitFor();
    await button.press('Enter');
    await dialog.getByLabel('Type me@example.com to confirm').fill('me@example.com');
    await expectNothingWrong(page);
    expect(await dialog.getByRole('button', { name: 'Delete my account' }).isDisabled()).toBe(true);
    await dialog.getByLabel('New administrator').fill('nobody@example.com');
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await dialog.getByText('must be the e-mail address of another active user').waitFor();
    expect((await asks('/tasks', { headers: { 'x-api-key': key } })).status).toBe(200);
  });

  test('ends with every session, live connection and key of it, once its address was typed', async () => {
    const link = createSignInLink(folder.path, program.url, BOB);
    const elsewhere = await openInboxAt(browser, link, { reducedMotion: 'reduce' });
    const refreshToken = await elsewhere.evaluate<string>("localStorage.getItem('refreshToken')");
    expect(refreshToken).toEqual(expect.any(String));
    await phone.goto(`${program.url}/admin`);
    await phone.getByRole('button', { name: 'Delete my account…' }).tap();
    const dialog = phone.getByRole('alertdialog', { name: 'Delete my account' });
    const remove = dialog.getByRole('button', { name: 'Delete my account' });
    const field = dialog.getByLabel(`Type ${BOB} to confirm`);
    await field.fill('me@example.com');
    expect(await remove.isDisabled()).toBe(true);
    await field.fill(BOB);
    await expectNothingWrong(phone);
    await remove.tap();
    await phone.getByText('Your account was deleted.').waitFor();
    expect(await phone.evaluate("localStorage.getItem('refreshToken')")).toBeNull();
    // The other browser hears of it over its live connection, which ends.
    await signInOf(elsewhere).waitFor();
    await waitFor('the end of the other session', () =>
      elsewhere.evaluate<boolean>("localStorage.getItem('refreshToken') === null"),
    );
    const refreshed = await asks('/auth/refresh', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refreshToken }),
    });
    expect(refreshed.status).toBe(401);
    expect((await asks('/tasks', { headers: { 'x-api-key': keyOfBob } })).status).toBe(401);
    expect((await asks('/tasks', { headers: { 'x-api-key': key } })).status).toBe(200);
  });
});
