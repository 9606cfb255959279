// What a machine can check of a page in a real browser: the rules of axe, colours included, and what is too
// small for a finger.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RUN = `axe.run({
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
}).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ' ' + html + ' ' + failureSummary)))`;

export async function violationsOn(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate<string[]>(RUN);
}

/** Code that a browser which translates the page would change: commands, addresses, templates, keys. */
const TRANSLATED = `[...document.querySelectorAll('code, kbd, pre')]
  .filter((node) => node.closest('[translate=no]') === null)
  .map((node) => 'translated: ' + node.outerHTML)`;

export function translatedOn(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(TRANSLATED);
}

/**
 * Buttons, links and fields under 44 px in either direction, but for links in a text. Sizes are read in the
 * unit of the layout, 1/64 px: what glides has them from floating-point numbers (43.99998 for 44).
 */
const SMALL = `[...document.querySelectorAll('button, a[href], input, select, summary, [role=menuitem], [role=option]')]
  .filter((node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
  .filter((node) => !node.closest('p, .sr-only') && getComputedStyle(node).pointerEvents !== 'none' && !node.matches('.sr-only, [type=checkbox]'))
  .map((node) => [node.getBoundingClientRect(), node])
  .map(([box, node]) => [{ width: Math.round(box.width * 64) / 64, height: Math.round(box.height * 64) / 64 }, node])
  .filter(([{ width, height }]) => width > 2 && (width < 44 || height < 44))
  .map(([{ width, height }, node]) => (node.getAttribute('aria-label') ?? node.textContent) + ' ' + width + ' × ' + height)`;

export function smallOn(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(SMALL);
}
