// GitLab: a signing token (Standard Webhooks, GitLab 19 and newer), or the secret token in X-Gitlab-Token
// (docs.gitlab.com/user/project/integrations/webhooks). The secret decides which of the two, never the
// request.
import { Type } from 'typebox';
import { isOneOf, keyOfBytes, secretFields, secretsOf } from './checks.ts';
import { missing, refuse, type Scheme } from './scheme.ts';
import { checkStandard, verifyStandard } from './standard-webhooks.ts';

export const gitlab: Scheme = {
  id: 'gitlab',
  title: 'GitLab token',
  description:
    'The signing token (begins with whsec_, GitLab 19 and newer, recommended) or the secret token of the webhook.',
  fields: Type.Object(
    secretFields('Token', 'The signing token or the secret token of the webhook at GitLab.'),
  ),
  check({ secrets }) {
    const signing = Object.entries(secrets).filter(([, secret]) => secret.startsWith('whsec_'));
    return checkStandard({ secrets: Object.fromEntries(signing) });
  },
  verify(delivery) {
    const secrets = secretsOf(delivery);
    const signing = secrets.filter((secret) => secret.startsWith('whsec_'));
    const plain = secrets.filter((secret) => !secret.startsWith('whsec_'));
    // Every delivery of GitLab 19 has an id and a time; only one with a signing token has a signature.
    if (signing.length > 0 && delivery.headers['webhook-signature'] !== undefined) {
      const [secret = '', previousSecret = ''] = signing;
      const proof = verifyStandard({ ...delivery, secrets: { secret, previousSecret } });
      if (proof.ok || plain.length === 0) return proof;
    }
    if (plain.length === 0) return missing('webhook-signature');
    const token = delivery.headers['x-gitlab-token'];
    if (token === undefined) return refuse('The header x-gitlab-token is missing: no token was sent.');
    if (!isOneOf(token, plain)) return refuse('The token is not the one of this intake.');
    // GitLab's ids are not signed. Its bodies name the event and its time, so the same body is the same
    // event, also when somebody sends it again by hand.
    return { ok: true, replayKey: keyOfBytes(delivery.body) };
  },
};
