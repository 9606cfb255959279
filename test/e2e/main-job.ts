// The main job on real input: a curl pushes a task, people see it at once, deal with it, and nothing is lost.
// The same in every size.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Program } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import {
  hasChromium,
  heardBy,
  launchBrowser,
  openInboxAt,
  rowOf,
  waitUntilLive,
  WHY_NOT,
} from './browser.ts';
import { measurePaints, pushWithCurl } from './push.ts';

/** Where the job is done: one program, or many processes that are one to their users. */
export interface Site {
  /** The program that the first and the second browser are on; the same one in the embedded size. */
  programs: [Program, Program];
  key: string;
  /** A link that signs the owner in on this program. */
  signInLink(program: Program): string;
  /** Kills the programs as a power cut would, and starts them again at the same addresses. */
  powerCut(): Promise<void>;
  stop(): Promise<void>;
}

/** Describes the main job in one size of Qinbox. `start` answers a text where that size cannot be had. */
export function describeMainJob(name: string, start: () => Promise<Site | { missing: string }>): void {
  describe(`an open inbox, ${name}`, () => {
    let browser: Browser | undefined;
    let site: Site | undefined;
    let whyNot = WHY_NOT;
    let first: Page;
    let second: Page;

    const here = (): Site => site as Site;
    const tasks = async () => {
      const { programs, key } = here();
      const answer = await fetch(`${programs[1].url}/api/v1/tasks`, { headers: { 'x-api-key': key } });
      return ((await answer.json()) as { tasks: { content: string; pinned: boolean }[] }).tasks;
    };
    const both = (check: (page: Page) => Promise<void>) => Promise.all([check(first), check(second)]);

    beforeAll(async () => {
      if (!hasChromium) return;
      const started = await start();
      if ('missing' in started) {
        if (process.env['REQUIRE_SERVICES'] === '1') throw new Error(started.missing);
        whyNot = started.missing;
        return;
      }
      site = started;
      browser = await launchBrowser();
      const [one, two] = site.programs;
      first = await openInboxAt(browser, site.signInLink(one));
      second = await openInboxAt(browser, site.signInLink(two));
    });
    afterAll(async () => {
      await browser?.close();
      await site?.stop();
    });

    test('shows a pushed task without a reload, in every browser', async ({ skip }) => {
      if (site === undefined) skip(whyNot);
      await pushWithCurl(here().programs[0].url, here().key, 'backup failed');
      await both((page) => rowOf(page, 'backup failed').waitFor());
      expect(await tasks()).toMatchObject([{ content: 'backup failed', pinned: false }]);
    });

    test('is worked by keyboard alone: acknowledged, undone, pinned, and every browser follows', async ({
      skip,
    }) => {
      if (site === undefined) skip(whyNot);
      await first.bringToFront();
      await first.keyboard.press('j');
      await first.keyboard.press('e');
      await both((page) => rowOf(page, 'backup failed').waitFor({ state: 'detached' }));
      expect(await tasks()).toEqual([]);

      await first.keyboard.press('z');
      await both((page) => rowOf(page, 'backup failed').waitFor());
      await waitFor('the task to be back', async () => (await tasks()).length === 1);

      await first.keyboard.press('p');
      await both((page) =>
        rowOf(page, 'backup failed').getByRole('button', { name: 'Unpin' }).waitFor({ state: 'attached' }),
      );
      await waitFor('the pin', async () => (await tasks())[0]?.pinned === true);
    });

    // How soon after the 201 is measured by `npm run bench -- paint`.
    test('paints every card that is pushed, through the live socket', async ({ skip }) => {
      if (site === undefined) skip(whyNot);
      const { programs, key } = here();
      const count = 20;
      expect(await measurePaints(second, programs[0].url, key, count)).toHaveLength(count);
      const heard = heardBy(second)
        .filter((text) => text.includes('task.created'))
        .join();
      for (let index = 0; index < count; index++) expect(heard).toContain(`paint-${index}-end`);
    });

    test('is all there after kill -9 and a restart, still signed in, and live again by itself', async ({
      skip,
    }) => {
      if (site === undefined) skip(whyNot);
      const before = await tasks();
      const offline = first.getByText('Live', { exact: true }).first().waitFor({ state: 'detached' });
      await here().powerCut();
      await offline;
      expect(await tasks()).toEqual(before);
      await both(waitUntilLive);
      await pushWithCurl(here().programs[0].url, here().key, 'after the restart');
      await both((page) => rowOf(page, 'after the restart').waitFor());
      await first.reload();
      await rowOf(first, 'backup failed')
        .getByRole('button', { name: 'Unpin' })
        .waitFor({ state: 'attached' });
      await rowOf(first, 'after the restart').waitFor();
    });

    test('does not hold up a shutdown: SIGTERM ends the server with exit code 0', async ({ skip }) => {
      if (site === undefined) skip(whyNot);
      expect(await here().programs[0].stop()).toBe(0);
    });
  });
}
