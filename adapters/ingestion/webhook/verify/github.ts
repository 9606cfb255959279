// GitHub: X-Hub-Signature-256 over the raw body (docs.github.com, "Validating webhook deliveries"). Gitea and
// Forgejo send it too.
import { Type } from 'typebox';
import { verifyHmac } from './hmac-sha256.ts';
import { secretFields } from './checks.ts';
import type { Scheme } from './scheme.ts';

export const github: Scheme = {
  id: 'github',
  title: 'GitHub signature',
  description: 'X-Hub-Signature-256, as GitHub, Gitea and Forgejo sign.',
  fields: Type.Object(
    secretFields('Secret', 'The same text as under "Secret" of the webhook at the sender.'),
  ),
  // X-GitHub-Delivery is not signed, so the body itself is the replay key. GitHub's bodies carry ids and
  // times of what happened: a redelivery has the same body, another event never.
  verify: (delivery) => verifyHmac(delivery, { header: 'x-hub-signature-256', prefix: 'sha256=' }),
};
