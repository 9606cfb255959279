// Markdown and HTML as plain text, for titles and bodies. In time linear in the text (which is cut first), and without rendering
// anything: what comes out is only ever shown as text.
import { withEmoji } from './emoji.ts';
import { manyLines, oneLine } from './read.ts';

const MAX_READ = 20_000;

/** What Markdown (with HTML in it) says, its lines kept, at most `limit` characters. */
export function plain(markdown: string, limit = 4000): string {
  return manyLines(
    withEmoji(withoutMarkdown(withoutTags(markdown.slice(0, Math.min(4 * limit, MAX_READ)), KNOWN))),
    limit,
  );
}

/** What Markdown says, on one line. */
export function excerpt(markdown: string, limit = 200): string {
  return oneLine(plain(markdown, limit * 8), limit);
}

/** What HTML says, its lines kept, at most `limit` characters. */
export function plainHtml(html: string, limit = 4000): string {
  return manyLines(withoutTags(html.slice(0, 2 * MAX_READ).replace(/\s+/g, ' '), null), limit);
}

const KNOWN = new Set(
  (
    'a abbr b blockquote br code dd del details div dl dt em font h1 h2 h3 h4 h5 h6 hr i img input ins kbd li ol p picture pre q s ' +
    'samp script small source span strike strong style sub summary sup table tbody td tfoot th thead tr tt u ul var video'
  ).split(' '),
);
const BREAKING = new Set(
  'blockquote br dd details div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre summary table title tr ul'.split(' '),
);
const SILENT = new Set(['style', 'script', 'head', 'title', 'noscript', 'template']);

/** Walks over tags once; only tags of `known` names are taken out, or all when it is null. */
function withoutTags(text: string, known: ReadonlySet<string> | null): string {
  const kept: string[] = [];
  const lower = text.toLowerCase();
  let at = 0;
  for (;;) {
    const open = text.indexOf('<', at);
    if (open === -1) break;
    kept.push(text.slice(at, open));
    if (text.startsWith('<!--', open)) {
      const end = text.indexOf('-->', open);
      if (end === -1) return kept.join('');
      at = end + 3;
      continue;
    }
    const name = /^<[/!]?([a-z][a-z0-9:]{0,20})/i.exec(text.slice(open, open + 24))?.[1]?.toLowerCase() ?? '';
    const close = name === '' || (known !== null && !known.has(name)) ? -1 : text.indexOf('>', open);
    if (close === -1) {
      kept.push('<');
      // Where no tag ends any more, nothing that follows is a tag.
      if (name !== '' && (known === null || known.has(name)))
        return decoded(kept.join('') + text.slice(open + 1));
      at = open + 1;
      continue;
    }
    at = close + 1;
    if (BREAKING.has(name)) kept.push('\n');
    if (name === 'td' || name === 'th') kept.push(' ');
    if (SILENT.has(name) && text[open + 1] !== '/') {
      const end = lower.indexOf(`</${name}`, at);
      if (end === -1) return decoded(kept.join(''));
      at = end;
    }
  }
  kept.push(text.slice(at));
  return decoded(kept.join(''));
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bull: '•',
  middot: '·',
  euro: '€',
  copy: '©',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  szlig: 'ß',
  eacute: 'é',
  zwnj: '',
};

/** The text with character references (`&amp;`, `&#39;`) as characters. */
export function decoded(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi,
    (all: string, decimal: unknown, hex: unknown, name: unknown) => {
      if (typeof name === 'string') return ENTITIES[name.toLowerCase()] ?? all;
      const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 31 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
        ? String.fromCodePoint(code)
        : ' ';
    },
  );
}

function withoutMarkdown(text: string): string {
  return text
    .replace(/!?\[([^[\]\n]{0,300})\]\([^()\s]{0,1000}(?: "[^"\n]{0,200}")?\)/g, '$1')
    .replace(/!?\[([^[\]\n]{0,300})\]\[[^[\]\n]{0,100}\]/g, '$1')
    .replace(/<(https?:\/\/[^<>\s]{1,1000})>/g, '$1')
    .replace(/^\[[^\]\n]{1,100}\]: .*$/gm, '')
    .replace(/^ {0,3}(?:```|~~~).*$/gm, '')
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
    .replace(/`{1,3}([^`\n]{1,500})`{1,3}/g, '$1')
    .replace(/\\([\\`*_{}[\]()#+\-.!<>|])/g, '$1');
}
