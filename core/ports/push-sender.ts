// Sends one encrypted message to one browser, through the push service that it chose (RFC 8030, 8291, 8292).
import type { PushKeys, PushSubscription } from '../domain/push.ts';

/** How soon a device wants it (RFC 8030, 5.3). */
export type PushUrgency = 'low' | 'normal' | 'high';

/** Who sends (RFC 8292). */
export interface PushIdentity {
  keys: PushKeys;
  /** `https://…` or `mailto:…`. */
  subject: string;
}

export interface PushMessage {
  subscription: PushSubscription;
  /** At most 3,900 bytes of UTF-8, which every push service takes, encrypted (RFC 8030, 7.2). */
  payload: string;
  /** How long the push service tries, in seconds. */
  ttlSeconds: number;
  urgency: PushUrgency;
  /** A message that was not delivered yet is replaced by the next one of its topic; null replaces none. */
  topic: string | null;
}

export type PushOutcome =
  | { kind: 'sent' }
  /** The browser is no longer subscribed. */
  | { kind: 'gone' }
  /** Try again, after `retryAfterMs` where the push service says so. */
  | { kind: 'later'; retryAfterMs: number | null; reason: string }
  /** Trying again is no use. */
  | { kind: 'refused'; reason: string };

export interface PushSender {
  /** Never rejects. */
  send(message: PushMessage, identity: PushIdentity): Promise<PushOutcome>;
}
