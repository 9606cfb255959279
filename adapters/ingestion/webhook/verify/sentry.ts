// Sentry's integration platform: Sentry-Hook-Signature over the raw body with the client secret
// (docs.sentry.io/organization/integrations/integration-platform/webhooks).
import { Type } from 'typebox';
import { verifyHmac } from './hmac-sha256.ts';
import { secretFields, staleness } from './checks.ts';
import { missing, refuse, type Scheme } from './scheme.ts';

export const sentry: Scheme = {
  id: 'sentry',
  title: 'Sentry signature',
  description: 'Sentry-Hook-Signature, as Sentry integrations sign.',
  fields: Type.Object(secretFields('Client secret', 'The client secret of your integration at Sentry.')),
  // Neither Request-ID nor the time is signed; the body, which carries the event's own id, tells a replay.
  // The time is held to all the same: an honest delivery is never out of it.
  verify(delivery) {
    const proof = verifyHmac(delivery, { header: 'sentry-hook-signature' });
    if (!proof.ok) return proof;
    const timestamp = delivery.headers['sentry-hook-timestamp']?.trim();
    if (timestamp === undefined || timestamp === '') return missing('sentry-hook-timestamp');
    const stale = staleness(timestamp, delivery.now);
    return stale === null ? proof : refuse(stale);
  },
};
