// The one list of the documentation's pages is docs/README.md: a heading is a group, an item is a page. A
// page that is named README.md has a list of its own, whose pages stand below it.
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { marked, type Token, type Tokens } from 'marked';

/** The list, from the root of the project. */
export const CONTENTS = 'docs/README.md';

export interface Entry {
  /** From the root of the project. */
  file: string;
  title: string;
  /** The file of the list that names it, where that is not {@link CONTENTS}. */
  below: string | null;
}

export interface Group {
  title: string;
  entries: Entry[];
}

/** The groups of pages in their order; throws for an item that is not a link to a page. */
export function readContents(root: string): Group[] {
  const groups: Group[] = [];
  for (const token of marked.lexer(readFileSync(join(root, CONTENTS), 'utf8'))) {
    if (token.type === 'heading' && (token as Tokens.Heading).depth === 2)
      groups.push({ title: (token as Tokens.Heading).text, entries: [] });
    else if (token.type === 'list')
      for (const entry of entriesOf(token as Tokens.List, CONTENTS, null)) {
        groups.at(-1)?.entries.push(entry, ...below(root, entry));
      }
  }
  return groups;
}

function below(root: string, { file }: Entry): Entry[] {
  if (!file.endsWith('/README.md')) return [];
  const tokens = marked.lexer(readFileSync(join(root, file), 'utf8'));
  return tokens
    .filter(({ type }) => type === 'list')
    .flatMap((token) => entriesOf(token as Tokens.List, file, file));
}

function entriesOf({ items }: Tokens.List, from: string, parent: string | null): Entry[] {
  return items.map((item) => {
    const link = firstLink(item.tokens);
    if (link?.href.endsWith('.md') !== true) throw new Error(`${from}: “${item.text}” begins with no page`);
    return { file: normalize(join(dirname(from), link.href)), title: link.text, below: parent };
  });
}

function firstLink(tokens: readonly Token[] | undefined): Tokens.Link | undefined {
  for (const token of tokens ?? []) {
    if (token.type === 'link') return token as Tokens.Link;
    const inner = 'tokens' in token ? firstLink(token.tokens) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/**
 * The address of a page: `docs/adapters/smtp.md` is `/docs/adapters/smtp`, `CHANGELOG.md`
 * `/docs/changelog`.
 */
export function addressOf(file: string): string {
  const path = file.startsWith('docs/') ? file : `docs/${file.toLowerCase()}`;
  return `/${path.replace(/\.md$/, '').replace(/\/README$/, '')}`;
}
