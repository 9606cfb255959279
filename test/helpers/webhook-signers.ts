// Signs deliveries as each sender does, for tests and measurements; beside the schemes, since the two must
// agree.
import { hmac, textOption } from '../../adapters/ingestion/webhook/verify/checks.ts';

/** What is to be signed, and with what. */
export interface Unsigned {
  body: Buffer;
  secret: string;
  /** Of the delivery; a sender without ids leaves it out. */
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  options?: Readonly<Record<string, unknown>>;
}

type Sign = (unsigned: Unsigned) => Record<string, string>;

/** Headers by scheme. */
export const signers: Readonly<Record<string, Sign>> = {
  none: () => ({}),
  'hmac-sha256': ({ body, secret, at, options = {} }) => {
    const timestampHeader = textOption(options, 'timestampHeader').toLowerCase();
    const time = seconds(at);
    const joined = textOption(options, 'signed', '{timestamp}.{body}')
      .replace('{timestamp}', time)
      .replace('{body}', '');
    const mac = timestampHeader === '' ? hmac(secret, body) : hmac(secret, joined, body);
    const encoding =
      options['encoding'] === 'base64' || options['encoding'] === 'base64url' ? options['encoding'] : 'hex';
    return {
      [textOption(options, 'header', 'x-signature-256').toLowerCase()]:
        textOption(options, 'prefix') + mac.toString(encoding),
      ...(timestampHeader === '' ? {} : { [timestampHeader]: time }),
    };
  },
  github: ({ body, secret, id }) => ({
    'x-github-delivery': id,
    'x-hub-signature-256': `sha256=${hmac(secret, body).toString('hex')}`,
  }),
  gitlab: (unsigned) =>
    unsigned.secret.startsWith('whsec_')
      ? { 'idempotency-key': unsigned.id, ...standard(unsigned) }
      : { 'idempotency-key': unsigned.id, 'x-gitlab-token': unsigned.secret },
  stripe: ({ body, secret, at }) => ({
    'stripe-signature': `t=${seconds(at)},v1=${hmac(secret, `${seconds(at)}.`, body).toString('hex')}`,
  }),
  sentry: ({ body, secret, id, at }) => ({
    'request-id': id,
    'sentry-hook-timestamp': seconds(at),
    'sentry-hook-signature': hmac(secret, body).toString('hex'),
  }),
  grafana: ({ body, secret, at, options = {} }) => {
    const timestampHeader = textOption(options, 'timestampHeader').toLowerCase();
    return timestampHeader === ''
      ? { 'x-grafana-alerting-signature': hmac(secret, body).toString('hex') }
      : {
          [timestampHeader]: seconds(at),
          'x-grafana-alerting-signature': hmac(secret, `${seconds(at)}:`, body).toString('hex'),
        };
  },
  'standard-webhooks': standard,
  basic: ({ secret, options = {} }) => ({
    authorization: `Basic ${Buffer.from(`${textOption(options, 'username', 'qinbox')}:${secret}`).toString('base64')}`,
  }),
  bearer: ({ secret, options = {} }) => {
    const header = textOption(options, 'header', 'authorization').toLowerCase();
    return { [header]: header === 'authorization' ? `Bearer ${secret}` : secret };
  },
};

function standard({ body, secret, id, at }: Unsigned): Record<string, string> {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds(at),
    'webhook-signature': `v1,${hmac(key, `${id}.${seconds(at)}.`, body).toString('base64')}`,
  };
}

function seconds(at: number): string {
  return String(Math.floor(at / 1000));
}
