// HTML that a stranger sent to text that a person would have typed: lists, tables, quotes and links stay readable, what is not
// meant to be seen is left out. One pass, linear in the length, never throws; the result is text and never HTML.
import { decodeEntities } from './html-entities.ts';
import {
  attribute,
  isHidden,
  linkTarget,
  markupEnd,
  RAW_TEXT,
  rawTextEnd,
  sameAddress,
  SKIPPED,
  tagName,
  VOID,
} from './html-tags.ts';

export interface HtmlTextOptions {
  /** Reading stops when so many characters of text are out; 100,000 unless given. */
  maxChars?: number;
  /** Number of the first note; 1 unless given. */
  firstNote?: number;
  /** Called with the number of steps taken since the last call; may throw to stop. */
  spend?: (steps: number) => void;
}

export interface HtmlText {
  /** Lines end with `\n`; at most one empty line in a row. */
  text: string;
  /** Addresses too long to stand in the text; the first is marked `[1]` (`firstNote`) there, and so on. */
  notes: readonly string[];
}

/** Longer addresses become notes. */
const MAX_INLINE_URL_CHARS = 120;
const MAX_DEPTH = 30;

/** How many line ends an element asks for before and after it. */
const BLOCKS: Readonly<Record<string, number>> = {
  p: 2,
  h1: 2,
  h2: 2,
  h3: 2,
  h4: 2,
  h5: 2,
  h6: 2,
  table: 2,
  ul: 1,
  ol: 1,
  dl: 1,
  pre: 2,
  div: 1,
  section: 1,
  article: 1,
  header: 1,
  footer: 1,
  main: 1,
  address: 1,
  center: 1,
  form: 1,
  fieldset: 1,
  dt: 1,
  dd: 1,
  caption: 1,
  figure: 1,
  figcaption: 1,
  body: 1,
  option: 1,
};

/** A place that text is written to: the page, a cell, a quotation. */
interface Area {
  kind: 'page' | 'cell' | 'quote' | 'row';
  text: string;
  newlines: number;
  space: boolean;
  /** Of a row. */
  cells: string[];
}

interface Link {
  url: string;
  label: string;
  alt: string;
  area: Area;
}

interface Page {
  areas: Area[];
  link: Link | null;
  lists: { ordered: boolean; next: number }[];
  preformatted: number;
  notes: string[];
  /** Characters written so far, in all areas. */
  written: number;
  hidden: boolean;
  alts: string;
  firstNote: number;
}

/** Reads an HTML document or a piece of one. */
export function htmlToText(html: string, options: HtmlTextOptions = {}): HtmlText {
  const page = readPage(html, options, true);
  // A page that hides everything hides it by mistake, and one of pictures alone still has their descriptions.
  const seen = page.text === '' && page.hidden ? readPage(html, options, false) : page;
  return { text: seen.text === '' ? seen.alts.trim() : seen.text, notes: seen.notes };
}

function readPage(
  html: string,
  { maxChars = 100_000, firstNote = 1, spend }: HtmlTextOptions,
  honourHidden: boolean,
): { text: string; notes: string[]; hidden: boolean; alts: string } {
  const page: Page = {
    areas: [newArea('page')],
    link: null,
    lists: [],
    preformatted: 0,
    notes: [],
    written: 0,
    hidden: false,
    alts: '',
    firstNote,
  };
  let at = 0;
  /** The element that is left out, and how many of its name are open. */
  let skip: { name: string; depth: number } | null = null;
  while (at < html.length && page.written < maxChars) {
    const less = html.indexOf('<', at);
    const textEnd = less === -1 ? html.length : less;
    if (textEnd > at && skip === null) write(page, html.slice(at, textEnd));
    spend?.(1 + ((textEnd - at) >> 8));
    if (less === -1) break;
    const end = markupEnd(html, less);
    if (end === -1) {
      if (skip === null) write(page, html.slice(less));
      break;
    }
    spend?.(1 + ((end - less) >> 8));
    const tag = html.slice(less, end);
    const name = tagName(tag);
    at = end;
    if (name === '') {
      // A comment is left out; a lone `<` is text.
      if (skip === null && end === less + 1) write(page, '<');
      continue;
    }
    const closing = tag[1] === '/';
    if (skip !== null) {
      if (name === skip.name && !tag.endsWith('/>')) skip.depth += closing ? -1 : 1;
      if (skip.depth <= 0) skip = null;
    } else if (closing) close(page, name);
    else if (RAW_TEXT.has(name)) at = rawTextEnd(html, end, name);
    else if (VOID.has(name)) openVoid(page, name, tag);
    else if (SKIPPED.has(name) || (honourHidden && isHidden(tag))) {
      page.hidden = true;
      if (!tag.endsWith('/>')) skip = { name, depth: 1 };
    } else open(page, name, tag);
  }
  while (page.areas.length > 1) closeArea(page);
  closeLink(page);
  return { text: tidy(page.areas[0]?.text ?? ''), notes: page.notes, hidden: page.hidden, alts: page.alts };
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

function write(page: Page, raw: string): void {
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

function openVoid(page: Page, name: string, tag: string): void {
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

function open(page: Page, name: string, tag: string): void {
  if (name === 'a') {
    closeLink(page);
    const url = linkTarget(attribute(tag, 'href') ?? '');
    if (url !== '') page.link = { url, label: '', alt: '', area: top(page) };
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
  breakLine(page, name === 'p' && tag.includes('Mso') ? 1 : (BLOCKS[name] ?? 0));
  if (name === 'blockquote' && page.areas.length < MAX_DEPTH) {
    breakLine(page, 1);
    page.areas.push(newArea('quote'));
  } else if ((name === 'ul' || name === 'ol') && page.lists.length < MAX_DEPTH) {
    page.lists.push({ ordered: name === 'ol', next: 1 });
  } else if (name === 'pre') page.preformatted++;
}

function close(page: Page, name: string): void {
  if (name === 'a') return closeLink(page);
  if (name === 'td' || name === 'th') {
    if (page.areas.at(-1)?.kind === 'cell') closeArea(page);
  } else if (name === 'tr') closeTo(page, 'row');
  else if (name === 'table') closeTo(page, 'row');
  else if (name === 'blockquote') closeTo(page, 'quote');
  else if (name === 'ul' || name === 'ol') page.lists.pop();
  else if (name === 'pre') page.preformatted = Math.max(0, page.preformatted - 1);
  breakLine(page, BLOCKS[name] ?? 0);
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
  if (link.label.trim() === '' && link.alt !== '') put(page, link.alt);
  else if (link.label.trim() === '') return;
  if (sameAddress(link.label, link.url)) return;
  const area = top(page);
  area.space = true;
  area.newlines = 0;
  if (link.url.length <= MAX_INLINE_URL_CHARS) return put(page, `(${link.url})`);
  let note = page.notes.indexOf(link.url);
  if (note === -1 && page.notes.length < 20) note = page.notes.push(link.url) - 1;
  if (note !== -1) put(page, `[${note + page.firstNote}]`);
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
