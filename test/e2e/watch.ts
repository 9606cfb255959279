// Records what a page does out of sight: its calls and their answers, its events, its storage.
import type { BrowserContext, Page, Response } from 'playwright-core';
import { waitFor } from '#test/program/wait.ts';

/** The entries of local storage that make a session. */
const SESSION_ENTRIES = ['accessToken', 'refreshToken', 'user', 'apiKey'] as const;
type Entry = (typeof SESSION_ENTRIES)[number];

/**
 * From now on every page of the context keeps a list of the authentication events raised on its window,
 * without those of a guest's page that asked for data by itself.
 */
export async function recordAuthEvents(context: BrowserContext): Promise<void> {
  await context.addInitScript(`for (const name of ['auth:expired', 'auth:required'])
    addEventListener(name, ({ detail }) => {
      if (!detail?.background) sessionStorage.authEvents = (sessionStorage.authEvents ?? '') + name + '\\n';
    });`);
}

/** The authentication events of this tab, whatever pages it showed. */
export const authEvents = (page: Page): Promise<string[]> =>
  page.evaluate(`(sessionStorage.authEvents ?? '').split('\\n').slice(0, -1)`);

/** The session as the browser keeps it; entries that are not there are left out. */
export async function storedSession(page: Page): Promise<Partial<Record<Entry, string>>> {
  const json = await page.evaluate<string>(
    `JSON.stringify(Object.fromEntries(${JSON.stringify(SESSION_ENTRIES)}.flatMap((name) => {
      const value = localStorage.getItem(name);
      return value === null ? [] : [[name, value]];
    })))`,
  );
  return JSON.parse(json) as Partial<Record<Entry, string>>;
}

/** Writes session entries as if they had been there all along; `null` removes one. */
export async function storeEntries(
  page: Page,
  entries: Partial<Record<Entry, string | null>>,
): Promise<void> {
  const list = JSON.stringify(Object.entries(entries));
  await page.evaluate(`for (const [name, value] of ${list})
    value === null ? localStorage.removeItem(name) : localStorage.setItem(name, value);`);
}

export interface Answered {
  call: string;
  status: number;
}

/** Every answered call of the API, as it comes: `POST /tasks`, 201. */
export function recordCalls(source: Page | BrowserContext): {
  calls: Answered[];
  of: (call: string) => number[];
} {
  const calls: Answered[] = [];
  const note = (response: Response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.startsWith('/api/v1/')) return;
    const call = `${response.request().method()} ${pathname.slice('/api/v1'.length)}`;
    calls.push({ call, status: response.status() });
  };
  // The two have an overload each, which a union cannot choose between.
  if ('newPage' in source) source.on('response', note);
  else source.on('response', note);
  return {
    calls,
    of: (call) => calls.filter((made) => made.call === call).map(({ status }) => status),
  };
}

/**
 * Lets requests that carry this access token go only once `count` of them are there, so that they fail
 * together.
 */
export async function holdUntilTogether(
  context: BrowserContext,
  token: string,
  count: number,
): Promise<void> {
  let waiting = 0;
  await context.route('**/api/v1/**', async (route) => {
    if (route.request().headers()['authorization'] === `Bearer ${token}`) {
      waiting++;
      await waitFor(`${count} requests with the same token`, () => waiting >= count);
    }
    await route.continue();
  });
}
