// Syntax colours of the few languages that the page shows: what each piece of a text is. Pure. What it does
// not know stays plain, so that joining the pieces always gives the text.
import type { Language } from './code.ts';

export type TokenKind = 'plain' | 'comment' | 'string' | 'number' | 'keyword' | 'name';

export interface Token {
  kind: TokenKind;
  text: string;
}

const DOUBLE = String.raw`"(?:[^"\\\n]|\\.)*"`;
const SINGLE = String.raw`'(?:[^'\\\n]|\\.)*'`;
const NUMBER = String.raw`(?<![\w.-])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.-])`;
const words = (list: string) => String.raw`(?<![\w.$-])(?:${list.replaceAll(' ', '|')})(?![\w-])`;

interface Grammar {
  string: string;
  keyword: string;
  /** {@link NUMBER}, where it is not given. */
  number?: string;
  comment?: string;
  name?: string;
}

// A single-quoted text of a shell has lines and no escapes.
const SHELL: Grammar = {
  string: `${DOUBLE}|'[^']*'`,
  // Names of programs and of hosts have the same letters.
  keyword: '^(?:curl|http)(?= )',
  number: String.raw`(?<=:=)\d+(?= |$)`,
  name: String.raw`(?<=\s)--?[A-Za-z][\w-]*`,
  comment: String.raw`(?<=^|\s)#[^\n]*`,
};

const GRAMMARS: Record<Language | 'json', Grammar> = {
  json: { string: DOUBLE, keyword: words('true false null'), name: String.raw`${DOUBLE}(?=\s*:)` },
  curl: SHELL,
  httpie: SHELL,
  javascript: {
    string: String.raw`${DOUBLE}|${SINGLE}|\x60(?:[^\x60\\]|\\[\s\S])*\x60`,
    keyword: words(
      'import from export default const let async function await for of new return true false null',
    ),
    comment: String.raw`\/\/[^\n]*`,
  },
  python: {
    string: `f?${DOUBLE}|${SINGLE}`,
    keyword: words('import from with as for in True False None'),
    comment: '#[^\\n]*',
  },
  go: {
    string: String.raw`${DOUBLE}|\x60[^\x60]*\x60`,
    keyword: words('package import func if nil defer return'),
    comment: String.raw`\/\/[^\n]*`,
  },
};

const patterns = new Map<string, RegExp>();

function patternOf(language: Language | 'json'): RegExp {
  const known = patterns.get(language);
  if (known !== undefined) return known;
  const { name, comment, string, keyword, number = NUMBER } = GRAMMARS[language];
  const kinds = { name, comment, string, keyword, number };
  const parts = Object.entries(kinds).flatMap(([kind, part]) =>
    part === undefined ? [] : [`(?<${kind}>${part})`],
  );
  const pattern = new RegExp(parts.join('|'), 'gm');
  patterns.set(language, pattern);
  return pattern;
}

/** The pieces of a text, in order. */
export function tokensOf(text: string, language: Language | 'json'): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const { 0: found, index, groups = {} } of text.matchAll(patternOf(language))) {
    if (index > end) tokens.push({ kind: 'plain', text: text.slice(end, index) });
    const [kind = 'plain'] = Object.entries(groups).find(([, part]) => part !== undefined) ?? [];
    tokens.push({ kind: kind as TokenKind, text: found });
    end = index + found.length;
  }
  if (end < text.length) tokens.push({ kind: 'plain', text: text.slice(end) });
  return tokens;
}
