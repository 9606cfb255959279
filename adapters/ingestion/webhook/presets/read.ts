// Readers for presets: fields of any type as short plain texts, keys and links. Nothing here throws, whatever
// the value, and every resulting text is well-formed Unicode of a bounded length.
import { fingerprintOf, wellFormedKey } from '#core/domain/hash.ts';
import { MAX_KEY_CHARACTERS, type Priority } from '#core/contract/index.ts';
import { priorityOf } from '#core/text/severity.ts';
import type { Metadata } from '#core/domain/task.ts';
import type { ParsedDelivery, ParsedTask } from '#core/domain/delivery.ts';
import type { Payload, Preset } from './preset.ts';

export type { Payload, Preset, Priority, ParsedDelivery, ParsedTask };

/** The value at a dotted path (`pull_request.user.login`); undefined when it is not there. */
export function field(value: unknown, path: string): unknown {
  let here = value;
  for (const name of path.split('.')) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined;
    here = (here as Record<string, unknown>)[name];
  }
  return here;
}

/** The items of the list at the path; none when it is no list. */
export function items(value: unknown, path: string): readonly unknown[] {
  const found = field(value, path);
  return Array.isArray(found) ? (found as unknown[]) : [];
}

/** The JSON in the text at the path; undefined when there is none. */
export function jsonIn(value: unknown, path: string): unknown {
  const text = field(value, path);
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Names and values of the object at the path; none when it is no object. */
export function entries(value: unknown, path: string): [string, unknown][] {
  const found = path === '' ? value : field(value, path);
  return isObject(found) ? Object.entries(found) : [];
}

/** Whether it is an object, and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether the field is `true`. */
export function flag(value: unknown, path: string): boolean {
  return field(value, path) === true;
}

/** The finite number at the path, also when it was written as text; else null. */
export function number(value: unknown, path: string): number | null {
  const found = field(value, path);
  const read = typeof found === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(found) ? Number(found) : found;
  return typeof read === 'number' && Number.isFinite(read) ? read : null;
}

/** The table's entry of this name; own entries only, because `constructor` is no event. */
export function entry<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The text or number at the path as it is, for comparisons and keys; empty when it is neither. */
export function raw(value: unknown, path: string): string {
  return textOf(field(value, path));
}

/**
 * The text or number at the path on one line of at most `limit` characters; the first path that has one wins.
 */
export function line(value: unknown, paths: string | readonly string[], limit = 200): string {
  for (const path of typeof paths === 'string' ? [paths] : paths) {
    const found = oneLine(raw(value, path), limit);
    if (found !== '') return found;
  }
  return '';
}

/** A http(s) link at one of the paths, else empty. */
export function link(value: unknown, ...paths: string[]): string {
  return paths.map((path) => raw(value, path)).find((found) => /^https?:\/\/\S{1,2000}$/i.test(found)) ?? '';
}

/** Longer fields are cut, so that they cost no more. */
const MAX_FIELD_CHARACTERS = 40_000;

// Unchanged: texts are made well-formed where they are shown, and keys must tell halves of surrogate pairs
// apart.
function textOf(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, MAX_FIELD_CHARACTERS);
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : '';
}

/**
 * The text without control characters and runs of blanks, on one line, cut at a word with `…` after `limit`
 * characters.
 */
export function oneLine(text: string, limit = 200): string {
  const start = text.slice(0, limit * 8 + 100);
  return clip(start.replace(/[\s\p{Cc}]+/gu, ' ').trim(), limit, start.length < text.length);
}

/** The text with its lines, cut with `…` after `limit` characters. */
export function manyLines(text: string, limit = 4000): string {
  const start = text.slice(0, limit * 4);
  const tidy = start
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/[^\P{Cc}\n]/gu, '')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return clip(tidy, limit, start.length < text.length);
}

function clip(text: string, limit: number, more: boolean): string {
  if (text.length <= limit) return `${text.toWellFormed()}${more && text !== '' ? '…' : ''}`;
  const cut = text.slice(0, limit - 1);
  const word = cut.search(/\s\S*$/);
  const end = word > limit * 0.7 ? cut.slice(0, word) : cut;
  // A pair of surrogates that was cut in two leaves nothing behind.
  return `${end
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()
    .toWellFormed()}…`;
}

/** The words joined by blanks, without the empty ones. */
export function words(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

/** The lines joined, without the empty ones. */
export function lines(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}

/** `text` between `before` and `after`, or nothing when it is empty. */
export function around(before: string, text: string, after = ''): string {
  return text === '' ? '' : `${before}${text}${after}`;
}

/** `1 commit`, `3 commits`. */
export function count(many: number, one: string): string {
  return `${many} ${one}${many === 1 ? '' : 's'}`;
}

/** A name for programs (`pending_tier_change`) as words. */
export function spoken(name: string): string {
  return name.replace(/[_\-.]+/g, ' ').trim();
}

/** A dedupe key of the parts: at most 255 characters; a longer one ends in its fingerprint. */
export function key(...parts: readonly string[]): string {
  const whole = wellFormedKey(parts.join(':'));
  if (whole.length <= MAX_KEY_CHARACTERS) return tidyKey(whole);
  return `${tidyKey(whole.slice(0, MAX_KEY_CHARACTERS - 44).toWellFormed())}#${fingerprintOf(whole)}`;
}

function tidyKey(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[: ]+$/, '')
    .trim();
}

/**
 * A moment as `2026-11-21 09:30 UTC`, from ISO 8601 or seconds since the epoch; empty when it is neither or
 * before 1971.
 */
export function moment(value: unknown, path: string): string {
  const found = field(value, path);
  const at =
    typeof found === 'number' ? found * 1000 : typeof found === 'string' ? Date.parse(found) : Number.NaN;
  if (!(at > 31_536_000_000 && at < 253_402_300_800_000)) return '';
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

// https://docs.stripe.com/currencies: amounts come in the smallest unit, which is the unit itself for these
// currencies, a thousandth for those, and a hundredth for all others (also ISK and UGX, whose hundredths are
// always 00).
const WHOLE = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');
const THOUSANDTHS = 'BHD JOD KWD OMR TND'.split(' ');

/**
 * An amount in a currency's smallest unit as people write it: `€49.00`, `¥500`; empty when either is missing.
 */
export function money(amount: unknown, currency: unknown): string {
  if (typeof amount !== 'number' || !Number.isFinite(amount) || typeof currency !== 'string') return '';
  const code = currency.toUpperCase();
  if (!/^[A-Z]{3}$/.test(code)) return '';
  const digits = WHOLE.includes(code) ? 0 : THOUSANDTHS.includes(code) ? 3 : 2;
  const shown = code === 'ISK' || code === 'UGX' ? 0 : digits;
  const style = {
    style: 'currency',
    currency: code,
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
  } as const;
  return new Intl.NumberFormat('en-US', style).format(amount / 10 ** digits).replaceAll('\u00a0', ' ');
}

/** The priority of a sender's severity; `otherwise` for one that is neither high nor low. */
export function severityPriority(severity: string, otherwise: Priority = 'normal'): Priority {
  const found = priorityOf(severity);
  return found === null || found === 'normal' ? otherwise : found;
}

/** The sender does not say, so the intake's default holds. */
export const USUAL = undefined;

/** A task as a preset writes it; empty fields are left out. */
interface Written {
  content: string;
  priority?: Priority | undefined;
  tags?: readonly string[];
  url?: string;
  dedupeKey?: string;
  metadata?: Metadata;
}

/** The task without its empty fields. */
export function task(written: Written): ParsedTask {
  const metadata = Object.entries(written.metadata ?? {}).filter(([, value]) => isSaid(value));
  const tags = [...new Set((written.tags ?? []).map((tag) => oneLine(tag, 50)))].filter((tag) => tag !== '');
  return {
    content: written.content.toWellFormed(),
    ...(written.priority === undefined ? {} : { priority: written.priority }),
    ...(tags.length === 0 ? {} : { tags: tags.slice(0, 10) }),
    ...(written.url === undefined || written.url === '' ? {} : { url: written.url }),
    ...(written.dedupeKey === undefined || written.dedupeKey === '' ? {} : { dedupeKey: written.dedupeKey }),
    ...(metadata.length === 0 ? {} : { metadata: Object.fromEntries(metadata) }),
  };
}

function isSaid(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== '';
}

/** One task, and the keys of tasks that it resolves. */
export function says(event: string, written: Written, resolves: readonly string[] = []): ParsedDelivery {
  return { tasks: [task(written)], resolves: resolves, ...named(event) };
}

/** No task, and the keys of tasks that are over. */
export function over(event: string, ...resolves: readonly string[]): ParsedDelivery {
  return { tasks: [], resolves: resolves, ...named(event) };
}

/** Nothing to do, with the reason. */
export function ignored(event: string, why: string): ParsedDelivery {
  return { tasks: [], resolves: [], ...named(event), ignored: why };
}

function named(event: string): { event?: string } {
  const name = oneLine(event, 100);
  return name === '' ? {} : { event: name };
}
