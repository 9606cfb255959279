// A verification scheme: a pure function that says whether the sender of a delivery knows the secret.
import type { SchemeInfo } from '#core/ports/adapter/intake.ts';

/** The request as it came, the intake's secrets in clear, and the time. */
export interface Delivery {
  /** The bytes as they came. */
  body: Buffer;
  /** Lower-case names; repeated ones joined with ", ". */
  headers: Readonly<Record<string, string>>;
  /** `secret` and, during a change of secrets, `previousSecret`; either proves. */
  secrets: Readonly<Record<string, string>>;
  options: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Proven, with a key that repeats of this delivery share; or not, with a sentence for the intake's owner. */
export type Proof = { ok: true; replayKey: string | null } | { ok: false; reason: string };

/** One way for a sender to prove itself. */
export interface Scheme extends SchemeInfo {
  /** Never throws, whatever a sender writes. */
  verify(delivery: Delivery): Proof;
  /** Faults of a configuration, by the field's name. */
  check?(plan: Pick<Delivery, 'secrets' | 'options'>): { field: string; message: string }[];
  /** `WWW-Authenticate` of a 401 (RFC 9110 §11.6.1), where the scheme is one of HTTP's own. */
  challenge?: string;
}

/** How far a signed time may be from ours, either way: 5 minutes. */
export const TOLERANCE_MS = 5 * 60_000;

export const MISMATCH =
  'The signature does not match: the secret is another one, or the body was changed on its way.';

export function refuse(reason: string): Proof {
  return { ok: false, reason };
}

/** A refusal that names the missing header. */
export function missing(header: string): Proof {
  return refuse(`The header ${header} is missing: this delivery was not signed.`);
}
