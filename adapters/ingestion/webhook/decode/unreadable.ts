// Why a body cannot be decoded: steps of decoding answer with this instead of throwing.
import type { ErrorCode } from '#core/errors.ts';

/** The answer's code, and a sentence for sender and owner that quotes nothing of the body. */
export interface Unreadable {
  ok: false;
  code: ErrorCode & ('VALIDATION_ERROR' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE');
  reason: string;
}

/** A decoded value, or why there is none. */
export type Decoded = { ok: true; value: unknown } | Unreadable;

/** The body does not match its type. */
export function broken(reason: string): Unreadable {
  return { ok: false, code: 'VALIDATION_ERROR', reason };
}

/** The body may be valid, and is over a limit. */
export function tooMuch(what: string): Unreadable {
  return { ok: false, code: 'PAYLOAD_TOO_LARGE', reason: `The body has ${what}, more than is read here.` };
}
