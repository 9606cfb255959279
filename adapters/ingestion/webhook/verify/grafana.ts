// Grafana alerting: an HMAC of the body, or of "time:body" when the contact point names a timestamp header.
import { Type } from 'typebox';
import { verifyHmac } from './hmac-sha256.ts';
import { secretFields, textOption } from './parts.ts';
import type { Scheme } from './scheme.ts';

const headerPattern = "^[A-Za-z0-9!#$%&'*+.^_`|~-]*$";

export const grafana: Scheme = {
  id: 'grafana',
  title: 'Grafana signature',
  description: 'The HMAC signature of a Grafana webhook contact point (Grafana 12 and newer).',
  fields: Type.Object({
    ...secretFields('Secret', 'The same text as under "HMAC signature" of the contact point.'),
    header: Type.Optional(
      Type.String({
        title: 'Signature header',
        default: 'X-Grafana-Alerting-Signature',
        maxLength: 100,
        pattern: headerPattern,
      }),
    ),
    timestampHeader: Type.Optional(
      Type.String({
        title: 'Timestamp header',
        description: 'As in the contact point; it makes replays detectable. Empty when it is empty there.',
        default: '',
        maxLength: 100,
        pattern: headerPattern,
      }),
    ),
  }),
  // Without a signed time a reminder ("still firing") can have the very bytes of the first notice, and must not be lost. Nothing is
  // doubled by that: alerts have dedupe keys. With a signed time, a replay is told.
  verify: (delivery) =>
    verifyHmac(delivery, {
      header: textOption(delivery.options, 'header', 'x-grafana-alerting-signature'),
      encoding: 'hex',
      prefix: '',
      timestampHeader: textOption(delivery.options, 'timestampHeader'),
      separator: ':',
      repeats: true,
    }),
};
