// What a verification scheme is: a pure function that says whether a delivery was made by somebody who knows the secret.
import type { SchemeInfo } from '#core/ports/adapter/intake.ts';

/** What there is to judge: the request as it came, the intake's secrets in clear, and the moment. */
export interface Delivery {
  /** The bytes that the sender signed, untouched. */
  body: Buffer;
  /** Lower-case names; repeated ones joined with ", ". */
  headers: Readonly<Record<string, string>>;
  /** `secret`, and while the sender is moved to a new one, `previousSecret`; either proves. */
  secrets: Readonly<Record<string, string>>;
  options: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Proven, with what repeats of this delivery have in common; or not, with a sentence for the intake's owner. */
export type Proof = { ok: true; replayKey: string | null } | { ok: false; reason: string };

/** One way for a sender to prove itself. */
export interface Scheme extends SchemeInfo {
  /** Throws for nothing that a sender may write. */
  verify(delivery: Delivery): Proof;
  /** What is missing or wrong in a plan, by the field's name; empty when nothing. */
  check?(plan: Pick<Delivery, 'secrets' | 'options'>): { field: string; message: string }[];
  /** What a 401 asks for (RFC 9110 §11.6.1), where the scheme is one of HTTP's own. */
  challenge?: string;
}

/** How far a signed time may be from ours, either way: 5 minutes. */
export const TOLERANCE_MS = 5 * 60_000;

export const MISMATCH =
  'The signature does not match: the secret is another one, or the body was changed on its way.';

export function refuse(reason: string): Proof {
  return { ok: false, reason };
}

/** Says which header a delivery should have had. */
export function missing(header: string): Proof {
  return refuse(`The header ${header} is missing: this delivery was not signed.`);
}
