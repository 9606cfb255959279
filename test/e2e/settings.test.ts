// The settings in a real browser: sections by address and keyboard, people who are invited and shut out, keys
// that may little and not for long, and the ways in and out of a server that was only just started.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKey, startProgram, temporaryFolder, type Program } from '#test/program/program.ts';
import { createOpenIntake, signIn, type SignedInCall } from '#test/program/signed-in.ts';
import { waitFor } from '#test/program/wait.ts';
import { hasChromium, launchBrowser, openInbox, openInboxAt, waitUntilLive, WHY_NOT } from './browser.ts';

describe('the settings', () => {
  const folder = temporaryFolder('settings');
  let browser: Browser;
  let program: Program;
  /** The administrator's, who signs in once: attempts are counted by address. */
  let page: Page;
  let call: SignedInCall;

  beforeAll(async () => {
    if (!hasChromium) return;
    browser = await launchBrowser();
    // The first whom the operator names is the administrator.
    createKey(folder.path);
    program = await startProgram({ dataDir: folder.path });
    page = await openInbox(browser, program, folder.path);
    call = await signIn(folder.path, program.url);
  });
  beforeEach(async ({ skip }) => {
    skip(!hasChromium, WHY_NOT);
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  afterEach(async () => {
    const others = browser?.contexts().filter((context) => context !== page.context()) ?? [];
    await Promise.all(others.map((context) => context.close()));
  });
  afterAll(async () => {
    await browser?.close();
    await program?.stop();
    folder.remove();
  });

  const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const dialogOf = (of: Page) => of.getByRole('dialog', { name: 'Sign In to Qinbox' });
  const pathOf = (of: Page) => new URL(of.url()).pathname;
  const send = (method: string, path: string, key: string, body?: object) =>
    fetch(`${program.url}/api/v1${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  test('have sections that are found by address, by keyboard, and by going back', async () => {
    await page.goto(`${program.url}/admin/notifications`);
    await title('Notifications');
    expect(await page.title()).toBe('Notifications · Qinbox');
    const sections = page.getByRole('navigation', { name: 'Settings' });
    await sections.getByRole('link', { name: 'Notifications' }).focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await title('Appearance');
    expect(pathOf(page)).toBe('/admin/appearance');
    // The next Tab goes on in the new section.
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await title('Settings');
    await page.getByRole('region', { name: 'API Keys' }).waitFor();
    await page.goBack();
    await title('Appearance');
  });

  test('on a phone are a list on the first screen, and the way back on the others', async () => {
    await page.setViewportSize({ width: 360, height: 760 });
    await page.goto(`${program.url}/admin`);
    await page.getByRole('link', { name: 'Keyboard' }).click();
    await title('Keyboard');
    expect(await page.getByRole('link', { name: 'Appearance' }).isVisible()).toBe(false);
    await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
    await title('Settings');
  });

  test('invite somebody, who comes in by the link, once, and is shut out within moments', async () => {
    await page.goto(`${program.url}/admin/users`);
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('ann@example.com');
    await page.keyboard.press('Enter');
    const link = await page.getByRole('region', { name: 'Sign-in link' }).locator('code').first().innerText();
    expect(link.startsWith(program.url)).toBe(true);
    const theirs = await openInboxAt(browser, link);
    await theirs.getByRole('button', { name: 'User menu: ann@example.com' }).waitFor();
    const again = await (await browser.newContext()).newPage();
    await again.goto(link);
    await again.getByText('This sign-in link does not work any more').waitFor();

    await page.getByRole('button', { name: 'Actions for ann@example.com' }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('ann@example.com is shut out.').waitFor();
    await dialogOf(theirs).waitFor();
    expect(await theirs.evaluate("localStorage.getItem('refreshToken')")).toBeNull();
  });

  test('make a key that may only create, and says until when it is good', async () => {
    await page.goto(`${program.url}/admin`);
    await page
      .getByText(/^Read and write/)
      .first()
      .click();
    for (const name of ['Read', 'Write']) await page.getByRole('checkbox', { name }).uncheck();
    await page.getByRole('checkbox', { name: 'Ingest' }).check();
    await page.getByRole('combobox', { name: 'Expires' }).selectOption('In 30 days');
    await page.getByRole('textbox', { name: 'Name of a new key' }).fill('door sensor');
    await page.keyboard.press('Enter');
    const key = await page.getByRole('region', { name: 'New API key' }).locator('code').innerText();
    const row = page.getByRole('list', { name: 'Active API keys' }).getByRole('listitem');
    expect(await row.filter({ hasText: 'door sensor' }).innerText()).toMatch(/Ingest\s+Expires /);
    expect((await send('POST', '/tasks', key, { content: 'the door is open' })).status).toBe(201);
    expect((await send('GET', '/tasks', key)).status).toBe(403);
  });

  test('sign a browser out when the key that it uses expires', async () => {
    const other = await (await browser.newContext()).newPage();
    await other.goto(`${program.url}/inbox`);
    await other.locator('header').getByRole('button', { name: 'Sign In' }).click();
    const field = other.getByRole('textbox', { name: 'API Key' });
    await field.waitFor();
    const expires_at = new Date(Date.now() + 15_000).toISOString();
    const { apiKey } = await call('POST', '/auth/api-keys', { name: 'short', expires_at });
    const { key } = apiKey as { key: string };
    await field.fill(key);
    await other.keyboard.press('Enter');
    await dialogOf(other).waitFor({ state: 'hidden' });
    await waitUntilLive(other);
    await dialogOf(other).waitFor();
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expires_at));
    const refused = await send('GET', '/tasks', key);
    expect(refused.status).toBe(401);
    expect(((await refused.json()) as { error: string }).error).toContain(`expired at ${expires_at}`);
  });

  test('are open to a guest, whom the dialog without Google tells how to get in', async () => {
    const context = await browser.newContext();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const guest = await context.newPage();
    await guest.goto(`${program.url}/admin`);
    await guest.getByRole('region', { name: 'You are not signed in' }).getByRole('button').click();
    const dialog = dialogOf(guest);
    await dialog.getByText('Google Sign-In is not configured').waitFor();
    await dialog.getByRole('button', { name: 'Copy command' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await guest.evaluate('navigator.clipboard.readText()')).toBe('qinbox signin-link');
    expect(await dialog.innerText()).not.toMatch(/Sign in with Google|Continue with Google/);
  });

  test('beside them, an intake says that only this machine reaches it, and the senders are searched at once', async () => {
    await createOpenIntake(call);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Intakes' }).click();
    await title('Intakes');
    await page.getByText(/^Senders on other machines cannot reach/).waitFor();
    await page.getByRole('link', { name: 'Anything', exact: true }).click();
    await page.getByText(/^Senders on other machines cannot reach this address/).waitFor();
    await page.getByRole('link', { name: 'Intakes' }).last().click();
    await page.getByRole('link', { name: 'New intake' }).click();
    await page.getByRole('searchbox', { name: 'Search senders' }).waitFor();
    await waitFor('the search to have the focus', () =>
      page.evaluate<boolean>("document.activeElement.matches('[type=search]')"),
    );
    await page.keyboard.type('stripe');
    await page.keyboard.press('Enter');
    await title('New intake: Stripe');
    expect(new URL(page.url()).searchParams.get('preset')).toBe('stripe');
  });
});
