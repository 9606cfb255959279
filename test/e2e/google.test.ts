// Google sign-in in a real browser on the real program, in front of an issuer of our own: only Google's
// script is a stand-in, which hands over real RS256 tokens of that issuer.
import type { JWTPayload } from 'jose';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startIssuer, type Issuer } from '#test/helpers/issuer.ts';
import { startProgram, temporaryFolder, type Program } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { closeContext, hasChromium, launchBrowser, waitUntilLive, WHY_NOT } from './browser.ts';
import { recordCalls, storedSession } from './watch.ts';

const SCRIPT = 'https://accounts.google.com/gsi/client';
// What the page may use of google.accounts.id. The button answers with the next of
// `globalThis.__credentials`.
const STAND_IN = `(() => {
  let settings;
  const callBack = () => settings.callback({ credential: globalThis.__credentials.shift() });
  globalThis.__google = { initialized: [], nonces: [], prompts: 0, callBack };
  globalThis.google = { accounts: { id: {
    initialize(given) { settings = given; __google.initialized.push(given.client_id); __google.nonces.push(given.nonce); },
    renderButton(container) {
      const button = document.createElement('button');
      button.textContent = 'Stand-in for Google';
      button.onclick = callBack;
      container.append(button);
    },
    prompt() { __google.prompts++; },
    cancel() {},
  } } };
})()`;

describe('Google sign-in', () => {
  const folder = temporaryFolder('google');
  let browser: Browser;
  let issuer: Issuer;
  let program: Program;
  let context: BrowserContext;
  let page: Page;
  /** Addresses of every request of the page, other than to the program. */
  let elsewhere: string[];

  beforeAll(async () => {
    if (!hasChromium) return;
    browser = await launchBrowser();
    issuer = await startIssuer();
    program = await startProgram({
      dataDir: folder.path,
      env: {
        GOOGLE_CLIENT_ID: issuer.clientId,
        GOOGLE_ISSUER: issuer.url,
        GOOGLE_JWKS_URL: issuer.jwksUrl,
        ALLOWED_EMAILS: 'ann@example.com',
      },
    });
  });
  beforeEach(async ({ skip }) => {
    skip(!hasChromium, WHY_NOT);
    await newPage();
  });
  afterEach(() => context && closeContext(context));
  afterAll(async () => {
    await browser?.close();
    await program?.stop();
    await issuer?.stop();
    folder.remove();
  });

  async function newPage(): Promise<void> {
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    page = await context.newPage();
    elsewhere = [];
    context.on('request', (request) => {
      if (new URL(request.url()).host !== new URL(program.url).host) elsewhere.push(request.url());
    });
    await context.route(SCRIPT, (route) => route.fulfill({ contentType: 'text/javascript', body: STAND_IN }));
  }

  const dialog = () => page.getByRole('dialog', { name: 'Sign In to Qinbox' });
  const googleButton = () => dialog().getByRole('button', { name: 'Stand-in for Google' });
  const alert = (text: string) => dialog().getByRole('alert').getByText(text, { exact: true });

  async function openDialog(): Promise<void> {
    await page.locator('header').getByRole('button', { name: 'Sign In' }).click();
    await dialog().waitFor();
  }

  async function giveCredentials(credentials: (string | undefined)[]): Promise<void> {
    const list = credentials.map((credential) => JSON.stringify(credential) ?? 'undefined');
    await page.evaluate(`globalThis.__credentials = [${list.join(',')}]`);
  }

  /** The nonce that the page gave Google. */
  async function nonceOfPage(): Promise<string> {
    await googleButton().waitFor();
    const nonces = JSON.parse(await page.evaluate('JSON.stringify(__google.nonces)')) as string[];
    expect(nonces).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    return nonces[0] ?? '';
  }

  /** A token as Google would make it for this page. */
  const tokenOfPage = async (claims: JWTPayload = {}) =>
    issuer.token(Date.now(), { nonce: await nonceOfPage(), ...claims });

  test('fetches the script when the dialog opens, and not before; prompts; and signs in with a full load of the inbox', async () => {
    const { of } = recordCalls(page);
    await page.goto(`${program.url}/inbox`);
    await page.locator('header').getByRole('button', { name: 'Sign In' }).waitFor();
    await waitFor('the first list', () => of('GET /tasks').length > 0);
    expect(elsewhere).toEqual([]);

    await page.evaluate('globalThis.__sameDocument = true');
    await openDialog();
    await giveCredentials([await tokenOfPage()]);
    expect(elsewhere).toEqual([SCRIPT]);
    expect(JSON.parse(await page.evaluate('JSON.stringify(__google)'))).toMatchObject({
      initialized: [issuer.clientId],
      prompts: 1,
    });

    await googleButton().click();
    await waitUntilLive(page);
    expect(await page.evaluate('globalThis.__sameDocument')).toBeUndefined();
    expect(new URL(page.url()).pathname).toBe('/inbox');
    expect(of('POST /auth/google')).toEqual([200]);
    const { user = '{}', ...tokens } = await storedSession(page);
    expect(Object.keys(tokens).toSorted()).toEqual(['accessToken', 'refreshToken']);
    expect(JSON.parse(user)).toMatchObject({ email: 'ann@example.com', auth_provider: 'google' });
    await page.getByRole('button', { name: 'User menu: ann@example.com' }).waitFor();
  });

  test('says so when Google gives no credential, and when the server refuses one', async () => {
    await page.clock.install();
    await page.goto(program.url);
    await openDialog();
    await giveCredentials([undefined, await tokenOfPage({ aud: 'somebody else' })]);
    await googleButton().click();
    await alert('Google sign-in failed. Please try again.').waitFor();
    await dialog().getByRole('button', { name: 'Dismiss' }).click();

    await page.clock.fastForward(3000);
    await googleButton().click();
    await alert('Error Code: UNAUTHORIZED').waitFor();
    await alert('Google sign-in failed. Please try again.').waitFor();
    expect(await storedSession(page)).toEqual({});
  });

  test('refuses a token that another sign-in was given, and takes the one of this page', async () => {
    await page.clock.install();
    await page.goto(program.url);
    await openDialog();
    const own = await nonceOfPage();
    await page.reload();
    await openDialog();
    expect(await nonceOfPage()).not.toBe(own);
    await giveCredentials([await tokenOfPage({ nonce: own }), await tokenOfPage()]);
    await googleButton().click();
    await alert(
      'This Google sign-in was not started by this page. Load the page again and sign in once more.',
    ).waitFor();
    expect(await storedSession(page)).toEqual({});

    await page.clock.fastForward(3000);
    await googleButton().click();
    await page.waitForURL('**/inbox');
    await waitUntilLive(page);
    expect(JSON.parse((await storedSession(page))['user'] ?? '{}')).toMatchObject({
      email: 'ann@example.com',
    });
  });

  test('tells somebody whom the operator has not let in what the operator does about it', async () => {
    await page.goto(program.url);
    await openDialog();
    await giveCredentials([await tokenOfPage({ email: 'stranger@example.com' })]);
    await googleButton().click();
    await dialog().getByRole('alert').getByText('stranger@example.com is not let in here.').waitFor();
    await dialog().getByRole('alert').getByText('qinbox user add').waitFor();
    await alert('Error Code: FORBIDDEN').waitFor();
    expect(await storedSession(page)).toEqual({});
  });

  test('falls back on texts of its own where the server gives none, or no answer at all', async () => {
    await page.clock.install();
    await page.goto(program.url);
    await context.route('**/auth/google', (route) =>
      route.fulfill({ status: 200, contentType: 'application/json', body: '{"success":false}' }),
    );
    await openDialog();
    await giveCredentials(['one', 'two']);
    await googleButton().click();
    await alert('Authentication failed').waitFor();

    await context.route('**/auth/google', (route) => route.abort());
    await page.clock.fastForward(3000);
    await googleButton().click();
    await alert('Failed to sign in with Google').waitFor();
    expect(await storedSession(page)).toEqual({});
  });

  test('ignores an attempt while one is running, and within three seconds of the previous one', async () => {
    await page.clock.install();
    await page.goto(program.url);
    const answer = Promise.withResolvers<void>();
    const asked: { idToken: string }[] = [];
    await context.route('**/auth/google', async (route) => {
      asked.push(route.request().postDataJSON() as { idToken: string });
      if (asked.length === 1) await answer.promise;
      await route.fulfill({ status: 401, contentType: 'application/json', body: '{"success":false}' });
    });
    await openDialog();
    await giveCredentials(['first', 'while it runs', 'second', 'too soon', 'third']);
    await googleButton().waitFor();
    // From here on time passes only when it is told to, however busy the machine is.
    await page.clock.pauseAt(Date.now() + 60_000);
    // As Google's one-tap prompt would: a locked dialog does not keep it from calling back.
    const callBack = () => page.evaluate('__google.callBack()');
    await callBack();
    await waitFor('the first attempt', () => asked.length === 1);
    expect(await dialog().getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
    await page.clock.fastForward(3000);
    await callBack();
    answer.resolve();
    await alert('Authentication failed').waitFor();

    await callBack();
    await waitFor('the second attempt', () => asked.length === 2);
    await alert('Authentication failed').waitFor();
    await callBack();
    await page.clock.fastForward(3000);
    await callBack();
    await waitFor('the third attempt', () => asked.length === 3);
    expect(asked.map(({ idToken }) => idToken)).toEqual(['first', 'second', 'third']);
  });

  test('keeps a button of ours where the script cannot be had, which tries again', async () => {
    await context.route(SCRIPT, (route) => route.abort());
    await page.goto(program.url);
    await openDialog();
    const ours = dialog().getByRole('button', { name: 'Continue with Google' });
    await ours.click();
    await alert('Failed to sign in with Google').waitFor();
    await context.unroute(SCRIPT);
    await context.route(SCRIPT, (route) => route.fulfill({ contentType: 'text/javascript', body: STAND_IN }));
    await ours.click();
    await googleButton().waitFor();
    expect(await ours.count()).toBe(0);
  });
});

test('without a client id no request leaves for any other host, on no screen, and the dialog says what to set', async ({
  skip,
}) => {
  skip(!hasChromium, WHY_NOT);
  const folder = temporaryFolder('no-google');
  const browser = await launchBrowser();
  const program = await startProgram({ dataDir: folder.path });
  try {
    const context = await browser.newContext();
    const page = await context.newPage();
    const hosts = new Set<string>();
    context.on('request', (request) => hosts.add(new URL(request.url()).host));
    page.on('websocket', (socket) => hosts.add(new URL(socket.url()).host));
    for (const path of ['/', '/api-docs', '/admin', '/nowhere', '/inbox']) {
      await page.goto(program.url + path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
    }
    await page.locator('header').getByRole('button', { name: 'Sign In' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign In to Qinbox' });
    await dialog.getByText('Google Sign-In is not configured.').waitFor();
    await page.waitForLoadState('networkidle');
    expect([...hosts]).toEqual([new URL(program.url).host]);
    await closeContext(context);
  } finally {
    await browser.close();
    await program.stop();
    folder.remove();
  }
});
