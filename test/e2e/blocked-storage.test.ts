// A browser whose user has blocked cookies and site data: it keeps nothing for any page, and refuses locks.
// Everything works until the page is closed, and the page says that it is only until then.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  buildOnce,
  createSignInLink,
  startProgram,
  temporaryFolder,
  type Program,
} from '#test/program/program.ts';
import { closeContext, hasChromium, launchProfile, rowOf, waitUntilLive, WHY_NOT } from './browser.ts';

const BLOCK = 2;

describe('with site data blocked', () => {
  const folder = temporaryFolder('blocked-storage');
  const profile = temporaryFolder('blocked-storage-profile');
  let context: BrowserContext;
  let program: Program;
  let page: Page;

  beforeAll(async () => {
    if (!hasChromium) return;
    buildOnce();
    program = await startProgram({ dataDir: folder.path });
    mkdirSync(join(profile.path, 'Default'));
    const preferences = { profile: { default_content_setting_values: { cookies: BLOCK } } };
    writeFileSync(join(profile.path, 'Default', 'Preferences'), JSON.stringify(preferences));
    [context, page] = await launchProfile(profile.path);
    await page.goto(createSignInLink(folder.path, program.url));
    await waitUntilLive(page);
  });
  beforeEach(({ skip }) => skip(!hasChromium, WHY_NOT));
  afterAll(async () => {
    if (context) await closeContext(context);
    await program?.stop();
    folder.remove();
    profile.remove();
  });

  test('the inbox says that a reload signs out', async () => {
    const refused = 'try { void localStorage; "kept" } catch (error) { error.name }';
    expect(await page.evaluate(refused)).toBe('SecurityError');
    const notice = page.getByRole('status').filter({ hasText: 'This browser keeps nothing for Qinbox' });
    await notice.waitFor();
    await notice.getByRole('button', { name: 'Dismiss' }).click();
    await notice.waitFor({ state: 'detached' });
  });

  test('tasks are added and acknowledged, and it is undone', async () => {
    await page.getByRole('button', { name: 'Add Item' }).first().click();
    await page.getByRole('textbox', { name: 'Message' }).fill('the boiler is cold');
    await page.keyboard.press('Control+Enter');
    await rowOf(page, 'the boiler is cold').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await rowOf(page, 'the boiler is cold').focus();
    await page.keyboard.press('e');
    await rowOf(page, 'the boiler is cold').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await rowOf(page, 'the boiler is cold').waitFor();
    const { total } = await statistics();
    expect(total).toBe(1);
  });

  /** As the server counts, in a page that loads nothing else. */
  function statistics(): Promise<{ total: number }> {
    const token = createSignInLink(folder.path, program.url).split('signin=')[1];
    return page.evaluate<{ total: number }>(`(async () => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ token: '${token}' });
      const link = await fetch('/api/v1/auth/link', { method: 'POST', headers, body });
      const { tokens } = await link.json();
      headers.authorization = 'Bearer ' + tokens.accessToken;
      return (await (await fetch('/api/v1/tasks', { headers })).json()).statistics;
    })()`);
  }
});
