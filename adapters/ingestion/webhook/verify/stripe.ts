// Stripe: Stripe-Signature "t=…,v1=…" over "time.body" (docs.stripe.com/webhooks#verify-manually). The whole
// whsec_ text is the key.
import { Type } from 'typebox';
import {
  keyOfBytes,
  keyOfId,
  secretFields,
  secretsOf,
  signatureBytes,
  signedBy,
  staleness,
} from './checks.ts';
import { MISMATCH, missing, refuse, type Scheme } from './scheme.ts';

/** Signatures in one header that are looked at; Stripe sends one per secret, two while one is rolled. */
const MAX_SIGNATURES = 10;

export const stripe: Scheme = {
  id: 'stripe',
  title: 'Stripe signature',
  description: 'Stripe-Signature, as Stripe signs.',
  fields: Type.Object(
    secretFields('Signing secret', 'The signing secret of the endpoint at Stripe; begins with whsec_.'),
  ),
  verify(delivery) {
    const header = delivery.headers['stripe-signature'];
    if (header === undefined) return missing('stripe-signature');
    const pairs = header.split(',').map((part) => part.trim());
    const times = pairs.filter((pair) => pair.startsWith('t=')).map((pair) => pair.slice(2));
    const timestamp = times[0];
    if (timestamp === undefined || times.length > 1) {
      return refuse('The header stripe-signature does not have one time (t=).');
    }
    const signatures = pairs
      .filter((pair) => pair.startsWith('v1='))
      .slice(0, MAX_SIGNATURES)
      .flatMap((pair) => signatureBytes(pair.slice(3), 'hex') ?? []);
    if (signatures.length === 0) return refuse('The header stripe-signature has no v1 signature.');
    const prefix = `${timestamp}.`;
    if (!signedBy(secretsOf(delivery), signatures, [prefix, delivery.body])) return refuse(MISMATCH);
    const stale = staleness(timestamp, delivery.now);
    if (stale !== null) return refuse(stale);
    // A retry is signed anew but is the same event; the event's id is in the body, which is signed.
    const id = eventId(delivery.body);
    return { ok: true, replayKey: id === null ? keyOfBytes(delivery.body) : keyOfId(id) };
  },
};

// The id is among the first fields of an event. Looked for, not parsed, since the body has not been checked
// for its depth yet; objects inside of an event have ids of other kinds.
function eventId(body: Buffer): string | null {
  const start = body.subarray(0, 300).toString('latin1');
  return /^\s*\{\s*"id"\s*:\s*"(evt_[A-Za-z0-9_]{4,100})"/.exec(start)?.[1] ?? null;
}
