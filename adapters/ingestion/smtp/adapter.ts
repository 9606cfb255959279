// The mail adapter: an SMTP server. When its port is taken, the program runs and /ready says so.
import { Type } from 'typebox';
import { ConfigError } from '#core/config-error.ts';
import { defineAdapter } from '#core/ports/adapter/adapter.ts';
import { domainOf, rawOf } from './stored-mail.ts';
import { addressOf } from './recipient.ts';
import { sampleMail } from './sample.ts';
import { settingsSchema } from './settings.ts';
import type { MailPlace } from './start.ts';

export interface SmtpConfig {
  port: number | 'off';
  /** Null for the program's own host. */
  host: string | null;
  programHost: string;
  programPort: number;
  /** Paths of PEM files. */
  tlsKey: string | null;
  tlsCert: string | null;
}

const host = {
  minLength: 1,
  description: 'must be a host name or an address, for example 127.0.0.1 or 0.0.0.0',
};
const pem = (what: string) =>
  Type.Optional(Type.String({ minLength: 1, description: `must be the path of a PEM file with ${what}` }));

export default defineAdapter<SmtpConfig>({
  id: 'smtp',
  title: 'E-mail',
  roles: ['smtp'],
  source: 'email',
  configSchema: Type.Object({
    port: Type.Union([Type.Integer({ minimum: 0, maximum: 65_535 }), Type.Literal('off')], {
      default: 2525,
      description: 'must be a whole number from 0 to 65535 (0 chooses a free port), or off',
    }),
    host: Type.Optional(Type.String(host)),
    programHost: Type.String({ ...host, default: '127.0.0.1' }),
    programPort: Type.Integer({
      minimum: 0,
      maximum: 65_535,
      default: 3000,
      description: 'must be a whole number from 0 to 65535',
    }),
    tlsKey: pem('the private key'),
    tlsCert: pem('the certificate, and those that signed it'),
  }),
  environment: {
    port: 'SMTP_PORT',
    host: 'SMTP_HOST',
    programHost: 'HOST',
    programPort: 'PORT',
    tlsKey: 'SMTP_TLS_KEY',
    tlsCert: 'SMTP_TLS_CERT',
  },
  secretFields: [],
  isOn: ({ port }) => port !== 'off',

  intakes: {
    addressKind: 'email',
    address: (token, { smtpDomain }) => addressOf(token, smtpDomain),
    schemes: [
      {
        id: 'none',
        title: 'Address only',
        description:
          'Anyone who knows the address can write to it. Who that may be, and how well it must be proven, is set below.',
        fields: Type.Object({}),
      },
    ],
    presets: [],
    settings: settingsSchema,
    takesMapping: false,
    check: () => [],
    async read(_plan, request) {
      // Loaded with the first mail, also in processes that serve none.
      const { sharedReader } = await import('./parse/mail-reader.ts');
      const { toDelivery } = await import('./parse/to-delivery.ts');
      const read = await sharedReader().read(rawOf(request));
      if (read.kind === 'refused') return { tasks: [], resolves: [], failed: read.reason };
      return toDelivery(read.mail, domainOf(request));
    },
    sample: sampleMail,
  },

  async start({ config, ...context }) {
    const place = placeOf(config);
    if (place === null) return { stop: () => Promise.resolve() };
    const { startMail } = await import('./start.ts');
    return startMail(place, context);
  },
});

/**
 * Where mail is listened for, and with which certificate; null where it is off. Throws ConfigError when that
 * is where the program itself listens.
 */
export function placeOf(config: SmtpConfig): MailPlace | null {
  const { port, host: own, programHost, programPort, tlsKey, tlsCert } = config;
  if (port === 'off') return null;
  const host = own ?? programHost;
  // Mail would take it first, and the program would find it taken by itself.
  if (port !== 0 && port === programPort && overlap(host, programHost))
    throw new ConfigError(
      'SMTP_PORT',
      `must be another port than PORT, which is ${programPort} too: one is for mail, the other for the web. Or set it to off`,
    );
  return { port, host, tlsKey, tlsCert };
}

/** Whether two hosts cannot be listened on with the same port. */
function overlap(one: string, other: string): boolean {
  const [first, second] = [one, other].map((host) => (host === 'localhost' ? '127.0.0.1' : host));
  return first === second || [first, second].some((host) => host === '0.0.0.0' || host === '::');
}
