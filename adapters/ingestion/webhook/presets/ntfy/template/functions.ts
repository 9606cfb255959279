// The functions of Go's templates, and those of Sprig that messages use. Texts stay short: what comes in is
// bounded, and what goes out is cut.
// https://pkg.go.dev/text/template#hdr-Functions and https://masterminds.github.io/sprig
import { isObject } from '../../read.ts';
import { TemplateFault } from './parse.ts';

const MAX_CHARACTERS = 20_000;

type Functions = Readonly<Record<string, (...values: unknown[]) => unknown>>;

/** Whether a value counts as true: not nothing, zero or empty. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

/** A value as Go prints it; nothing for what is not there. */
export function shown(value: unknown, depth = 0): string {
  if (value === null || value === undefined || depth > 5) return '';
  if (Array.isArray(value))
    return `[${value
      .slice(0, 100)
      .map((each) => shown(each, depth + 1))
      .join(' ')}]`;
  if (typeof value === 'string') return cut(value);
  if (!isObject(value)) return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
  const pairs = Object.keys(value)
    .toSorted()
    .slice(0, 100)
    .map((name) => `${name}:${shown(value[name], depth + 1)}`);
  return `map[${pairs.join(' ')}]`;
}

function cut(text: string): string {
  return text.slice(0, MAX_CHARACTERS);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** Of a text its letters, of a list its items, of an object its fields. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  return Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0;
}

function indexed(value: unknown, ...keys: unknown[]): unknown {
  let here = value;
  for (const key of keys)
    here = Array.isArray(here)
      ? (here as unknown[])[Number(key)]
      : isObject(here) && Object.hasOwn(here, String(key))
        ? here[String(key)]
        : undefined;
  return here;
}

/** Before, at or after: -1, 0, 1. */
function order(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return shown(a) < shown(b) ? -1 : shown(a) > shown(b) ? 1 : 0;
}

const isSame = (a: unknown, b: unknown) => (a ?? null) === (b ?? null);

function formatted(format: unknown, ...values: unknown[]): string {
  const rest = [...values];
  return cut(
    shown(format).replace(
      /%(?:%|[-+# 0]*\d{0,3}(?:\.(\d{1,2}))?([a-zA-Z]))/g,
      (all, digits?: string, verb?: string) => {
        if (verb === undefined) return all === '%%' ? '%' : all;
        const value = rest.shift();
        if (verb === 'q') return JSON.stringify(shown(value));
        if (verb === 'd') return String(Math.trunc(Number(value)));
        if (verb === 'f') return Number(value).toFixed(Number(digits ?? '6'));
        return shown(value);
      },
    ),
  );
}

const BUILT_IN: Functions = {
  not: (value) => !isTrue(value),
  eq: (a, ...others) => others.some((b) => isSame(a, b)),
  ne: (a, b) => !isSame(a, b),
  lt: (a, b) => order(a, b) < 0,
  le: (a, b) => order(a, b) <= 0,
  gt: (a, b) => order(a, b) > 0,
  ge: (a, b) => order(a, b) >= 0,
  len: sizeOf,
  index: indexed,
  print: (...values) => cut(values.map((value) => shown(value)).join('')),
  println: (...values) => cut(`${values.map((value) => shown(value)).join(' ')}\n`),
  printf: formatted,
  urlquery: (value) => cut(encodeURIComponent(shown(value).toWellFormed())),
  html: (value: unknown) => shown(value),
};

/** Piece by piece, so that no text is made longer than what stays of it. */
function replaced(text: string, from: string, to: string): string {
  if (from === '') return text;
  const [first = '', ...pieces] = text.split(from);
  let made = first;
  for (const piece of pieces) {
    if (made.length >= MAX_CHARACTERS) break;
    made += to + piece;
  }
  return cut(made);
}

const upperFirst = (text: string) =>
  text.replace(/(?<![\p{L}\p{N}])\p{L}/gu, (letter) => letter.toUpperCase());

/** Sprig gives the text last, so that it can come through a pipe. */
const TEXTS: Functions = {
  trim: (text) => shown(text).trim(),
  trimPrefix: (prefix, text) => {
    const [start, whole] = [shown(prefix), shown(text)];
    return whole.startsWith(start) ? whole.slice(start.length) : whole;
  },
  trimSuffix: (suffix, text) => {
    const [end, whole] = [shown(suffix), shown(text)];
    return end !== '' && whole.endsWith(end) ? whole.slice(0, -end.length) : whole;
  },
  upper: (text) => shown(text).toUpperCase(),
  lower: (text) => shown(text).toLowerCase(),
  title: (text) => upperFirst(shown(text)),
  trunc: (length, text) => {
    const [most, whole] = [Number(length), shown(text)];
    return most < 0 ? whole.slice(most) : whole.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
  },
  abbrev: (length, text) => {
    const [most, whole] = [Number(length), shown(text)];
    return whole.length <= most ? whole : `${whole.slice(0, Math.max(0, most - 3))}...`;
  },
  substr: (from, to, text) => shown(text).slice(Number(from), Number(to) < 0 ? undefined : Number(to)),
  replace: (from, to, text) => replaced(shown(text), shown(from), shown(to)),
  contains: (part, text) => shown(text).includes(shown(part)),
  hasPrefix: (start, text) => shown(text).startsWith(shown(start)),
  hasSuffix: (end, text) => shown(text).endsWith(shown(end)),
  quote: (...texts) => texts.map((text) => JSON.stringify(shown(text))).join(' '),
  squote: (...texts) => texts.map((text) => `'${shown(text)}'`).join(' '),
  cat: (...texts) => cut(texts.map((text) => shown(text)).join(' ')),
  nospace: (text) => shown(text).replace(/\s/g, ''),
  toString: (value: unknown) => shown(value),
  toJson: (value) => cut(JSON.stringify(value ?? null)),
  join: (separator, list) =>
    cut(
      listOf(list)
        .map((each) => shown(each))
        .join(shown(separator)),
    ),
  splitList: (separator, text) => shown(text).split(shown(separator), 500),
};

const VALUES: Functions = {
  default: (otherwise, value) => (isTrue(value) ? value : otherwise),
  coalesce: (...values) => values.find((value) => isTrue(value)),
  ternary: (yes, no, value) => (isTrue(value) ? yes : no),
  empty: (value) => !isTrue(value),
  first: (list) => listOf(list)[0],
  last: (list) => listOf(list).at(-1),
  rest: (list) => listOf(list).slice(1),
  initial: (list) => listOf(list).slice(0, -1),
  list: (...values) => values,
  has: (value, list) => listOf(list).some((each) => isSame(each, value)),
  keys: (object) => (isObject(object) ? Object.keys(object) : []),
  get: (object, name) => indexed(object, name),
  hasKey: (object, name) => isObject(object) && Object.hasOwn(object, shown(name)),
  int: (value) => Math.trunc(Number(value) || 0),
  int64: (value) => Math.trunc(Number(value) || 0),
  float64: (value) => Number(value) || 0,
  add: (...values) => values.reduce<number>((sum, value) => sum + Math.trunc(Number(value)), 0),
  sub: (a, b) => Math.trunc(Number(a)) - Math.trunc(Number(b)),
  mul: (...values) => values.reduce<number>((product, value) => product * Math.trunc(Number(value)), 1),
  div: (a, b) => Math.trunc(Number(a) / (Number(b) || 1)),
  floor: (value) => Math.floor(Number(value)),
  ceil: (value) => Math.ceil(Number(value)),
  round: (value, digits) => Number(Number(value).toFixed(Math.min(20, Math.max(0, Number(digits) || 0)))),
  fail: () => {
    throw new TemplateFault('the template gave up');
  },
};

/** Those that write what they are given as a text, whatever it is. */
export const SHOWING = new Set([...Object.keys(TEXTS), 'print', 'println', 'printf', 'urlquery', 'html']);

/** By name; `and` and `or` are carried out where they stand, since they stop early. */
export const FUNCTIONS: Functions = { ...BUILT_IN, ...TEXTS, ...VALUES };
