// The frame of a page of the documentation: header, list of pages, what is on this page, neighbours. It is
// whole without scripts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf, CONTENTS } from './contents.ts';
import { escapeHtml as text } from './escape.ts';
import type { Heading } from './markdown.ts';
import type { Page, Site } from './site.ts';

/** What every page names besides its text. */
export interface Files {
  styles: readonly string[];
  script: string;
  search: string;
  version: string;
}

const START = addressOf(CONTENTS);
/** Fewer headings need no list of their own. */
const LEAST_HEADINGS = 3;

const icon = (paths: string) =>
  `<svg width="18" height="18" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`;
const ICONS = {
  menu: icon('<path d="M4 6h16M4 12h16M4 18h16"/>'),
  search: icon('<circle cx="11" cy="11" r="7"/><path d="m20 20-3.6-3.6"/>'),
  inbox: icon(
    '<path d="M22 12h-6l-2 3h-4l-2-3H2"/><path d="M5.5 5.1 2 12v6a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2v-6l-3.5-6.9A2 2 0 0 0 16.8 4H7.2a2 2 0 0 0-1.7 1.1z"/>',
  ),
};

/** The mark, from its one drawing, in the colours of the theme. */
const MARK = `<svg class="mark" width="28" height="28" viewBox="0 0 32 32" fill="none" aria-hidden="true"><rect width="32" height="32" rx="8"/><g stroke-width="3" stroke-linecap="round" stroke-linejoin="round">${[
  ...readFileSync(join(import.meta.dirname, '../public/favicon.svg'), 'utf8').matchAll(
    /<(?:path|circle)[^>]*\/>/g,
  ),
].join('')}</g></svg>`;

/** The whole document of one page. */
export function drawPage(site: Site, page: Page, files: Files): string {
  const isStart = page.file === CONTENTS;
  const title = isStart ? 'Qinbox documentation' : `${page.title} · Qinbox documentation`;
  const toc = isStart ? [] : page.headings.filter(({ depth }) => depth === 2 || depth === 3);
  const hasToc = toc.length >= LEAST_HEADINGS;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f7f6f3" data-scheme="light">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0f1415" data-scheme="dark">
<title>${text(title)}</title>
<meta name="description" content="${text(page.description)}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="icon" href="/icons/icon-32.png" type="image/png" sizes="32x32">
<link rel="apple-touch-icon" href="/icons/apple-touch-icon.png" sizes="180x180">
<link rel="manifest" href="/manifest.webmanifest">
<script src="/theme.js"></script>
${files.styles.map((path) => `<link rel="stylesheet" href="${path}">`).join('\n')}
<script type="module" src="${files.script}"></script>
</head>
<body data-search="${files.search}">
<a class="skip" href="#content">Skip to content</a>
<header class="top"><div>
<button type="button" class="icon menu" popovertarget="pages" aria-label="All pages">${ICONS.menu}</button>
<a class="brand" href="/" aria-label="Qinbox">${MARK}<span>Qinbox</span></a>
<a class="docs" href="${START}"${isStart ? ' aria-current="page"' : ''}>Docs</a>
<button type="button" class="search" aria-label="Search the documentation" aria-keyshortcuts="/">${ICONS.search}<span>Search</span><kbd translate="no">/</kbd></button>
<nav aria-label="Qinbox"><a href="/api-docs">API reference</a><a href="/inbox" aria-label="Inbox">${ICONS.inbox}<span>Inbox</span></a></nav>
</div></header>
<div class="frame${hasToc ? ' with-toc' : ''}">
<nav id="pages" class="pages" popover aria-label="Documentation">${listOfPages(site, page)}</nav>
<main id="content" tabindex="-1">
<article${isStart ? ' class="start"' : ''}>
${page.group === null ? '' : `<p class="group">${text(page.group)}</p>`}
${hasToc ? withToc(page.html, toc) : page.html}</article>
${neighbours(site, page)}
</main>
${hasToc ? `<aside class="toc"><nav aria-labelledby="toc"><p id="toc">On this page</p>${tocList(toc)}</nav></aside>` : ''}
</div>
<footer class="bottom"><div><p>Qinbox ${text(files.version)} · served by your own server</p><nav aria-label="More"><a href="${START}">All pages</a><a href="/api-docs">API reference</a><a href="/inbox">Inbox</a></nav></div></footer>
</body>
</html>
`;
}

function listOfPages({ groups, pages }: Site, here: Page): string {
  // Pages below another one are listed where that one is read.
  const isOpen = (below: string | null) => below === null || here.address === below || here.below === below;
  return groups
    .map(({ title }) => {
      const items = pages
        .filter((page) => page.group === title && isOpen(page.below))
        .map(({ address, title: name, below }) => {
          const current = address === here.address ? ' aria-current="page"' : '';
          const inner = below === null ? '' : ' class="inner"';
          return `<li${inner}><a href="${address}"${current}>${text(name)}</a></li>`;
        });
      return `<p>${text(title)}</p><ul>${items.join('')}</ul>`;
    })
    .join('');
}

const tocList = (headings: readonly Heading[]) =>
  `<ul>${headings.map(({ id, depth, text: name }) => `<li${depth === 3 ? ' class="inner"' : ''}><a href="#${id}">${text(name)}</a></li>`).join('')}</ul>`;

/** On narrow screens what is on this page is folded below the title. */
function withToc(html: string, headings: readonly Heading[]): string {
  const end = html.indexOf('</h1>') + '</h1>'.length;
  return `${html.slice(0, end)}\n<details class="toc-folded"><summary>On this page</summary>${tocList(headings)}</details>${html.slice(end)}`;
}

function neighbours({ pages }: Site, page: Page): string {
  const at = pages.indexOf(page);
  const link = (to: Page | undefined, rel: string, label: string) =>
    to === undefined
      ? ''
      : `<a rel="${rel}" href="${to.address}"><span>${label}</span>${text(to.file === CONTENTS ? 'Documentation' : to.title)}</a>`;
  return `<nav class="neighbours" aria-label="Neighbours">${link(pages[at - 1], 'prev', 'Previous')}${link(pages[at + 1], 'next', 'Next')}</nav>`;
}
