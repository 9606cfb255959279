// The landing page and the API documentation as a real browser lays them out: narrow, wide, light, dark.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startProgram, temporaryFolder, type Program } from '#test/program/program.ts';
import { hasChromium, launchBrowser, WHY_NOT } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PHONE = 360;
const DESKTOP = 1280;
/** Half of the thumb: how far its middle is from the ends of the track. */
const THUMB_PX = 11;
const DAY_HOURS = 24;

/** The words of codes that stand on two lines. Paths and fields may be broken before a slash or a dot. */
const BROKEN_CODES = `
  const range = document.createRange();
  const wordsOf = (node) =>
    [...node.data.matchAll(/\\S+/g)].flatMap(({ 0: word, index }) => {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1 ? [word] : [];
    });
  [...document.querySelectorAll('main code, main [class*=font-mono]')].flatMap((code) =>
    [...code.childNodes].filter((node) => node instanceof Text).flatMap(wordsOf),
  );
`;

describe('the public pages', () => {
  const folder = temporaryFolder('public-pages');
  let browser: Browser;
  let program: Program;
  let context: BrowserContext;

  beforeAll(async () => {
    if (!hasChromium) return;
    browser = await launchBrowser();
    program = await startProgram({ dataDir: folder.path });
  });
  beforeEach(({ skip }) => skip(!hasChromium, WHY_NOT));
  afterEach(() => context?.close());
  afterAll(async () => {
    await browser?.close();
    await program?.stop();
    folder.remove();
  });

  async function open(path: string, width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
    context = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await page.goto(program.url + path);
    await page.locator('[data-still]').waitFor({ state: 'detached' });
    if (path === '/api-docs') await page.getByRole('heading', { name: 'Rate Limiting' }).waitFor();
    return page;
  }

  test.each([
    ['/', PHONE, 'light'],
    ['/', DESKTOP, 'dark'],
    ['/api-docs', PHONE, 'dark'],
    ['/api-docs', DESKTOP, 'light'],
  ] as const)(
    '%s at %d px in the %s passes axe and does not scroll sideways',
    async (path, width, scheme) => {
      const page = await open(path, width, scheme);
      await page.evaluate(AXE);
      const violations = await page.evaluate<string[]>(
        `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
      );
      expect(violations).toEqual([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width);
    },
  );

  test.each([
    [PHONE, 24],
    [DESKTOP, 1],
  ])('at %d px each stage of the timeline stands at its hours, to %d px', async (width, tolerancePx) => {
    const page = await open('/', width);
    const track = await page.getByRole('slider').boundingBox();
    if (track === null) throw new Error('there is no track');
    const middles = { 'Created 0h': 0, 'Active 1-12h': 6.5, 'Aging 12-20h': 16, 'Expired 24h': DAY_HOURS };
    let end = 0;
    for (const [name, hour] of Object.entries(middles)) {
      const box = await page.getByRole('button', { name }).boundingBox();
      if (box === null) throw new Error(`there is no ${name}`);
      const wanted = track.x + THUMB_PX + ((track.width - 2 * THUMB_PX) * hour) / DAY_HOURS;
      expect(Math.abs(box.x + box.width / 2 - wanted), name).toBeLessThanOrEqual(tolerancePx);
      expect(box.x, `${name} begins after the one before it`).toBeGreaterThanOrEqual(end);
      end = box.x + box.width;
    }
  });

  test('the three ways on from the title stand on one line of a phone', async () => {
    const page = await open('/', PHONE);
    const tops = await Promise.all(
      ['Open Inbox', 'View API Docs', 'Docs'].map(async (name) => {
        const link = page.getByRole('main').getByRole('link', { name, exact: true }).first();
        return (await link.boundingBox())?.y;
      }),
    );
    expect(new Set(tops).size).toBe(1);
  });

  test.each([PHONE, DESKTOP])('at %d px no code is broken within a word', async (width) => {
    const page = await open('/api-docs', width);
    await page.locator('#createTask > summary').click();
    await page.locator('#createTask').getByText('Answers').waitFor();
    expect(await page.evaluate<string[]>(BROKEN_CODES)).toEqual([]);
  });

  test('the demo beside an open task has its controls on one line, with room to search', async () => {
    context = await browser.newContext({ serviceWorkers: 'block' });
    const page = await context.newPage();
    await page.goto(`${program.url}/inbox`);
    await page.getByRole('article').first().click();
    await page.getByLabel('Details').waitFor();
    await page.getByText('Demo Mode').waitFor();
    const search = page.getByRole('combobox', { name: 'Search' });
    for (const width of [1024, 1100, 1180, 1280, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const where = `${width} pixels wide`;
      const lines = await page.evaluate<number[]>(`[...new Set(
        [...document.querySelectorAll('h1, [role=group][aria-label="List"] > *')]
          .map((each) => each.getBoundingClientRect())
          .map(({ top, height }) => Math.round((top + height / 2) / 10)),
      )]`);
      expect(lines, where).toHaveLength(1);
      expect((await search.boundingBox())?.width, where).toBeGreaterThan(110);
    }
  });
});
