// What is typed into the search field: words, and tokens that filter. `#ops`, `source:email`, `intake:"Prod
// alerts"`, `priority:high`; a value with spaces is quoted, and a quote in it doubled. Tokens combine.
import type { Priority } from '#core/contract/index.ts';
import { MAX_TAG_FILTERS } from '#core/contract/limits.ts';
import { PRIORITIES, sourceLabel } from '../../../lib/labels.ts';

export interface Search {
  /** The words that are no token, '' for none. */
  text: string;
  tags: readonly string[];
  source: string | null;
  intake: string | null;
  priority: Priority | null;
}

/** What a token filters by. */
export type TokenKind = 'tag' | 'source' | 'intake' | 'priority';

const TOKEN = /(^|\s)(?:(#)|(tag|source|intake|priority):)(?:"((?:[^"]|"")*)"?|([^\s"]*))(?=\s|$)/giu;
/** A word that begins like a token, up to the caret. */
const BEGUN = /(?:^|\s)((?:#|(?:tag|source|intake|priority):)(?:"(?:[^"]|"")*|[^\s"]*))$/iu;
const KNOWN_SOURCES = ['api', 'web', 'email', 'webhook', 'integration', 'slack', 'manual'];

/** Never fails: what is not understood is text. A token without a value filters nothing yet. */
export function parseSearch(typed: string): Search {
  const tags: string[] = [];
  const found: { source: string | null; intake: string | null; priority: Priority | null } = {
    source: null,
    intake: null,
    priority: null,
  };
  const text = typed.replace(
    TOKEN,
    (_, before: string, hash, name?: string, quoted?: string, bare?: string) => {
      const value = valueOf(quoted, bare);
      const kind = hash === '#' ? 'tag' : (name ?? '').toLowerCase();
      if (value === '') return before;
      if (kind === 'tag') {
        if (!tags.includes(value) && tags.length < MAX_TAG_FILTERS) tags.push(value);
      } else if (kind === 'source') found.source = sourceNamed(value);
      else if (kind === 'intake') found.intake = value;
      else found.priority = priorityNamed(value) ?? found.priority;
      return before;
    },
  );
  return { text: text.replaceAll(/\s+/g, ' ').trim(), tags, ...found };
}

/** The token as it is typed. */
export function tokenOf(kind: TokenKind, value: string): string {
  const text = /[\s"]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  return kind === 'tag' ? `#${text}` : `${kind}:${text}`;
}

/** Adds the token, or removes it where it is. A source, an intake and a priority replace the one before. */
export function toggleToken(typed: string, kind: TokenKind, value: string): string {
  const token = tokenOf(kind, value);
  const others = tokensIn(typed).filter((each) => each.kind === kind);
  const same = others.find((each) => sameValue(kind, each.value, value));
  if (same !== undefined) return without(typed, [same]);
  const rest = kind === 'tag' ? typed : without(typed, others);
  return `${rest.trim()} ${token}`.trim();
}

/** What is being typed at the end of `before`, when it begins like a token. */
export function begunToken(before: string): { kind: TokenKind; value: string; start: number } | null {
  const [, token] = BEGUN.exec(before) ?? [];
  if (token === undefined) return null;
  const start = before.length - token.length;
  if (token.startsWith('#')) return { kind: 'tag', value: unquoted(token.slice(1)), start };
  const colon = token.indexOf(':');
  return {
    kind: token.slice(0, colon).toLowerCase() as TokenKind,
    value: unquoted(token.slice(colon + 1)),
    start,
  };
}

interface PlacedToken {
  kind: TokenKind;
  value: string;
  start: number;
  end: number;
}

function tokensIn(typed: string): PlacedToken[] {
  return [...typed.matchAll(TOKEN)].map((match) => {
    const [whole, before = '', hash, name = '', quoted, bare] = match;
    return {
      kind: hash === '#' ? 'tag' : (name.toLowerCase() as TokenKind),
      value: valueOf(quoted, bare),
      start: match.index + before.length,
      end: match.index + whole.length,
    };
  });
}

function without(typed: string, tokens: readonly PlacedToken[]): string {
  let text = typed;
  for (const { start, end } of tokens.toReversed()) text = `${text.slice(0, start)} ${text.slice(end)}`;
  return text.replaceAll(/\s+/g, ' ').trim();
}

function sameValue(kind: TokenKind, a: string, b: string): boolean {
  if (kind === 'source') return sourceNamed(a) === sourceNamed(b);
  if (kind === 'priority') return priorityNamed(a) === priorityNamed(b);
  return kind === 'tag' ? a === b : a.toLowerCase() === b.toLowerCase();
}

/** Of the two groups of {@link TOKEN}, of which one is there. */
function valueOf(quoted: string | undefined, bare: string | undefined): string {
  return (quoted?.replaceAll('""', '"') ?? bare ?? '').trim();
}

/** Of a token that is being typed. */
function unquoted(text: string): string {
  return text.startsWith('"') ? text.slice(1).replaceAll('""', '"') : text;
}

/** Known sources by name or label, others as typed. */
function sourceNamed(value: string): string {
  const wanted = value.toLowerCase();
  return (
    KNOWN_SOURCES.find((source) => source === wanted || sourceLabel(source).toLowerCase() === wanted) ?? value
  );
}

function priorityNamed(value: string): Priority | null {
  return PRIORITIES.find((priority) => priority.startsWith(value.toLowerCase())) ?? null;
}
