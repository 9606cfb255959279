// A preset: a pure function that reads one sender's payloads and says what happened in a person's words.
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import type { PresetInfo } from '#core/ports/adapter/intake.ts';

/** Names the preset of the protocol that a delivery came by. No client can set it. */
export const PROTOCOL_HEADER = 'x-qinbox-protocol';

/** One delivery, decoded. */
export interface Payload {
  /** The JSON value; fields of a form or of XML as an object; otherwise the text. Untrusted. */
  value: unknown;
  /** The decoded body as text; empty when it is not text. */
  text: string;
  /** Without parameters, lower case. */
  contentType: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
}

/** A known sender. */
export interface Preset extends PresetInfo {
  /** Parameters of the query that count as headers of that name, lower case. */
  parameters?: readonly string[];
  /** Null for a payload that this preset does not know: the summary reads it then. Never throws. */
  read(payload: Payload): ParsedDelivery | null;
  /** A typical payload, for a test. */
  sample: { headers: Readonly<Record<string, string>>; body: unknown };
}
