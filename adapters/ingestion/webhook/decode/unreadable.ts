// Why a body cannot be read: what every step of decoding answers instead of throwing.
import type { ErrorCode } from '#core/errors.ts';

/** The answer's code, and a sentence for sender and owner that quotes nothing of the body. */
export interface Unreadable {
  ok: false;
  code: ErrorCode & ('VALIDATION_ERROR' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE');
  reason: string;
}

/** A value that was read, or why not. */
export type Decoded = { ok: true; value: unknown } | Unreadable;

/** The body is not what it says it is. */
export function broken(reason: string): Unreadable {
  return { ok: false, code: 'VALIDATION_ERROR', reason };
}

/** The body may be fine, and is more than is read. */
export function tooMuch(what: string): Unreadable {
  return { ok: false, code: 'PAYLOAD_TOO_LARGE', reason: `The body has ${what}, more than is read here.` };
}
