// A webhook in a real browser: added, told of a task with a signature that its secret proves, tested, looked
// into, and refused where it leads inside.
import { createHmac } from 'node:crypto';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startReceiver, type Received, type Receiver } from '#test/helpers/receivers.ts';
import { createKey, startProgram, temporaryFolder, type Program } from '#test/program/program.ts';
import { hasChromium, launchBrowser, openInbox, WHY_NOT } from './browser.ts';
import { pushWithCurl } from './push.ts';

describe('webhooks among the settings', () => {
  const folder = temporaryFolder('webhooks');
  let browser: Browser;
  let program: Program;
  let page: Page;
  let key: string;
  let receiver: Receiver;

  beforeAll(async () => {
    if (!hasChromium) return;
    browser = await launchBrowser();
    key = createKey(folder.path);
    const env = { OUTGOING_ALLOW: '127.0.0.1', WEBHOOK_HTTP: 'true' };
    program = await startProgram({ dataDir: folder.path, env });
    page = await openInbox(browser, program, folder.path);
    receiver = await startReceiver((_message, answer) => answer.end('thanks'));
  });
  beforeEach(({ skip }) => skip(!hasChromium, WHY_NOT));
  afterAll(async () => {
    await browser?.close();
    await program?.stop();
    await receiver?.close();
    folder.remove();
  });

  test('are added, told of tasks, and tested; what leads inside is refused in place', async () => {
    await page.goto(`${program.url}/admin/webhooks`);
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const dialog = page.getByRole('dialog', { name: 'New webhook' });
    const add = dialog.getByRole('button', { name: 'Add' });
    await dialog.getByLabel('Name').fill('Incident bot');
    await dialog.getByLabel('Address').fill('http://10.0.0.1/in');
    await add.click();
    expect(await dialog.getByRole('alert').textContent()).toMatch(
      /^Must be an address of the public internet/,
    );
    await dialog.getByLabel('Address').fill(receiver.url);
    await page.route('**/api/v1/webhooks', (route) => route.abort());
    await add.press('Enter');
    await dialog.getByText('Failed to save the webhook').waitFor();
    expect(await hasFocus(add), 'it was disabled meanwhile').toBe(true);
    await page.unroute('**/api/v1/webhooks');
    await add.click();
    const secret = await page
      .getByRole('region', { name: 'New secret' })
      .getByText(/^whsec_/)
      .textContent();

    await pushWithCurl(program.url, key, 'disk full on db1');
    const [{ headers, body }] = (await receiver.count(1)) as [Received];
    const bytes = Buffer.from(secret?.replace('whsec_', '') ?? '', 'base64');
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signature = createHmac('sha256', bytes).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
    expect(JSON.parse(body)).toMatchObject({ type: 'task.created', data: { content: 'disk full on db1' } });

    const actions = page.getByRole('button', { name: 'Actions for Incident bot' });
    await actions.click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const edited = page.getByRole('dialog', { name: 'Edit Incident bot' });
    await edited.waitFor();
    await page.locator('[role=menu]').waitFor({ state: 'detached' });
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(drawn))');
    const inside = edited.or(edited.locator('*'));
    expect(await hasFocus(inside), 'the menu gave the focus to its button').toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => hasFocus(actions)).toBe(true);

    await actions.click();
    await page.getByRole('menuitem', { name: 'Send a test' }).click();
    const list = page.getByRole('list', { name: 'Deliveries to Incident bot' });
    await list.getByRole('button', { name: /^Delivered.*webhook\.test/ }).click();
    await list.getByText('thanks').waitFor();
    await page.getByText(/^Last delivered/).waitFor();
    expect(await list.getByRole('button', { name: /^Delivered/ }).count()).toBe(2);

    const again = list.getByRole('button', { name: 'Send again' });
    await again.press('Enter');
    await receiver.count(3);
    await expect.poll(() => hasFocus(again), { message: 'it was disabled meanwhile' }).toBe(true);
  });

  test('are added once, however often Enter is pressed until the dialog is gone', async () => {
    await page.goto(`${program.url}/admin/webhooks`);
    let posts = 0;
    await page.route('**/api/v1/webhooks', async (route) => {
      if (route.request().method() === 'POST') posts += 1;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const dialog = page.getByRole('dialog', { name: 'New webhook' });
    await dialog.getByLabel('Address').fill(receiver.url);
    await dialog.getByLabel('Name').fill('Pressed often');
    // As keys that are held or pressed in haste, also while it fades out.
    await page.evaluate(`new Promise((done) => {
      const form = document.querySelector('[role=dialog] form');
      const button = form.querySelector('[type=submit]');
      const press = () => {
        if (!form.isConnected) return done();
        if (!button.disabled) form.requestSubmit();
        setTimeout(press, 10);
      };
      press();
    })`);
    await page.unroute('**/api/v1/webhooks');
    expect(posts).toBe(1);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: 'Actions for Pressed often' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Actions for Pressed often' }).waitFor({ state: 'detached' });
    // It goes back in the history, which would end the next page's coming.
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  });

  test('give the focus to the next one when they are deleted, the last one to what they were in', async () => {
    await page.goto(`${program.url}/admin/webhooks`);
    for (const name of ['First', 'Second', 'Third']) {
      await page.getByRole('button', { name: 'Add webhook' }).click();
      const dialog = page.getByRole('dialog', { name: 'New webhook' });
      await dialog.getByLabel('Name').fill(name);
      await dialog.getByLabel('Address').fill(receiver.url);
      await dialog.getByRole('button', { name: 'Add' }).press('Enter');
      await page.getByRole('button', { name: `Actions for ${name}` }).waitFor();
    }
    const remove = async (button: Locator) => {
      await button.press('Enter');
      await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
      const question = page.getByRole('alertdialog');
      await question.waitFor();
      // The dialog in which the last one was added may fade out still.
      await expect.poll(() => page.locator('[data-modal]').count()).toBe(1);
      // It comes a frame after the question can be seen.
      await expect
        .poll(() => hasFocus(question.or(question.locator('*'))), { message: 'the other took it back' })
        .toBe(true);
      await question.getByRole('button', { name: 'Delete' }).press('Enter');
      await question.waitFor({ state: 'detached' });
    };
    const menu = (name: string) => page.getByRole('button', { name: `Actions for ${name}` });
    const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await remove(menu('Second'));
    await expect.poll(() => hasFocus(row('Third'))).toBe(true);
    await remove(menu('Third'));
    await expect.poll(() => hasFocus(row('First'))).toBe(true);
    while (await menu('').count()) await remove(menu('').first());
    await expect.poll(() => hasFocus(page.getByRole('region', { name: 'Webhooks' }))).toBe(true);
  });
});

/** Whether one of these has the focus. */
async function hasFocus(controls: Locator): Promise<boolean> {
  return (await controls.and(controls.page().locator(':focus')).count()) > 0;
}
