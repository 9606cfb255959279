// What the search field offers for what is being typed.
import type { Facets } from '#core/contract/index.ts';
import { PRIORITIES, PRIORITY_LABEL, sourceLabel } from '../../../lib/labels.ts';
import { begunToken, tokenOf, type TokenKind } from './search.ts';

export interface Completion {
  label: string;
  /** How many tasks it would find, or what it means. */
  note: string;
  /** The whole text once it is chosen, and where the caret goes. */
  text: string;
  caret: number;
}

const MOST = 8;
const MOST_WORDS = 3;

/** The ways to filter, offered in an empty field. */
const STARTS: readonly [string, string][] = [
  ['#', 'a tag'],
  ['source:', 'where it came from'],
  ['intake:', 'through which address'],
  ['priority:', 'high, normal, low'],
];

/** For the token before the caret; for a word, the tags and intakes that begin with it. */
export function completionsFor(typed: string, caret: number, facets: Facets): Completion[] {
  const before = typed.slice(0, caret);
  const after = typed.slice(caret).trimStart();
  if (typed.trim() === '')
    return STARTS.map(([label, note]) => ({ label, note, text: label, caret: label.length }));
  const begun = begunToken(before);
  const start = begun?.start ?? before.length - (/\S*$/.exec(before)?.[0].length ?? 0);
  const wanted = (begun?.value ?? before.slice(start)).toLowerCase();
  if (begun === null && wanted === '') return [];
  const values = begun === null ? wordValues(facets) : valuesOf(begun.kind, facets);
  return values
    .filter(({ value, label }) => [value, label].some((text) => text.toLowerCase().startsWith(wanted)))
    .slice(0, begun === null ? MOST_WORDS : MOST)
    .map(({ kind, value, label, note }) => {
      const text = `${typed.slice(0, start)}${tokenOf(kind, value)} `;
      return {
        label: kind === 'tag' ? `#${label}` : `${kind}: ${label}`,
        note,
        text: text + after,
        caret: text.length,
      };
    })
    .filter(({ text }) => text.trim() !== typed.trim());
}

/** Where a token begins at the end of the text that can still be completed: its beginning finds nothing. */
export function unfinishedFrom(typed: string, facets: Facets): number | null {
  const begun = begunToken(typed);
  return begun !== null && completionsFor(typed, typed.length, facets).length > 0 ? begun.start : null;
}

interface Value {
  kind: TokenKind;
  value: string;
  label: string;
  note: string;
}

function valuesOf(kind: TokenKind, { tags, sources, intakes }: Facets): Value[] {
  switch (kind) {
    case 'tag':
      return tags.map(({ value, count }) => ({ kind, value, label: value, note: String(count) }));
    case 'source':
      return sources.map(({ value, count }) => ({
        kind,
        value,
        label: sourceLabel(value),
        note: String(count),
      }));
    case 'intake':
      return intakes.map(({ name, count }) => ({ kind, value: name, label: name, note: String(count) }));
    case 'priority':
      return PRIORITIES.map((value) => ({ kind, value, label: PRIORITY_LABEL[value], note: '' }));
  }
}

function wordValues(facets: Facets): Value[] {
  return [...valuesOf('tag', facets), ...valuesOf('intake', facets), ...valuesOf('source', facets)];
}
