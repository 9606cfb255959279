// A real Chromium on the real program: signed in through a one-time link, as the owner of a new install would
// be.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';
import { buildOnce, createSignInLink, type Program } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';

export const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
export const hasChromium = existsSync(chromiumPath);
/** The same engine without what only windows need: half the processor time. */
const SHELL = '/usr/bin/chromium-headless-shell';
const headlessPath = process.env['CHROMIUM_PATH'] === undefined && existsSync(SHELL) ? SHELL : chromiumPath;
export const WHY_NOT = `there is no Chromium at ${chromiumPath} (set CHROMIUM_PATH)`;

/** A timeout for what never comes. {@link heardBy} shows whether it came by the live socket. */
const PATIENCE_MS = 120_000;

/** For every browser that is started here. */
export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Starts a browser, with the web app built as its sources are now; `more` are arguments to it, which only the
 * whole browser knows.
 */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  buildOnce();
  const executablePath = more.length === 0 ? headlessPath : chromiumPath;
  const browser = await chromium.launch({
    executablePath,
    args: [...BROWSER_FLAGS, ...more],
    headless: true,
  });
  const newContext = browser.newContext.bind(browser);
  return Object.assign(browser, {
    async newContext(options?: BrowserContextOptions) {
      const context = await newContext(options);
      context.setDefaultTimeout(PATIENCE_MS);
      return context;
    },
  });
}

/** Starts a browser on a profile folder of its own, which outlives it. The web app must have been built. */
export async function launchProfile(folder: string): Promise<[BrowserContext, Page]> {
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: chromiumPath,
    args: [...BROWSER_FLAGS],
    headless: true,
    viewport: { width: 1280, height: 800 },
  });
  context.setDefaultTimeout(PATIENCE_MS);
  return [context, context.pages()[0] ?? (await context.newPage())];
}

/** Closes it and its pages. What a route of a test still holds ends with them, which is no failure. */
export async function closeContext(context: BrowserContext): Promise<void> {
  for (const routed of [context, ...context.pages()]) await routed.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
}

/** As a crash or an empty battery does: every process of the browser on this profile is gone at once. */
export async function killProfile(folder: string): Promise<void> {
  const processes = () =>
    readdirSync('/proc').filter(
      (pid) => /^\d+$/.test(pid) && commandOf(pid).includes(`--user-data-dir=${folder}`),
    );
  for (const pid of processes()) process.kill(Number(pid), 'SIGKILL');
  await waitFor('the end of the browser', () => processes().length === 0);
  // It could not take its lock away any more.
  for (const name of readdirSync(folder)) if (name.startsWith('Singleton')) rmSync(join(folder, name));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

const heard = new WeakMap<Page, string[]>();

/**
 * A page of its own (own cookies, own storage) in which the owner has signed in and the live socket is up.
 */
export function openInbox(
  browser: Browser,
  program: Program,
  dataDir: string,
  options?: BrowserContextOptions,
): Promise<Page> {
  return openInboxAt(browser, createSignInLink(dataDir, program.url), options);
}

/** The same, signed in through this link. */
export async function openInboxAt(
  browser: Browser,
  signInLink: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const messages: string[] = [];
  heard.set(page, messages);
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => messages.push(payload.toString()));
  });
  await page.goto(signInLink);
  await waitUntilLive(page);
  await waitUntilWhole(page);
  return page;
}

/** Resolves when the inbox has all its code, not only the first list. */
export async function waitUntilWhole(page: Page): Promise<void> {
  await page.getByRole('group', { name: 'List', exact: true }).waitFor();
}

/** Resolves when the page says that it is connected. */
export async function waitUntilLive(page: Page): Promise<void> {
  await page.getByText('Live', { exact: true }).first().waitFor();
}

/** Everything that a page of {@link openInbox} was sent over its live sockets so far. */
export function heardBy(page: Page): readonly string[] {
  return heard.get(page) ?? [];
}

/** The row of the task with this content. */
export function rowOf(page: Page, content: string) {
  return page.locator('article[data-task]').filter({ hasText: content });
}
