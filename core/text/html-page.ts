// The text of an HTML document, built tag by tag. Each call takes time linear in its input.
import { decodeEntities } from './html-entities.ts';
import { attribute, isButton, linkTarget, nameSet, sameAddress } from './html-tags.ts';

/** Longer addresses become notes. */
const MAX_INLINE_URL_CHARS = 120;
const MAX_DEPTH = 30;
const MAX_LINKS = 300;

/** How many line ends an element asks for before and after it. */
const PARAGRAPHS = nameSet('p h1 h2 h3 h4 h5 h6 table pre');
const BLOCKS = nameSet(
  'ul ol dl div section article header footer main address center form fieldset dt dd caption figure figcaption body option ' +
    'details summary',
);

function lineEndsAround(name: string): number {
  return PARAGRAPHS.has(name) ? 2 : BLOCKS.has(name) ? 1 : 0;
}

/** A place that text is written to: the page, a cell, a quotation. */
interface Area {
  kind: 'page' | 'cell' | 'quote' | 'row';
  text: string;
  newlines: number;
  space: boolean;
  /** Of a row. */
  cells: string[];
}

/** A link of a page. */
export interface PageLink {
  url: string;
  /** Its words; empty where it is a picture. */
  label: string;
  /** Whether it looks like a button. */
  isButton: boolean;
}

interface Link {
  url: string;
  isButton: boolean;
  label: string;
  alt: string;
  area: Area;
}

export interface Page {
  readonly options: PageOptions;
  areas: Area[];
  link: Link | null;
  links: PageLink[];
  lists: { ordered: boolean; next: number }[];
  preformatted: number;
  notes: string[];
  /** Characters written so far, in all areas. */
  written: number;
  /** Whether an element was left out because it is hidden. */
  hasHidden: boolean;
  /** Descriptions of pictures. */
  alts: string;
}

export interface PageOptions {
  /** Number of the first note. */
  firstNote: number;
  /** Whether the address of a link follows its text. */
  showsLinks: boolean;
  /** Whether white space stays as it is. */
  keepsSpace: boolean;
}

export function createPage(options: PageOptions): Page {
  return {
    options,
    areas: [newArea('page')],
    link: null,
    links: [],
    lists: [],
    preformatted: options.keepsSpace ? 1 : 0,
    notes: [],
    written: 0,
    hasHidden: false,
    alts: '',
  };
}

/** Closes what is open. */
export function finishPage(page: Page): {
  text: string;
  notes: string[];
  links: PageLink[];
  alts: string;
} {
  while (page.areas.length > 1) closeArea(page);
  closeLink(page);
  const { notes, links, alts } = page;
  return { text: tidy(page.areas[0]?.text ?? ''), notes, links, alts };
}

function newArea(kind: Area['kind']): Area {
  return { kind, text: '', newlines: 0, space: false, cells: [] };
}

function top(page: Page): Area {
  const area = page.areas.at(-1) ?? newArea('page');
  if (area.kind !== 'row') return area;
  // Text between cells: a cell that forgot its tag.
  const cell = newArea('cell');
  page.areas.push(cell);
  return cell;
}

/** Writes text between tags. */
export function writeText(page: Page, raw: string): void {
  const decoded = decodeEntities(raw);
  if (page.preformatted > 0) return put(page, decoded.replaceAll('\r\n', '\n'));
  const text = decoded.replace(/[ \t\r\n\f]+/g, ' ');
  if (text === ' ' || text === '') {
    if (text !== '' && page.areas.at(-1)?.kind !== 'row') top(page).space = true;
    return;
  }
  if (text.startsWith(' ')) top(page).space = true;
  put(page, text.trim() === '' ? text : text.replace(/^ | $/g, ''));
  if (text.endsWith(' ')) top(page).space = true;
}

function put(page: Page, text: string): void {
  if (text === '') return;
  const area = top(page);
  let lead = '';
  if (area.newlines > 0) lead = area.text === '' ? '' : '\n'.repeat(area.newlines);
  else if (area.space && area.text !== '') lead = ' ';
  area.text += lead + text;
  area.newlines = 0;
  area.space = false;
  page.written += text.length;
  if (page.link !== null && page.link.label.length < 300) page.link.label += (lead === '' ? '' : ' ') + text;
}

function breakLine(page: Page, atLeast: number): void {
  if (page.areas.at(-1)?.kind === 'row') return;
  const area = top(page);
  area.newlines = Math.max(area.newlines, atLeast);
}

/** Applies the tag of an element without content. */
export function openVoidElement(page: Page, name: string, tag: string): void {
  if (name === 'br') {
    const area = top(page);
    area.newlines = Math.min(area.newlines + 1, 2);
  } else if (name === 'hr') {
    breakLine(page, 1);
    put(page, '———');
    breakLine(page, 1);
  } else if (name === 'img') {
    const alt = attribute(tag, 'alt')?.trim() ?? '';
    if (alt === '') return;
    if (page.link !== null) page.link.alt = alt;
    if (page.alts.length < 1000) page.alts += `${alt}\n`;
  }
}

/** Applies an opening tag. */
export function openElement(page: Page, name: string, tag: string): void {
  if (name === 'a') {
    closeLink(page);
    const url = linkTarget(attribute(tag, 'href') ?? '');
    if (url !== '') page.link = { url, isButton: isButton(tag), label: '', alt: '', area: top(page) };
    return;
  }
  if (name === 'tr') {
    closeTo(page, 'row');
    breakLine(page, 1);
    if (page.areas.length < MAX_DEPTH) page.areas.push(newArea('row'));
    return;
  }
  if (name === 'td' || name === 'th') {
    if (page.areas.at(-1)?.kind === 'cell') closeArea(page);
    if (page.areas.at(-1)?.kind === 'row') page.areas.push(newArea('cell'));
    else breakLine(page, 1);
    return;
  }
  if (name === 'li') {
    breakLine(page, 1);
    const list = page.lists.at(-1);
    const indent = '  '.repeat(Math.max(0, Math.min(page.lists.length - 1, 6)));
    put(page, indent + (list?.ordered === true ? `${list.next++}.` : '-'));
    top(page).space = true;
    return;
  }
  breakLine(page, name === 'p' && tag.includes('Mso') ? 1 : lineEndsAround(name));
  if (name === 'blockquote' && page.areas.length < MAX_DEPTH) {
    breakLine(page, 1);
    page.areas.push(newArea('quote'));
  } else if ((name === 'ul' || name === 'ol') && page.lists.length < MAX_DEPTH) {
    page.lists.push({ ordered: name === 'ol', next: 1 });
  } else if (name === 'pre') page.preformatted++;
}

/** Applies a closing tag. */
export function closeElement(page: Page, name: string): void {
  if (name === 'a') return closeLink(page);
  if (name === 'td' || name === 'th') {
    if (page.areas.at(-1)?.kind === 'cell') closeArea(page);
  } else if (name === 'tr') closeTo(page, 'row');
  else if (name === 'table') closeTo(page, 'row');
  else if (name === 'blockquote') closeTo(page, 'quote');
  else if (name === 'ul' || name === 'ol') page.lists.pop();
  else if (name === 'pre')
    page.preformatted = Math.max(page.options.keepsSpace ? 1 : 0, page.preformatted - 1);
  breakLine(page, lineEndsAround(name));
}

/** Closes the innermost area of this kind, if nothing but cells is open inside of it. */
function closeTo(page: Page, kind: 'row' | 'quote'): void {
  const last = page.areas.at(-1)?.kind;
  if (last === kind) closeArea(page);
  else if (last === 'cell' && kind === 'row') {
    closeArea(page);
    closeArea(page);
  }
}

function closeArea(page: Page): void {
  closeLink(page);
  const area = page.areas.pop();
  const outer = page.areas.at(-1);
  if (area === undefined || outer === undefined) return;
  if (area.kind === 'cell' && outer.kind === 'row') {
    const text = tidy(area.text);
    if (text !== '') outer.cells.push(text);
    return;
  }
  const text = area.kind === 'row' ? joinCells(area.cells) : tidy(area.text);
  if (text === '') return;
  breakLine(page, 1);
  const target = top(page);
  const lead = target.text === '' ? '' : '\n'.repeat(Math.max(1, target.newlines));
  target.text += lead + (area.kind === 'quote' ? text.replace(/^/gm, '> ') : text);
  target.newlines = 1;
  target.space = false;
}

// Short cells stand side by side, as in a table of facts; others are the page's layout.
function joinCells(cells: readonly string[]): string {
  const short =
    cells.every((cell) => !cell.includes('\n')) && cells.reduce((sum, cell) => sum + cell.length, 0) < 160;
  return cells.join(short ? ' | ' : '\n');
}

function closeLink(page: Page): void {
  const { link } = page;
  page.link = null;
  if (link === null || !page.areas.includes(link.area)) return;
  if (page.links.length < MAX_LINKS)
    page.links.push({ url: link.url, label: link.label.trim(), isButton: link.isButton });
  if (link.label.trim() === '' && link.alt !== '') put(page, link.alt);
  else if (link.label.trim() === '') return;
  if (!page.options.showsLinks || sameAddress(link.label, link.url)) return;
  const area = top(page);
  area.space = true;
  area.newlines = 0;
  if (link.url.length <= MAX_INLINE_URL_CHARS) return put(page, `(${link.url})`);
  let note = page.notes.indexOf(link.url);
  if (note === -1 && page.notes.length < 20) note = page.notes.push(link.url) - 1;
  if (note !== -1) put(page, `[${note + page.options.firstNote}]`);
}

// By lines: a pattern for blanks before a line end takes time that grows with their square.
function tidy(text: string): string {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const trimmed = line.trimEnd();
    if (trimmed !== '' || lines.at(-1) !== '') lines.push(trimmed);
  }
  return lines.join('\n').trim();
}
