// Tags of untrusted HTML: their ends, names and attributes. Linear; a tag is scanned at most twice.
import { decodeEntities } from './html-entities.ts';

const HIDDEN_STYLE =
  /display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|max-height\s*:\s*0(?:px|pt|em|%)?\s*(?:;|!|$)|opacity\s*:\s*0\s*(?:;|!|$)/i;
/** Element names out of a list separated by blanks. */
export function nameSet(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}

/** The content of these is neither HTML nor text. */
export const RAW_TEXT = nameSet('style script title noframes xml');
/** The content of these is not for reading. */
export const SKIPPED = nameSet('svg math object iframe video audio canvas template select map');
/** These have no content. */
export const VOID = nameSet('br img hr input meta link col area base wbr source embed');

/** Offset after the tag or comment at `less`; `less + 1` when it is neither; -1 when it has no end. */
export function markupEnd(html: string, less: number): number {
  if (html.startsWith('<!--', less)) {
    const end = html.indexOf('-->', less + 2);
    return end === -1 ? html.length : end + 3;
  }
  if (!/[A-Za-z/!?]/.test(html[less + 1] ?? '')) return less + 1;
  let quote = '';
  for (let at = less + 1; at < html.length; at++) {
    const char = html[at] ?? '';
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '>') return at + 1;
    else if ((char === '"' || char === "'") && html[at - 1] === '=') quote = char;
  }
  // A quote that never ends: the tag ends at the first bracket.
  const end = html.indexOf('>', less);
  return end === -1 ? -1 : end + 1;
}

/** Lower-case name of a tag, opening or closing; empty for comments and the like. */
export function tagName(tag: string): string {
  return /^<\/?([A-Za-z][A-Za-z0-9:-]{0,30})/.exec(tag)?.[1]?.toLowerCase() ?? '';
}

/** Offset after the closing tag of a raw text element whose content begins at `from`. */
export function rawTextEnd(html: string, from: number, name: string): number {
  const pattern = new RegExp(`</${name}[^>]*>`, 'gi');
  pattern.lastIndex = from;
  return pattern.exec(html) === null ? html.length : pattern.lastIndex;
}

/** Value of an attribute, references resolved; null when the tag has none. */
export function attribute(tag: string, name: string): string | null {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>"']+))`, 'i').exec(tag);
  return match === null ? null : decodeEntities(match[1] ?? match[2] ?? match[3] ?? '');
}

/** Whether the element is not displayed: preheaders, and variants for other screens. */
export function isHidden(tag: string): boolean {
  if (tag.length < 9) return false;
  if (/\shidden(?:[\s>=/]|$)/i.test(tag)) return true;
  const style = /\sstyle/i.test(tag) ? attribute(tag, 'style') : null;
  return style !== null && HIDDEN_STYLE.test(style);
}

/** Whether a link looks like a button: by its class or role, or by a background of its own. */
export function isButton(tag: string): boolean {
  const named = `${attribute(tag, 'class') ?? ''} ${attribute(tag, 'role') ?? ''}`;
  if (/(?:^|[\s_-])(?:btn|button|cta)(?:$|[\s_-])/i.test(named)) return true;
  return /background(?:-color)?\s*:\s*(?!none|transparent|inherit|\s)/i.test(attribute(tag, 'style') ?? '');
}

/** The `http(s)` or mail address of a link; empty for anything else. */
export function linkTarget(href: string): string {
  const url = href.trim().replace(/\s+/g, '%20');
  if (/^https?:\/\//i.test(url)) return url.length > 4000 ? '' : url;
  return /^mailto:([^?]{3,320})/i.exec(url)?.[1] ?? '';
}

/** Whether the text of a link is its address. */
export function sameAddress(label: string, url: string): boolean {
  const bare = (text: string) =>
    text
      .trim()
      .toLowerCase()
      .replace(/^(?:https?:\/\/|mailto:)?(?:www\.)?/, '')
      .replace(/\/$/, '');
  return bare(label) === bare(url);
}
