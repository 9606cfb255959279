// Fingerprints for ids and comparisons, the same in every process and release, because stored claims, dedupe
// keys and queued jobs are found by them. Not for secrets (see api-key.ts).
import { hash } from 'node:crypto';

/** A key as well-formed text (UTF-8 knows no half of a pair). Two that differ stay different. */
export function wellFormedKey(key: string): string {
  return key.isWellFormed() ? key : `${key.toWellFormed()}#${fingerprintOf(key)}`;
}

/** SHA-256 of the value's JSON in base64url: 43 characters. The order of an object's fields counts. */
export function fingerprintOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url');
}
