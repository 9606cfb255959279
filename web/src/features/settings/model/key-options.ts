// What a new API key may do and when it ends, as chosen in the form.
import type { Scope } from '#core/contract/index.ts';

export const SCOPES: readonly { scope: Scope; label: string; hint: string }[] = [
  { scope: 'read', label: 'Read', hint: 'List, search and watch the queue.' },
  { scope: 'write', label: 'Write', hint: 'Create, edit, pin, acknowledge and restore tasks.' },
  {
    scope: 'ingest',
    label: 'Ingest',
    hint: 'Create tasks and nothing else. Write includes it; alone it suits scripts and sensors.',
  },
];

/** Days until a key ends, `never`, or `date` for a day that is chosen. */
export const EXPIRIES = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 365 days' },
  { value: 'date', label: 'After a date…' },
] as const;
export type Expiry = (typeof EXPIRIES)[number]['value'];

export interface KeyOptions {
  scopes: readonly Scope[];
  expiry: Expiry;
  /** `2026-12-24`, for the expiry `date`. */
  date: string;
}

export const DEFAULT_OPTIONS: KeyOptions = { scopes: ['read', 'write'], expiry: 'never', date: '' };

const DAY_MS = 24 * 60 * 60_000;

/** When such a key ends, in milliseconds; null when it does not, and undefined while the date is missing. */
export function expiryOf({ expiry, date }: KeyOptions, now: number): number | null | undefined {
  if (expiry === 'never') return null;
  if (expiry !== 'date') return now + Number(expiry) * DAY_MS;
  // Good for the whole of that day, where the person is.
  const [year, month, day] = date.split('-').map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const end = new Date(year, month - 1, day + 1).getTime();
  return end > now ? end : undefined;
}

/** The day of `now` where the person is, as a date field has it. */
export function dayOf(now: number): string {
  const at = new Date(now);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** What is missing before a key can be made of these; null when nothing is. */
export function optionsProblem(options: KeyOptions, now: number): string | null {
  if (options.scopes.length === 0) return 'Choose at least one thing that the key may do';
  return expiryOf(options, now) === undefined ? 'Choose a day from today on' : null;
}

/** "Read and write", "Ingest". */
export function scopesText(scopes: readonly Scope[]): string {
  const words = SCOPES.filter(({ scope }) => scopes.includes(scope)).map(({ scope }) => scope);
  const text =
    words.length < 2 ? (words[0] ?? 'nothing') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
