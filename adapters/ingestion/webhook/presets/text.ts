// Texts of presets: bounded, well-formed Unicode; Markdown and HTML as plain text, never rendered.
import { isBlank } from '#core/domain/blank.ts';
import { cleanText } from '#core/text/clean-text.ts';
import { withoutDataUrls } from '#core/text/data-urls.ts';
import { withEmoji } from '#core/text/emoji.ts';
import { htmlToText } from '#core/text/html-to-text.ts';
import { joined } from '#core/text/parts.ts';

/** The text on one line, without control characters, cut at a word with `…` after `limit` characters. */
export function oneLine(text: string, limit = 200): string {
  const start = text.slice(0, limit * 8 + 100);
  return clip(start.replace(/[\s\p{Cc}]+/gu, ' ').trim(), limit, start.length < text.length);
}

/** The text with its lines, cut with `…` after `limit` characters. */
export function manyLines(text: string, limit = 4000): string {
  const start = text.slice(0, limit * 4);
  const tidy = start
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/[^\P{Cc}\n]/gu, '')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return clip(tidy, limit, start.length < text.length);
}

function clip(text: string, limit: number, more: boolean): string {
  // What nobody sees says nothing: what a preset has instead of an empty text takes its place.
  if (!more && isBlank(text)) return '';
  if (text.length <= limit) return `${text.toWellFormed()}${more && text !== '' ? '…' : ''}`;
  const cut = text.slice(0, limit - 1);
  const word = cut.search(/\s\S*$/);
  const end = word > limit * 0.7 ? cut.slice(0, word) : cut;
  // A pair of surrogates that was cut in two leaves nothing behind.
  const whole = end.replace(/[\uD800-\uDBFF]$/, '');
  return `${whole.trimEnd().toWellFormed()}…`;
}

/** The lines joined, without the empty ones. */
export function lines(...parts: readonly string[]): string {
  return joined('\n', parts);
}

/** `text` between `before` and `after`, or nothing when it is empty. */
export function around(before: string, text: string, after = ''): string {
  return text === '' ? '' : `${before}${text}${after}`;
}

/** `1 commit`, `3 commits`. */
export function count(many: number, one: string): string {
  return `${many} ${one}${many === 1 ? '' : 's'}`;
}

/** A name for programs (`pending_tier_change`) as words. */
export function spoken(name: string): string {
  return name.replace(/[_\-.]+/g, ' ').trim();
}

// https://docs.stripe.com/currencies: amounts come in the smallest unit, which is the unit itself for these
// currencies, a thousandth for those, and a hundredth for all others (also ISK and UGX, whose hundredths are
// always 00).
const WHOLE = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');
const THOUSANDTHS = 'BHD JOD KWD OMR TND'.split(' ');

/** An amount in a currency's smallest unit as people write it (`€49.00`); empty when either is missing. */
export function money(amount: unknown, currency: unknown): string {
  if (typeof amount !== 'number' || !Number.isFinite(amount) || typeof currency !== 'string') return '';
  const code = currency.toUpperCase();
  if (!/^[A-Z]{3}$/.test(code)) return '';
  const digits = WHOLE.includes(code) ? 0 : THOUSANDTHS.includes(code) ? 3 : 2;
  const shown = code === 'ISK' || code === 'UGX' ? 0 : digits;
  const style = { style: 'currency', currency: code, minimumFractionDigits: shown } as const;
  const format = new Intl.NumberFormat('en-US', { ...style, maximumFractionDigits: shown });
  return format.format(amount / 10 ** digits).replaceAll('\u00a0', ' ');
}

const MAX_READ = 20_000;

/** Markdown (with HTML in it) as text, in its lines, at most `limit` characters. */
export function plain(markdown: string, limit = 4000): string {
  const start = withoutDataUrls(markdown).slice(0, Math.min(4 * limit, MAX_READ));
  const code: string[] = [];
  const { text } = htmlToText(setCodeAside(start, code), { markdownTags: MARKDOWN_TAGS, showsLinks: false });
  const shown = withEmoji(withoutMarkdown(text)).replace(
    ASIDE,
    (_, index: string) => code[Number(index)] ?? '',
  );
  return manyLines(shown, limit);
}

/** The first address behind words in Markdown, of which the text shows the words alone; empty for none. */
export function labelledLink(markdown: string): string {
  const start = markdown.slice(0, MAX_READ);
  return (
    /(?<!!)\[[^[\]\n]{1,300}\]\(<?(https?:\/\/[^()<>\s]{1,2000})>?(?: "[^"\n]{0,200}")?\)/.exec(start)?.[1] ??
    ''
  );
}

/** Markdown as text, on one line. */
export function excerpt(markdown: string, limit = 200): string {
  return oneLine(plain(markdown, limit * 8), limit);
}

/** HTML as text, in its lines, at most `limit` characters. */
export function plainHtml(html: string, limit = 4000): string {
  const start = withoutDataUrls(html).slice(0, 2 * MAX_READ);
  return manyLines(cleanText(htmlToText(start, { showsLinks: false }).text), limit);
}

/** Elements that occur in Markdown; other brackets are text. */
const MARKDOWN_TAGS = new Set(
  (
    'a abbr b blockquote br code dd del details div dl dt em font h1 h2 h3 h4 h5 h6 hr i img input ins kbd li ol p picture pre q s ' +
    'samp script small source span strike strong style sub summary sup table tbody td tfoot th thead tr tt u ul var video'
  ).split(' '),
);

/** What stands for code meanwhile: its place in a list, between two characters for private use. */
const ASIDE = /\uE000(\d{1,5})\uE001/g;
const FENCE = /^\s*(`{3,}(?=[^`]*$)|~{3,})/;

/** The Markdown with its code, in which no character means anything else, moved to the end of `code`. */
function setCodeAside(markdown: string, code: string[]): string {
  const aside = (text: string) => `\uE000${code.push(text) - 1}\uE001`;
  const outside: string[] = [];
  let fenced: string[] = [];
  let fence = '';
  for (const line of markdown.replace(/[\uE000\uE001]/g, '').split(/\r\n?|\n/)) {
    const mark = FENCE.exec(line)?.[1] ?? '';
    if (fence === '' && mark === '')
      outside.push(
        line.replace(/(?<![`\\])(`{1,3})(?!`)([^`\n]{1,500})\1(?!`)/g, (_, _mark, text: string) =>
          aside(text),
        ),
      );
    else if (fence === '') fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) {
      outside.push(aside(fenced.join('\n')));
      fenced = [];
      fence = '';
    } else fenced.push(line);
  }
  if (fence !== '') outside.push(aside(fenced.join('\n')));
  return outside.join('\n');
}

function withoutMarkdown(text: string): string {
  return text
    .replace(/!?\[([^[\]\n]{0,300})\]\([^()\s]{0,1000}(?: "[^"\n]{0,200}")?\)/g, '$1')
    .replace(/!?\[([^[\]\n]{0,300})\]\[[^[\]\n]{0,100}\]/g, '$1')
    .replace(/<(https?:\/\/[^<>\s]{1,1000})>/g, '$1')
    .replace(/^\[[^\]\n]{1,100}\]: .*$/gm, '')
    .replace(/^ {0,3}#{1,6} +/gm, '')
    .replace(/^ {0,3}(?:> ?)+/gm, '')
    .replace(/^( *)[*+] (?=\S)/gm, '$1- ')
    .replace(/^( *- )\[[ x]\] /gim, '$1')
    .replace(/^ {0,3}(?:[-*_] ?){3,100}$/gm, '')
    .replace(/^\|?(?: {0,9}:?-{3,50}:? {0,9}\|){1,50}.{0,100}$/gm, '')
    .replace(/\*\*(?=\S)([^\n*]{1,500})\*\*/g, '$1')
    .replace(/(?<!\w)__(?=\S)([^\n_]{1,500})__(?!\w)/g, '$1')
    .replace(/~~(?=\S)([^\n~]{1,500})~~/g, '$1')
    .replace(/(?<![\w*])\*(?=[^\s*])([^\n*]{1,500})\*(?![\w*])/g, '$1')
    .replace(/(?<!\w)_(?=[^\s_])([^\n_]{1,500})_(?!\w)/g, '$1')
    .replace(/\\([\\`*_{}[\]()#+\-.!<>|])/g, '$1');
}
