// The calls of the API documentation, tried from the page in a real browser: with the session, with a pasted
// key, with a key made there, by keyboard alone, on a phone.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createKey,
  createSignInLink,
  startProgram,
  temporaryFolder,
  type Program,
} from '#test/program/program.ts';
import { smallOn, violationsOn } from './accessibility.ts';
import { hasChromium, launchBrowser, waitUntilLive, WHY_NOT } from './browser.ts';

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
/** Everything that a browser could find again later. */
const STORED = `JSON.stringify([localStorage, sessionStorage, document.cookie, history.state, location.href])`;

describe('the calls of the API documentation', () => {
  const folder = temporaryFolder('try-it');
  let browser: Browser;
  let program: Program;
  let key: string;
  let context: BrowserContext;

  beforeAll(async () => {
    if (!hasChromium) return;
    browser = await launchBrowser();
    // The first user is an administrator.
    key = createKey(folder.path, 'owner@example.com');
    program = await startProgram({
      dataDir: folder.path,
      env: { RATE_LIMIT_PER_MINUTE: '1000' },
    });
  });
  beforeEach(({ skip }) => skip(!hasChromium, WHY_NOT));
  afterEach(() => context?.close());
  afterAll(async () => {
    await browser?.close();
    await program?.stop();
    folder.remove();
  });

  interface Visit {
    signedIn?: string;
    phone?: boolean;
    colorScheme?: 'light' | 'dark';
  }

  /** The page at this call, with its form open. */
  async function openCall(call: string, { signedIn, phone = false, colorScheme = 'light' }: Visit = {}) {
    context = await browser.newContext({
      viewport: phone ? PHONE : DESKTOP,
      hasTouch: phone,
      isMobile: phone,
      colorScheme,
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    if (signedIn !== undefined) {
      await page.goto(createSignInLink(folder.path, program.url, signedIn));
      await waitUntilLive(page);
    }
    await page.goto(`${program.url}/api-docs#${call}`);
    return { page, form: await tryCall(page, call) };
  }

  async function tryCall(page: Page, call: string) {
    const item = page.locator(`#${call}`);
    await item.getByRole('button', { name: 'Try it' }).click();
    return item;
  }

  const answerIn = (form: ReturnType<Page['locator']>) => form.getByRole('region', { name: 'Answer' });
  const body = (form: ReturnType<Page['locator']>) => form.getByRole('textbox', { name: 'Body' });

  test('are sent with the session: made, answered beside the form, and the next one knows the task', async () => {
    const { page, form } = await openCall('createTask', { signedIn: 'ann@example.com' });
    await form.getByText('It is sent as ann@example.com.').waitFor();
    await body(form).fill('{"content": "tried with <b>the session</b>"}');
    await form.getByRole('button', { name: 'Send' }).click();
    await answerIn(form).getByText('201 Created').waitFor();
    const text = await answerIn(form).textContent();
    expect(text).toMatch(/\d+ ms/);
    expect(text).toContain('"content": "tried with <b>the session</b>"');
    expect(text).toContain('X-Request-Id:');
    const [left, right] = [await body(form).boundingBox(), await answerIn(form).boundingBox()];
    expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0));

    await page.locator('#acknowledgeTask > summary').click();
    const end = await tryCall(page, 'acknowledgeTask');
    expect(await end.getByRole('textbox', { name: 'id' }).inputValue()).toMatch(/^task_/);
    await end.getByRole('button', { name: 'Send' }).click();
    const question = page.getByRole('alertdialog', { name: 'Acknowledge a task?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await answerIn(end).getByRole('status').textContent()).toBe('The answer comes here.');
    await end.getByRole('button', { name: 'Send' }).click();
    await question.getByRole('button', { name: 'Send it' }).click();
    await answerIn(end).getByText('Task acknowledged successfully').waitFor();
  });

  test('are sent with a pasted key, which is masked, is copied whole, and is nowhere once the page is left', async () => {
    const { page, form } = await openCall('createTask');
    await form.getByRole('textbox', { name: 'Your API key' }).fill(key);
    await form.getByRole('button', { name: 'Use it' }).click();
    await body(form).fill('{"content": " "}');
    await form.getByRole('button', { name: 'Send' }).click();
    const alert = answerIn(form).getByRole('alert');
    await alert.getByText('Message is required').waitFor();
    expect(await alert.textContent()).toContain('VALIDATION_ERROR');
    expect(await answerIn(form).getByText('400 Bad Request').count()).toBe(1);
    await body(form).fill('{"content": tried}');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText(/This is not JSON/).waitFor();
    await body(form).fill('{"content": "with a key"}');
    await form.getByRole('button', { name: 'Send' }).click();
    await answerIn(form).getByText('201 Created').waitFor();

    const shown = page.getByRole('main');
    expect(await shown.textContent()).not.toContain(key);
    await form.getByRole('button', { name: 'Copy: Create a task' }).click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain(`x-api-key: ${key}`);
    await form.getByRole('button', { name: 'Reveal the key' }).click();
    expect(await form.getByRole('group', { name: 'Create a task' }).textContent()).toContain(key);
    expect(await page.evaluate<string>(STORED)).not.toContain(key);
    await page.getByRole('link', { name: 'Back to home' }).click();
    await page.goBack();
    await page.getByRole('heading', { name: 'Rate Limiting' }).waitFor();
    expect(await shown.getByRole('textbox', { name: 'Your API key' }).first().inputValue()).toBe('');
    expect(await page.getByText('qi_your_key').count()).toBeGreaterThan(0);
  });

  test('are sent with a key made there: named after the call, with the one scope it needs, and revoked there', async () => {
    const { page, form } = await openCall('createTask', { signedIn: 'ann@example.com' });
    await form.getByRole('radio', { name: 'API key' }).check();
    await form.getByRole('button', { name: 'Make a key that may only create tasks' }).click();
    await form.getByText('“API page: Create a task”').waitFor();
    await form.getByRole('button', { name: 'Send' }).click();
    await answerIn(form).getByText('201 Created').waitFor();
    const list = await tryCallOf(page, 'listApiKeys');
    await list.getByRole('button', { name: 'Send' }).click();
    await answerIn(list).getByText('200 OK').waitFor();
    const made = JSON.parse((await answerIn(list).locator('pre').textContent()) ?? '') as {
      apiKeys: { name: string; scopes: string[] }[];
    };
    expect(made.apiKeys[0]).toMatchObject({ name: 'API page: Create a task', scopes: ['ingest'] });

    await form.getByRole('button', { name: 'Revoke' }).click();
    await form.getByRole('textbox', { name: 'Your API key' }).waitFor();
    await list.getByRole('button', { name: 'Send' }).click();
    await answerIn(list).getByText('API page: Create a task').waitFor({ state: 'detached' });
  });

  async function tryCallOf(page: Page, call: string) {
    await page.locator(`#${call} > summary`).click();
    return tryCall(page, call);
  }

  test('of administrators stand apart, and only they can send them', async () => {
    const { page, form } = await openCall('listUsers', { signedIn: 'ann@example.com' });
    expect(await page.getByRole('region', { name: 'Administration' }).locator('#listUsers').count()).toBe(1);
    await form.getByText('Only an administrator can make this call').waitFor();
    expect(await form.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await context.close();
    const { form: owners } = await openCall('listUsers', { signedIn: 'owner@example.com' });
    await owners.getByRole('button', { name: 'Send' }).click();
    await answerIn(owners).getByText('200 OK').waitFor();
  });

  test('are found, opened, filled in and sent by keyboard alone', async () => {
    const { page } = await openCall('health', { signedIn: 'ann@example.com', colorScheme: 'dark' });
    await page.locator('h1').click();
    await page.keyboard.press('/');
    await page.keyboard.type('post batch');
    await page.getByText(/^1 of \d+ endpoints/).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('#createTasks :focus').waitFor();
    expect(page.url()).toContain('#createTasks');
    const tryIt = page.locator('#createTasks').getByRole('button', { name: 'Try it' });
    await tabTo(page, tryIt);
    await page.keyboard.press('Enter');
    const field = body(page.locator('#createTasks'));
    await tabTo(page, field);
    await page.keyboard.press('Control+Enter');
    await answerIn(page.locator('#createTasks')).getByText('201 Created').waitFor();
    expect(await violationsOn(page)).toEqual([]);
  });

  async function tabTo(page: Page, target: ReturnType<Page['locator']>) {
    await target.waitFor();
    for (let pressed = 0; pressed < 20; pressed++) {
      if ((await target.and(page.locator(':focus')).count()) === 1) return;
      await page.keyboard.press('Tab');
    }
    throw new Error('it cannot be reached by Tab');
  }

  test('fit a phone: the answer under the form, nothing sideways, all large enough for a finger', async () => {
    const { page, form } = await openCall('createTask', { phone: true });
    await form.getByRole('textbox', { name: 'Your API key' }).fill(key);
    await form.getByRole('button', { name: 'Use it' }).click();
    await form.getByRole('button', { name: 'Send' }).click();
    await answerIn(form).getByText('201 Created').waitFor();
    const [above, below] = [await body(form).boundingBox(), await answerIn(form).boundingBox()];
    expect(below?.y).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0));
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(PHONE.width);
    expect(await violationsOn(page)).toEqual([]);
    expect(await smallOn(page)).toEqual([]);
  });

  test.each([
    [320, ''],
    [360, '* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }'],
  ])(
    'have room for the key that is made there at %d px, with more between the letters, too',
    async (width, css) => {
      const { page, form } = await openCall('createTask', { signedIn: 'ann@example.com', phone: true });
      await page.setViewportSize({ width, height: 740 });
      // No style element: the policy of the page refuses those.
      await page.evaluate(`{
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(${JSON.stringify(css)});
      document.adoptedStyleSheets = [sheet];
    }`);
      await form.getByRole('radio', { name: 'API key' }).check();
      const make = await form.getByRole('button', { name: /^Make a key that may only/ }).boundingBox();
      expect((make?.x ?? 0) + (make?.width ?? Infinity)).toBeLessThanOrEqual(width);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width);
    },
  );

  test('are linked to, and the section that is being read is marked beside them', async () => {
    const { page } = await openCall('pinTask');
    const beside = page.getByRole('navigation', { name: 'On this page' });
    await beside.getByRole('link', { name: 'Tasks', exact: true, includeHidden: true }).waitFor();
    const marked = beside.locator('[aria-current=location]');
    for (const name of ['Endpoints', 'Tasks']) await marked.getByText(name, { exact: true }).waitFor();
    expect(await marked.count()).toBe(2);
    await beside.getByRole('link', { name: 'Error Handling' }).click();
    await marked.getByText('Error Handling', { exact: true }).waitFor();
    expect(await marked.count()).toBe(1);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('qinbox-openapi.json');
  });
});
