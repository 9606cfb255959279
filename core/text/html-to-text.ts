// HTML from strangers as plain text: lists, tables, quotes and links stay readable, hidden content is left
// out. One pass, linear in the length, never throws; the result is text and never HTML.
import {
  closeElement,
  createPage,
  finishPage,
  openElement,
  openVoidElement,
  writeText,
  type Page,
  type PageLink,
} from './html-page.ts';
import { isHidden, markupEnd, RAW_TEXT, rawTextEnd, SKIPPED, tagName, VOID } from './html-tags.ts';

export interface HtmlTextOptions {
  /** Reading stops when so many characters of text are out; 100,000 unless given. */
  maxChars?: number;
  /** Number of the first note; 1 unless given. */
  firstNote?: number;
  /** Whether the address of a link follows its text; true unless given. */
  showsLinks?: boolean;
  /** For Markdown: only these elements are markup, any other bracket is text, and white space stays. */
  markdownTags?: ReadonlySet<string>;
  /** Called with the number of steps taken since the last call; may throw to stop. */
  charge?: (steps: number) => void;
}

export interface HtmlText {
  /** Lines end with `\n`; at most one empty line in a row. */
  text: string;
  /** Addresses too long to stand in the text; the first is marked `[1]` (`firstNote`) there, and so on. */
  notes: readonly string[];
  /** Those that are shown, in their order; at most 300. */
  links: readonly PageLink[];
}

/** The bracket, the slash and the longest name. */
const MAX_TAG_START = 34;

/** Reads an HTML document or a piece of one. */
export function htmlToText(html: string, options: HtmlTextOptions = {}): HtmlText {
  const page = readPage(html, options, true);
  // A page that hides everything hides it by mistake, and one of pictures alone still has their descriptions.
  const read = page.text === '' && page.hasHidden ? readPage(html, options, false) : page;
  const { notes, links } = read;
  return { text: read.text === '' ? read.alts.trim() : read.text, notes, links };
}

function readPage(
  html: string,
  { maxChars = 100_000, firstNote = 1, showsLinks = true, markdownTags, charge }: HtmlTextOptions,
  honoursHidden: boolean,
): { text: string; notes: string[]; links: PageLink[]; hasHidden: boolean; alts: string } {
  const page = createPage({ firstNote, showsLinks, keepsSpace: markdownTags !== undefined });
  let at = 0;
  /** The element that is left out, and how many of its name are open. */
  let skip: { name: string; depth: number } | null = null;
  while (at < html.length && page.written < maxChars) {
    const less = html.indexOf('<', at);
    const textEnd = less === -1 ? html.length : less;
    if (textEnd > at && skip === null) writeText(page, html.slice(at, textEnd));
    charge?.(1 + ((textEnd - at) >> 8));
    if (less === -1) break;
    const name = tagName(html.slice(less, less + MAX_TAG_START));
    const isMarkup = name === '' || markdownTags === undefined || markdownTags.has(name);
    const end = isMarkup ? markupEnd(html, less) : less + 1;
    if (end === -1) {
      if (skip === null) writeText(page, html.slice(less));
      break;
    }
    charge?.(1 + ((end - less) >> 8));
    at = end;
    if (end === less + 1 && skip === null) writeText(page, '<');
    if (end === less + 1 || name === '') continue;
    const tag = html.slice(less, end);
    if (skip === null) {
      if (tag[1] !== '/' && RAW_TEXT.has(name)) at = rawTextEnd(html, end, name);
      else skip = readTag(page, name, tag, honoursHidden);
    } else {
      if (name === skip.name && !tag.endsWith('/>')) skip.depth += tag[1] === '/' ? -1 : 1;
      if (skip.depth <= 0) skip = null;
    }
  }
  return { ...finishPage(page), hasHidden: page.hasHidden };
}

/** Applies a tag to the page; returns the element that is left out from here on, if it opens one. */
function readTag(
  page: Page,
  name: string,
  tag: string,
  honoursHidden: boolean,
): { name: string; depth: number } | null {
  if (tag[1] === '/') closeElement(page, name);
  else if (VOID.has(name)) openVoidElement(page, name, tag);
  else if (SKIPPED.has(name) || (honoursHidden && isHidden(tag))) {
    page.hasHidden = true;
    return tag.endsWith('/>') ? null : { name, depth: 1 };
  } else openElement(page, name, tag);
  return null;
}
