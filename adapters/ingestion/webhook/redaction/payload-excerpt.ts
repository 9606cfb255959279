// The excerpt of a payload that is stored with its task: without secrets; each cut says how much is missing.
import { hidden, isCardNumber, MASK, maskText, secretFieldsOf } from './mask.ts';

interface Level {
  depth: number;
  items: number;
  keys: number;
  chars: number;
}

/** Tried in this order until one fits. */
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

/** The value with its secrets hidden, at most `maxBytes` of JSON in UTF-8; null when nothing of it fits. */
export function payloadExcerpt(value: unknown, maxBytes: number): unknown {
  const names = new Map<object, string[]>();
  for (const level of LEVELS) {
    const budget = { ...level, left: MAX_NODES, room: maxBytes, names };
    const excerpt = cut(value, budget, 0);
    if (budget.room >= 0 && Buffer.byteLength(JSON.stringify(excerpt)) <= maxBytes) return excerpt;
  }
  return null;
}

interface Budget extends Level {
  /** Values that may still be looked at. */
  left: number;
  /** Characters that still fit; below zero this attempt is given up. */
  room: number;
  /** Field names of objects that an earlier attempt has listed: there may be many thousand. */
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
  // A secret at the cut must be seen whole to be recognised, so more is masked than remains.
  const masked = maskText(text.slice(0, chars + 300));
  if (text.length <= chars && masked.length <= chars + 50) return masked.toWellFormed();
  const start = masked.slice(0, chars).toWellFormed();
  return `${start}… (${Math.max(1, text.length - chars)} more characters)`;
}

function cutList(list: readonly unknown[], budget: Budget, depth: number): unknown {
  if (list.length > 0 && depth >= budget.depth) return `… (${list.length} items)`;
  const shown: unknown[] = [];
  for (const item of list) {
    if (shown.length === budget.items || isSpent(budget)) break;
    shown.push(cut(item, budget, depth + 1));
  }
  if (shown.length < list.length) shown.push(`… (${list.length - shown.length} more items)`);
  return shown;
}

function cutObject(object: Record<string, unknown>, budget: Budget, depth: number): unknown {
  let names = budget.names.get(object);
  if (names === undefined) budget.names.set(object, (names = Object.keys(object)));
  if (names.length > 0 && depth >= budget.depth) return `… (${names.length} fields)`;
  const isSecret = secretFieldsOf(object);
  const shown: [string, unknown][] = [];
  for (const name of names) {
    if (shown.length === budget.keys || isSpent(budget)) break;
    const value = object[name];
    budget.room -= name.length;
    shown.push([cutName(name), isSecret(name) ? hidden(value) : cut(value, budget, depth + 1)]);
  }
  if (shown.length < names.length) shown.push(['…', `${names.length - shown.length} more fields`]);
  return Object.fromEntries(shown);
}

// A store may not take NUL in a field's name.
function cutName(name: string): string {
  const text = maskText(name.slice(0, MAX_NAME_CHARACTERS)).replaceAll('\0', '').toWellFormed();
  return name.length > MAX_NAME_CHARACTERS ? `${text}…` : text;
}
