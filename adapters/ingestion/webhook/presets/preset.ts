// What a preset is: a pure function that knows one sender's payloads and says what they mean in a person's words.
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import type { PresetInfo } from '#core/ports/adapter/intake.ts';

/** One delivery, decoded. */
export interface Payload {
  /** JSON value; fields of a form or of XML as an object; the text itself otherwise. Nothing in it can be trusted. */
  value: unknown;
  /** The decoded body as text; empty when it is not text. */
  text: string;
  /** Without parameters, lower case. */
  contentType: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
}

/** A sender that is known. */
export interface Preset extends PresetInfo {
  /** What the delivery says, or null when it is nothing this preset knows: a plain summary is made then. Never throws. */
  read(payload: Payload): ParsedDelivery | null;
  /** A payload such as this sender sends, for a test. */
  sample: { headers: Readonly<Record<string, string>>; body: unknown };
}
