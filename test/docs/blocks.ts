// The blocks of code of a page that are marked to be run: ```sh run, in the order of the page, and ```sh
// serve, which starts the server. The mark stands behind the language, so that file hosts draw the block as
// any other.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked, type Token, type Tokens } from 'marked';
import { plainEnvironment, root } from '#test/program/program.ts';

export type Mark = 'run' | 'serve';

/** The code of a page's blocks with this mark, word for word. */
export function blocksOf(page: string, mark: Mark): string[] {
  return blocksIn(page, `sh ${mark}`);
}

/** The same of the blocks with this language and, where there is one, mark. */
export function blocksIn(page: string, language: string): string[] {
  return codeIn(marked.lexer(readFileSync(join(root, page), 'utf8')))
    .filter(({ lang }) => lang === language)
    .map(({ text }) => text);
}

function codeIn(tokens: readonly Token[]): Tokens.Code[] {
  return tokens.flatMap((token) => {
    if (token.type === 'code') return [token as Tokens.Code];
    const inner = token.type === 'list' ? (token as Tokens.List).items : token.type === 'list_item';
    if (Array.isArray(inner)) return inner.flatMap((item) => codeIn(item.tokens));
    return 'tokens' in token && token.tokens !== undefined ? codeIn(token.tokens) : [];
  });
}

/** Lines of .curlrc: `localhost:3000` of the pages is this server, and a refusal is a failure. */
export function curlSettings(port: number): string {
  return `connect-to = "localhost:3000:127.0.0.1:${port}"\nfail-with-body\nsilent\nshow-error\n`;
}

/** What the blocks see: the server at `port`, its data, and a home with {@link curlSettings} in it. */
export function environmentOf(port: number, dataDir: string, home: string): Record<string, string> {
  const url = `http://127.0.0.1:${port}`;
  return plainEnvironment({
    PORT: String(port),
    DATA_DIR: dataDir,
    SMTP_PORT: 'off',
    HOME: home,
    QINBOX_URL: url,
  });
}
