// Reads fields of a payload, whatever their type: nothing here throws, and every text has a bounded length.
import { utcMinute } from '#core/text/parts.ts';
import { oneLine } from './text.ts';

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

/** The first text or number that there is at the paths, on one line of at most `limit` characters. */
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

/** `2026-11-21 09:30 UTC`, from ISO 8601 or seconds since the epoch; empty for neither, or before 1971. */
export function moment(value: unknown, path: string): string {
  const found = field(value, path);
  const at =
    typeof found === 'number' ? found * 1000 : typeof found === 'string' ? Date.parse(found) : Number.NaN;
  if (!(at > 31_536_000_000 && at < 253_402_300_800_000)) return '';
  return utcMinute(at);
}

/** Longer fields are cut, so that they cost no more. */
const MAX_FIELD_CHARACTERS = 40_000;

// Not made well-formed here, because keys must tell halves of surrogate pairs apart.
function textOf(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, MAX_FIELD_CHARACTERS);
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : '';
}
