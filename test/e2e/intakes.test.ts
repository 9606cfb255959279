// An intake from its making to its end, as a person makes one: in a real browser on the real program, with
// GitHub's own signature.
import { createHmac } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freePort, startProgram, temporaryFolder, type Program } from '#test/program/program.ts';
import { hasChromium, launchBrowser, openInbox, rowOf, WHY_NOT } from './browser.ts';

const OPENED = JSON.stringify({
  action: 'opened',
  number: 7,
  pull_request: {
    number: 7,
    title: 'Fix the pump',
    html_url: 'https://github.com/o/r/pull/7',
    user: { login: 'mira' },
    head: { ref: 'pump' },
    base: { ref: 'main' },
  },
  repository: { full_name: 'o/r', html_url: 'https://github.com/o/r' },
  sender: { login: 'mira' },
});

describe('an intake', () => {
  const folder = temporaryFolder('intakes');
  let browser: Browser;
  let program: Program;

  beforeAll(async () => {
    if (!hasChromium) return;
    const port = await freePort();
    browser = await launchBrowser();
    program = await startProgram({
      dataDir: folder.path,
      port,
      env: { PUBLIC_URL: `http://127.0.0.1:${port}` },
    });
  });
  beforeEach(({ skip }) => skip(!hasChromium, WHY_NOT));
  afterAll(async () => {
    await browser?.close();
    await program?.stop();
    folder.remove();
  });

  async function deliver(address: string, secret: string, body = OPENED): Promise<number> {
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const { status } = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'pull_request',
        'x-hub-signature-256': `sha256=${signature}`,
      },
      body,
    });
    return status;
  }
  const addressOn = async (page: Page) =>
    (await page
      .getByRole('region', { name: 'Address', exact: true })
      .locator('code')
      .first()
      .textContent()) ?? '';

  test('for GitHub is made in the browser, turns when the first signed delivery comes, and its task is in the inbox', async () => {
    const page = await openInbox(browser, program, folder.path);
    await page.getByRole('link', { name: 'Intakes' }).click();
    await page.getByRole('link', { name: 'New intake' }).click();
    await page.getByRole('searchbox', { name: 'Search senders' }).fill('github');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Create intake' }).click();
    await page.getByText('Waiting for the first delivery').waitFor();
    const address = await addressOn(page);
    const secret =
      (await page.getByRole('region', { name: 'New secret' }).locator('code').textContent()) ?? '';

    expect(await deliver(address, 'a forger’s')).toBe(401);
    await page.getByRole('button', { name: /^Refused/ }).waitFor();
    await page.getByText('Waiting for the first delivery').waitFor();
    expect(await deliver(address, secret)).toBe(202);
    await page.getByText('The first delivery is here.').waitFor();
    const accepted = page.getByRole('button', { name: /^Accepted.*pull_request\.opened/ });
    await accepted.click();
    await page.getByText('mira opened pull request #7 in o/r: Fix the pump').first().waitFor();
    await page.getByRole('group', { name: 'Body' }).getByText('"full_name": "o/r"').waitFor();

    // Its own mapping from now on, with a value that was clicked.
    await page.getByRole('tab', { name: 'Mapping' }).click();
    await page.getByRole('button', { name: 'Write your own' }).click();
    await page.getByRole('textbox', { name: 'Content' }).fill('Review please: ');
    await page.getByRole('button', { name: 'Insert pull_request.title' }).click();
    await page.getByRole('region', { name: 'Preview' }).getByText('Review please: Fix the pump').waitFor();
    await page.getByRole('button', { name: 'Save mapping' }).click();
    await page.getByText('Saved: the next delivery is read by it').waitFor();
    expect(await deliver(address, secret, OPENED.replaceAll('7', '8'))).toBe(202);

    // A new address; the old one ends at once.
    await page.getByRole('button', { name: /^New address/ }).click();
    await page.getByRole('radio', { name: 'Now' }).check();
    await page.getByRole('button', { name: 'Make a new address' }).click();
    await page.getByRole('dialog', { name: 'New address', exact: true }).waitFor({ state: 'detached' });
    expect(await addressOn(page)).not.toBe(address);
    expect(await deliver(address, secret)).toBe(404);

    await page.getByRole('link', { name: 'Inbox', exact: true }).click();
    await rowOf(page, 'mira opened pull request #7 in o/r: Fix the pump').waitFor();
    await rowOf(page, 'Review please: Fix the pump').waitFor();
  });
});
