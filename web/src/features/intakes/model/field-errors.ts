// The server's validation errors, field by field, as sentences.
import { ApiError, problemOf, type Problem } from '../../../lib/api/api-error.ts';
import { sentence } from '../../../lib/text.ts';

export interface FieldErrors {
  /** By path: `verification/secret`, `mapping/content`. */
  byField: ReadonlyMap<string, string>;
  /** The message above the form. */
  problem: Problem;
}

export function fieldErrorsOf(error: unknown, fallback: string): FieldErrors {
  const details = error instanceof ApiError ? error.details : [];
  const byField = new Map(details.map(({ field, message }) => [field, explanation(message)]));
  return { byField, problem: problemOf(error, fallback) };
}

// Where a form has a field for it.
const SHOWN = /^(?:name|preset|events|hourlyCap|(?:verification|settings|defaults|mapping)\/.+)/;

/** The message above a form whose fields show the errors. */
export function summaryOf({ byField, problem }: FieldErrors): Problem {
  const allShown = byField.size > 0 && [...byField.keys()].every((field) => SHOWN.test(field));
  return allShown ? { message: 'Not saved: what is marked is not right yet.' } : problem;
}

/** Whether a template of a mapping is wrong, rather than that it could not be tried. */
export function isInTemplates({ byField }: FieldErrors): boolean {
  return [...byField.keys()].some((field) => field.startsWith('mapping/'));
}

/** The error at a field or at a part of it ("settings/allowedSenders/0"). */
export function errorAt(faults: FieldErrors | null, path: string): string | undefined {
  if (faults === null) return undefined;
  const exact = faults.byField.get(path);
  if (exact !== undefined) return exact;
  for (const [field, message] of faults.byField) {
    if (!field.startsWith(`${path}/`)) continue;
    const place = Number(field.slice(path.length + 1));
    return Number.isInteger(place) ? `Number ${place + 1}: ${message}` : message;
  }
  return undefined;
}

function explanation(message: string): string {
  const text = message.startsWith('must match pattern')
    ? 'does not have the form that is asked for'
    : message.trim();
  return text === '' ? 'This is not right.' : sentence(text);
}
