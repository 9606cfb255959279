// The web app at an address of the own network, over plain http: there a browser gives a page neither the
// clipboard nor random ids nor a service worker.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '#test/program/ports.ts';
import {
  createKey,
  createSignInLink,
  startProgram,
  temporaryFolder,
  type Program,
} from '#test/program/program.ts';
import { closeContext, hasChromium, launchBrowser, rowOf, waitUntilLive, WHY_NOT } from './browser.ts';
import { pushWithCurl } from './push.ts';

const HOST = 'qinbox.test';

describe('over plain http', () => {
  const folder = temporaryFolder('plain-http');
  let browser: Browser;
  let context: BrowserContext;
  let program: Program;
  let page: Page;
  let url: string;

  beforeAll(async () => {
    if (!hasChromium) return;
    const port = await freePort();
    url = `http://${HOST}:${port}`;
    browser = await launchBrowser([`--host-resolver-rules=MAP ${HOST} 127.0.0.1`]);
    program = await startProgram({ dataDir: folder.path, port, env: { PUBLIC_URL: url } });
    await pushWithCurl(program.url, createKey(folder.path), 'the boiler is cold');
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    page = await context.newPage();
    await page.goto(createSignInLink(folder.path, url));
    await waitUntilLive(page);
  });
  beforeEach(({ skip }) => skip(!hasChromium, WHY_NOT));
  afterAll(async () => {
    if (context) await closeContext(context);
    await browser?.close();
    await program?.stop();
    folder.remove();
  });

  /** What is in the clipboard, as a person finds out. */
  async function pasted(field: string): Promise<string> {
    await page.getByRole(field === 'Search' ? 'combobox' : 'textbox', { name: field }).focus();
    await page.keyboard.press('Control+v');
    const text = await page.evaluate<string>('document.activeElement.value');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    return text;
  }

  test('notices say what was done, take it back, and say what was sent', async () => {
    expect(await page.evaluate('isSecureContext')).toBe(false);
    await rowOf(page, 'the boiler is cold').waitFor();
    await page.keyboard.press('j');
    // What is on its way when the network goes would wait, too.
    const sent = async (method: string, act: () => Promise<void>) => {
      const answer = page.waitForResponse((response) => response.request().method() === method);
      await act();
      await (await answer).finished();
    };
    await sent('DELETE', () => page.keyboard.press('e'));
    await sent('POST', () => page.getByRole('button', { name: 'Undo' }).click());
    const boiler = rowOf(page, 'the boiler is cold');
    await boiler.waitFor();
    await context.setOffline(true);
    await boiler.focus();
    await page.keyboard.press('p');
    await page.getByText('1 change is kept on this device').waitFor();
    await boiler.getByText('waits to be sent').waitFor({ state: 'attached' });
    await context.setOffline(false);
    await page.getByText('1 change sent').waitFor();
  });

  test('what has a button to copy it is copied, on a page and in a dialog', async () => {
    await page.setViewportSize({ width: 390, height: 780 });
    await rowOf(page, 'the boiler is cold').click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: 'Copy', exact: true }).click();
    await sheet.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    expect(await pasted('Search')).toBe('the boiler is cold');

    await page.goto(`${url}/admin`);
    await page.getByRole('textbox', { name: 'Name of a new key' }).fill('backup');
    await page.getByRole('button', { name: 'Create' }).click();
    const key = await page.getByText(/^qi_\w{40}$/).textContent();
    await page.getByRole('button', { name: /^Copy/ }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await pasted('Name of a new key')).toBe(key);

    await page.goto(`${url}/docs/getting-started`);
    await page.getByRole('button', { name: 'Copy this code' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
  });
});
