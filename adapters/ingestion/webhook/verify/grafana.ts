// Grafana alerting: an HMAC of the body, or of "time:body" when the contact point names a timestamp header.
import { Type } from 'typebox';
import { verifyHmac } from './hmac-sha256.ts';
import { headerField, secretFields, textOption } from './checks.ts';
import type { Scheme } from './scheme.ts';

export const grafana: Scheme = {
  id: 'grafana',
  title: 'Grafana signature',
  description: 'The HMAC signature of a Grafana webhook contact point (Grafana 12 and newer).',
  fields: Type.Object({
    ...secretFields('Secret', 'The same text as under "HMAC signature" of the contact point.'),
    header: headerField({ title: 'Signature header', default: 'X-Grafana-Alerting-Signature' }),
    timestampHeader: headerField({
      title: 'Timestamp header',
      description: 'As in the contact point; it makes replays detectable. Empty when it is empty there.',
      default: '',
    }),
  }),
  // Without a signed time, a reminder ("still firing") can have the same bytes as the first notice, and must
  // not be lost. It makes no second task, because alerts have dedupe keys.
  verify: (delivery) =>
    verifyHmac(delivery, {
      header: textOption(delivery.options, 'header', 'x-grafana-alerting-signature'),
      timestampHeader: textOption(delivery.options, 'timestampHeader'),
      separator: ':',
      repeats: true,
    }),
};
