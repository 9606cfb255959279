// Markdown and HTML as plain text, for titles and bodies. In time linear in the text (which is cut first),
// and without rendering anything: what comes out is only ever shown as text.
import { cleanText } from '#core/text/clean-text.ts';
import { htmlToText } from '#core/text/html-to-text.ts';
import { withEmoji } from './emoji.ts';
import { manyLines, oneLine } from './read.ts';

const MAX_READ = 20_000;

/** Markdown (with HTML in it) as text, in its lines, at most `limit` characters. */
export function plain(markdown: string, limit = 4000): string {
  const start = markdown.slice(0, Math.min(4 * limit, MAX_READ));
  const { text } = htmlToText(start, { markdownTags: MARKDOWN_TAGS, showsLinks: false });
  return manyLines(withEmoji(withoutMarkdown(text)), limit);
}

/** Markdown as text, on one line. */
export function excerpt(markdown: string, limit = 200): string {
  return oneLine(plain(markdown, limit * 8), limit);
}

/** HTML as text, in its lines, at most `limit` characters. */
export function plainHtml(html: string, limit = 4000): string {
  return manyLines(cleanText(htmlToText(html.slice(0, 2 * MAX_READ), { showsLinks: false }).text), limit);
}

/** Elements that occur in Markdown; other brackets are text. */
const MARKDOWN_TAGS = new Set(
  (
    'a abbr b blockquote br code dd del details div dl dt em font h1 h2 h3 h4 h5 h6 hr i img input ins kbd li ol p picture pre q s ' +
    'samp script small source span strike strong style sub summary sup table tbody td tfoot th thead tr tt u ul var video'
  ).split(' '),
);
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
