// A page of markdown as HTML. Of HTML in a page only pictures and comments are taken, all else is refused, so
// that nothing but what is drawn here reaches the browser. Ids of headings are those that GitHub makes, so
// that one link works in both places.
import { Marked, type RendererObject, type Token, type Tokens } from 'marked';
import { tokensOf } from '../src/features/api-docs/model/colour.ts';
import { escapeHtml } from './escape.ts';

export interface Heading {
  id: string;
  /** 1 to 6. */
  depth: number;
  text: string;
}

/** What stands below a heading, as plain text, for the search. */
export interface Section {
  id: string;
  heading: string;
  text: string;
}

/** What a link or a picture of a page leads to. */
export interface Targets {
  /** The address of a link, and its title where it is a page; null for what only the source has. */
  link: (href: string) => { address: string; title?: string } | null;
  picture: (href: string) => { src: string; width: number; height: number };
}

export interface Drawn {
  html: string;
  headings: Heading[];
  sections: Section[];
}

const PICTURE =
  /^<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="(?<dark>[^"]+)">\s*<img src="(?<src>[^"]+)" alt="(?<alt>[^"]*)">\s*<\/picture>\s*$/;
const IMAGE = /^<img src="(?<src>[^"]+)"(?: width="\d+")? alt="(?<alt>[^"]*)">\s*$/;
const COMMENT = /^<!--[^]*?-->\s*$/;
/** What scrolls needs the focus for its keys; the script of the pages takes it away where nothing scrolls. */
const SCROLLS = 'tabindex="0" role="group"';

/** Draws a page; throws where it has what pages cannot have. `isIndex`: a list of pages, drawn as cards. */
export function draw(source: string, targets: Targets, isIndex: boolean): Drawn {
  const headings: Heading[] = [];
  const marked = new Marked({ gfm: true });
  const tokens = marked.lexer(source);
  const slugs = slugger();
  const ids = new Map<Token, string>();
  for (const token of tokens)
    if (token.type === 'heading') {
      const text = plain(token.tokens);
      const id = slugs(text);
      ids.set(token, id);
      headings.push({ id, depth: (token as Tokens.Heading).depth, text });
    }
  marked.use({ renderer: renderer(targets, ids, isIndex) });
  return { html: marked.parser(tokens), headings, sections: sectionsOf(tokens, ids) };
}

/** Screens of the app that a page may name, which become links. */
const SCREENS = new Set(['/api-docs', '/docs']);

/** The languages of blocks whose pieces get a colour, and the grammar of each. */
const GRAMMARS: Record<string, Parameters<typeof tokensOf>[1]> = {
  sh: 'curl',
  console: 'curl',
  ini: 'curl',
  yaml: 'curl',
  json: 'json',
  js: 'javascript',
  ts: 'javascript',
  python: 'python',
  go: 'go',
};

function coloured(text: string, language: string): string {
  const grammar = GRAMMARS[language];
  if (grammar === undefined) return escapeHtml(text);
  return tokensOf(text, grammar)
    .map(({ kind, text: part }) =>
      kind === 'plain' ? escapeHtml(part) : `<span class="of-${kind}">${escapeHtml(part)}</span>`,
    )
    .join('');
}

function renderer(targets: Targets, ids: ReadonlyMap<Token, string>, isIndex: boolean): RendererObject {
  return {
    heading(token) {
      const id = ids.get(token) ?? '';
      const text = this.parser.parseInline(withoutLinks(token.tokens));
      if (token.depth === 1) return `<h1 id="${id}">${text}</h1>\n`;
      return `<h${token.depth} id="${id}"><a href="#${id}">${text}</a></h${token.depth}>\n`;
    },
    code({ text, lang }) {
      const [language = ''] = (lang ?? '').split(' ');
      if (language === 'mermaid') throw new Error('a diagram is a drawing of its own here, not mermaid');
      return `<div class="code"><pre translate="no" ${SCROLLS} aria-label="Code" data-language="${escapeHtml(language)}"><code>${coloured(text, language)}\n</code></pre></div>\n`;
    },
    html({ text }) {
      const drawn = picture(text, targets);
      if (drawn === null) throw new Error(`HTML is not allowed in a page: ${text.slice(0, 80)}`);
      return drawn;
    },
    image({ href, text }) {
      return image(targets.picture(href), text);
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      if (/^(https?|mailto):/.test(href)) return `<a href="${escapeHtml(href)}" rel="noopener">${text}</a>`;
      const to = targets.link(href);
      if (to === null) return text;
      // A page that is named by its file is named by its title here.
      const name = text.endsWith('.md') && to.title !== undefined ? escapeHtml(to.title) : text;
      return `<a href="${escapeHtml(to.address)}">${name}</a>`;
    },
    codespan({ text }) {
      const code = `<code translate="no">${escapeHtml(text)}</code>`;
      return SCREENS.has(text) ? `<a href="${text}">${code}</a>` : code;
    },
    listitem(item) {
      return `<li>${this.parser.parse(isIndex ? withoutColon(item.tokens) : item.tokens)}</li>\n`;
    },
    table({ header, rows }) {
      const cells = (row: readonly Tokens.TableCell[], tag: string) =>
        row.map((cell) => {
          const right = cell.align === 'right' ? ' class="right"' : '';
          const scope = tag === 'th' ? ' scope="col"' : '';
          const content = this.parser.parseInline(cell.tokens);
          // A corner without a name heads nothing.
          return content === '' && tag === 'th' ? `<td></td>` : `<${tag}${scope}${right}>${content}</${tag}>`;
        });
      const body = rows.map((row) => `<tr>${cells(row, 'td').join('')}</tr>`);
      return `<div class="table" ${SCROLLS} aria-label="Table"><table><thead><tr>${cells(header, 'th').join('')}</tr></thead><tbody>${body.join('')}</tbody></table></div>\n`;
    },
    paragraph({ tokens }) {
      const isPicture = tokens.every(({ type, raw }) => type === 'image' || raw.trim() === '');
      const text = this.parser.parseInline(tokens);
      return isPicture ? text : `<p>${text}</p>\n`;
    },
  };
}

function picture(html: string, targets: Targets): string | null {
  if (COMMENT.test(html)) return '';
  const both = PICTURE.exec(html)?.groups;
  if (both !== undefined)
    return (
      image(targets.picture(both['src'] ?? ''), both['alt'] ?? '', 'light') +
      image(targets.picture(both['dark'] ?? ''), both['alt'] ?? '', 'dark')
    );
  const one = IMAGE.exec(html)?.groups;
  return one === undefined ? null : image(targets.picture(one['src'] ?? ''), one['alt'] ?? '');
}

/** `theme`: the one that it is for. What is not shown is not fetched. */
function image(
  { src, width, height }: ReturnType<Targets['picture']>,
  alt: string,
  theme?: 'light' | 'dark',
): string {
  const kind = src.endsWith('.svg') ? 'drawing' : 'screen';
  const only = theme === undefined ? '' : ` only-${theme}`;
  const img = `<img src="${src}" width="${width}" height="${height}" alt="${escapeHtml(alt)}" loading="lazy" decoding="async">`;
  return `<figure class="${kind}${only}"><a href="${src}" ${kind === 'drawing' ? 'aria-label="The drawing in its full size"' : 'aria-label="The picture in its full size"'}>${img}</a></figure>\n`;
}

/**
 * As GitHub names headings: lower case, without punctuation, dashes for spaces, a number where it is there
 * already.
 */
function slugger(): (text: string) => string {
  const seen = new Map<string, number>();
  return (text) => {
    const slug = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}

// A heading is a link itself.
function withoutLinks(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token) => (token.type === 'link' ? ((token as Tokens.Link).tokens ?? []) : [token]));
}

/** “Page: what it says” is drawn in two lines. */
function withoutColon(tokens: Token[]): Token[] {
  return tokens.map((token) => {
    if ('tokens' in token && token.tokens !== undefined && token.type !== 'link')
      return { ...token, tokens: withoutColon(token.tokens) };
    const [, first, rest] = /^: (.)([^]*)$/.exec(token.raw) ?? [];
    if (token.type !== 'text' || first === undefined || rest === undefined) return token;
    const text = first.toUpperCase() + rest;
    return { ...token, raw: text, text };
  });
}

/** What a reader sees, without marks. */
function plain(tokens: readonly Token[] | undefined): string {
  return (tokens ?? []).map(plainOne).join('');
}

function plainOne(token: Token): string {
  switch (token.type) {
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows].map((row) => row.map((cell) => plain(cell.tokens)).join(' ')).join('\n');
    }
    case 'list':
      return (token as Tokens.List).items.map((item) => plain(item.tokens)).join('\n');
    case 'html':
    case 'image':
      return '';
    case 'br':
      return ' ';
    default:
      if ('tokens' in token && token.tokens !== undefined) return plain(token.tokens);
      return 'text' in token && typeof token.text === 'string' ? unescape(token.text) : '';
  }
}

const unescape = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

function sectionsOf(tokens: readonly Token[], ids: ReadonlyMap<Token, string>): Section[] {
  const sections: Section[] = [];
  for (const token of tokens) {
    const id = ids.get(token);
    if (id !== undefined) sections.push({ id, heading: plain([token]), text: '' });
    else {
      const last = sections.at(-1);
      const text = plainOne(token).replaceAll(/\s+/g, ' ').trim();
      if (last !== undefined && text !== '') last.text += last.text === '' ? text : ` ${text}`;
    }
  }
  return sections;
}
