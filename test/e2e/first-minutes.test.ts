// The first minutes in a real browser: a key is made in the empty inbox, the command on the screen is run as
// it stands, its task comes in live; then an item is added by keyboard alone, with all that its message says.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createKey,
  plainEnvironment,
  startProgram,
  temporaryFolder,
  type Program,
} from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { hasChromium, heardBy, launchBrowser, openInbox, rowOf, WHY_NOT } from './browser.ts';
import { apiClient } from './push.ts';

const run = promisify(execFile);

describe('the first minutes', () => {
  const folder = temporaryFolder('first-minutes');
  let browser: Browser;
  let program: Program;
  let page: Page;

  beforeAll(async () => {
    if (!hasChromium) return;
    browser = await launchBrowser();
    program = await startProgram({ dataDir: folder.path });
  });
  beforeEach(async ({ skip }) => {
    skip(!hasChromium, WHY_NOT);
    page = await openInbox(browser, program, folder.path);
  });
  afterEach(() => page?.context().close());
  afterAll(async () => {
    await browser?.close();
    await program?.stop();
    folder.remove();
  });

  const steps = () => page.getByRole('region', { name: 'First steps' });

  test('a key is made in place, the command on the screen is run, and its task is there at once', async () => {
    await page.getByText('Waiting for the first task').waitFor();
    await steps().getByText('0 of 3 done').waitFor();
    await page.getByRole('button', { name: 'Make an API key' }).click();
    await page.getByText('It is shown only this once').waitFor();
    await steps().getByText('1 of 3 done').waitFor();

    const command = await page.locator('code', { hasText: /^curl / }).innerText();
    expect(command).toMatch(/-H "x-api-key: qi_\w{40}"/);
    const { stdout } = await run('sh', ['-c', `${command} --silent --show-error`], {
      env: plainEnvironment(),
    });
    expect(JSON.parse(stdout)).toMatchObject({ success: true, task: { content: 'backup failed' } });
    await rowOf(page, 'backup failed').waitFor();
    expect(heardBy(page).join()).toContain('task.created');

    // The key may create, and nothing else.
    const key = /qi_\w{40}/.exec(command)?.[0] ?? '';
    const answer = await fetch(`${program.url}/api/v1/tasks`, { headers: { 'x-api-key': key } });
    expect(answer.status).toBe(403);

    await page.keyboard.type('je');
    await steps().getByText('1 of 3 done').waitFor();
    await page.reload();
    await steps().getByText('1 of 3 done').waitFor();
    expect(await page.content()).not.toContain(key);
  });

  test('an item is added by keyboard alone: its message says tag, priority and lifetime', async () => {
    const key = createKey(folder.path);
    const { tasks } = apiClient(() => ({ url: program.url, key }));
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog', { name: 'Add New Item' });
    await dialog.getByRole('textbox', { name: 'Message' }).waitFor();
    await page.keyboard.type('Rotate the certificate #ops !high ~2h');
    await dialog.getByRole('button', { name: '2 h: leave ~2h in the message' }).waitFor();
    const focusedBox = dialog.locator('input[type=checkbox]:focus');
    for (let presses = 0; presses < 12 && (await focusedBox.count()) === 0; presses += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await rowOf(page, 'Rotate the certificate').waitFor();

    await waitFor('the task to be there', async () => (await tasks()).length > 0);
    const [task] = await tasks();
    expect(task).toMatchObject({
      content: 'Rotate the certificate',
      tags: ['ops'],
      priority: 'high',
      pinned: true,
      version: 1,
    });
    const { createdAt = '', expiresAt = '' } = task ?? {};
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(2 * 3_600_000);
  });
});
