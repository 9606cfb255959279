// What of a payload is kept beside its task: secrets hidden, then as much as fits, and wherever something was left out, how much.
import { hidden, isCardNumber, MASK, maskText, secretFieldsOf } from './mask.ts';

interface Level {
  depth: number;
  items: number;
  keys: number;
  chars: number;
}

// The first that fits is taken.
const LEVELS: readonly Level[] = [
  { depth: 16, items: 200, keys: 300, chars: 12_000 },
  { depth: 12, items: 50, keys: 150, chars: 4000 },
  { depth: 10, items: 20, keys: 80, chars: 1000 },
  { depth: 8, items: 10, keys: 60, chars: 400 },
  { depth: 6, items: 5, keys: 40, chars: 200 },
  { depth: 4, items: 3, keys: 25, chars: 100 },
  { depth: 3, items: 2, keys: 15, chars: 60 },
  { depth: 2, items: 1, keys: 8, chars: 40 },
];
/** Values that one attempt looks at; 16 KiB of JSON cannot hold more. */
const MAX_NODES = 5000;
const MAX_NAME_CHARACTERS = 100;

/** The value with its secrets hidden, as JSON in UTF-8 at most `maxBytes` long; null when nothing of it fits. */
export function keepable(value: unknown, maxBytes: number): unknown {
  const names = new Map<object, string[]>();
  for (const level of LEVELS) {
    const budget = { ...level, left: MAX_NODES, room: maxBytes, names };
    const kept = cut(value, budget, 0);
    if (budget.room >= 0 && Buffer.byteLength(JSON.stringify(kept)) <= maxBytes) return kept;
  }
  return null;
}

interface Budget extends Level {
  /** Values that may still be looked at. */
  left: number;
  /** Characters that may still be kept; below zero nothing of this attempt will do, so it ends. */
  room: number;
  /** The fields of objects that an attempt before has seen: there may be many thousand. */
  names: Map<object, string[]>;
}

function isSpent({ left, room }: Budget): boolean {
  return left <= 0 || room < 0;
}

function cut(value: unknown, budget: Budget, depth: number): unknown {
  budget.left--;
  if (typeof value === 'string') {
    const text = cutText(value, budget.chars);
    budget.room -= text.length;
    return text;
  }
  if (typeof value === 'number') return Number.isFinite(value) && !isCardNumber(String(value)) ? value : MASK;
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value !== 'object') return null;
  if (Array.isArray(value)) return cutList(value, budget, depth);
  return cutObject(value as Record<string, unknown>, budget, depth);
}

function cutText(text: string, chars: number): string {
  // What is hidden is longer than what a cut leaves of it, so a part more than is kept is looked at.
  const masked = maskText(text.slice(0, chars + 300));
  if (text.length <= chars && masked.length <= chars + 50) return masked.toWellFormed();
  const kept = masked.slice(0, chars).toWellFormed();
  return `${kept}… (${Math.max(1, text.length - chars)} more characters)`;
}

function cutList(list: readonly unknown[], budget: Budget, depth: number): unknown {
  if (list.length > 0 && depth >= budget.depth) return `… (${list.length} items)`;
  const kept: unknown[] = [];
  for (const item of list) {
    if (kept.length === budget.items || isSpent(budget)) break;
    kept.push(cut(item, budget, depth + 1));
  }
  if (kept.length < list.length) kept.push(`… (${list.length - kept.length} more items)`);
  return kept;
}

function cutObject(object: Record<string, unknown>, budget: Budget, depth: number): unknown {
  let names = budget.names.get(object);
  if (names === undefined) budget.names.set(object, (names = Object.keys(object)));
  if (names.length > 0 && depth >= budget.depth) return `… (${names.length} fields)`;
  const isSecret = secretFieldsOf(object);
  const kept: [string, unknown][] = [];
  for (const name of names) {
    if (kept.length === budget.keys || isSpent(budget)) break;
    const value = object[name];
    budget.room -= name.length;
    kept.push([cutName(name), isSecret(name) ? hidden(value) : cut(value, budget, depth + 1)]);
  }
  if (kept.length < names.length) kept.push(['…', `${names.length - kept.length} more fields`]);
  return Object.fromEntries(kept);
}

// A store may not take NUL in a field's name.
function cutName(name: string): string {
  const text = maskText(name.slice(0, MAX_NAME_CHARACTERS)).replaceAll('\0', '').toWellFormed();
  return name.length > MAX_NAME_CHARACTERS ? `${text}…` : text;
}
