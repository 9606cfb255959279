// The schemes that a webhook intake can choose from. No verification comes last: it is never the default.
import { basic } from './basic.ts';
import { bearer } from './bearer.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { grafana } from './grafana.ts';
import { hmacSha256 } from './hmac-sha256.ts';
import { none } from './none.ts';
import type { Scheme } from './scheme.ts';
import { sentry } from './sentry.ts';
import { standardWebhooks } from './standard-webhooks.ts';
import { stripe } from './stripe.ts';

export const schemes: readonly Scheme[] = [
  hmacSha256,
  github,
  gitlab,
  stripe,
  sentry,
  grafana,
  standardWebhooks,
  basic,
  bearer,
  none,
];

/** The scheme with this id, or null. */
export function schemeOf(id: string): Scheme | null {
  return schemes.find((scheme) => scheme.id === id) ?? null;
}
