// Every environment variable that the program reads: its schema, and the sentence that a wrong value is
// refused with.
import { Type, type TSchema } from 'typebox';
import { isProxyAddress } from './domain/proxy-address.ts';
import { isWebAddress, readOrigin } from './domain/web-origin.ts';

/** Every role that a process can play (design: one program, two sizes). */
export const ROLES = ['api', 'worker', 'smtp', 'slack'] as const;
export type Role = (typeof ROLES)[number];

const port = Type.Integer({ minimum: 0, maximum: 65_535 });
const MAX_COUNT = 1_000_000_000;
const MAX_BYTES = 1_000_000_000_000_000;
const text = Type.String({ minLength: 1 });
const list = Type.Array(text);
const flag = Type.Boolean();
const url = Type.Refine(text, isWebAddress);
const origin = Type.Refine(text, (given) => readOrigin(given) !== null);
const logLevel = Type.Union(
  ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((l) => Type.Literal(l)),
);
const logFormat = Type.Union([Type.Literal('json'), Type.Literal('text')]);
const roles = Type.Array(Type.Union(ROLES.map((role) => Type.Literal(role))), { minItems: 1 });

/** One variable. */
export interface Variable<S extends TSchema> {
  schema: S;
  mustBe: string;
  /** Its value may also be given as a file, by `NAME_FILE`. */
  secret?: true;
}
/** A variable with the sentence that a wrong value is refused with. */
export function variable<const S extends TSchema>(schema: S, mustBe: string): Variable<S> {
  return { schema, mustBe };
}
/** One that may also be given as a file, by `NAME_FILE`. */
export function secret<const S extends TSchema>(schema: S, mustBe: string): Variable<S> {
  return { schema, mustBe, secret: true };
}

/** A limit that counts `what`. */
const wholeNumber = (what: string, maximum = MAX_COUNT) =>
  variable(Type.Integer({ minimum: 1, maximum }), `must be a whole number from 1 to ${maximum}: ${what}`);

/** Every variable that Qinbox reads, with its schema and the sentence that a wrong value is refused with. */
export const VARIABLES = {
  HOST: variable(
    Type.String({ pattern: '^[^\\s/]+$' }),
    'must be a host name or an address, for example 127.0.0.1 or 0.0.0.0',
  ),
  PORT: variable(port, 'must be a whole number from 0 to 65535 (0 chooses a free port)'),
  PUBLIC_URL: variable(
    origin,
    'must be the address that people open, with http:// or https://, a host of its own and no path: https://qinbox.example.com',
  ),
  DATA_DIR: variable(text, 'must be a folder, for example ./data'),
  MONGODB_URL: secret(
    Type.String({ pattern: '^mongodb(\\+srv)?://' }),
    'must be an address such as mongodb://localhost:27017/qinbox',
  ),
  REDIS_URL: secret(
    Type.String({ pattern: '^rediss?(\\+(cluster|sentinel))?://' }),
    'must be an address such as redis://localhost:6379, redis+cluster://HOST,HOST or redis+sentinel://HOST,HOST/NAME',
  ),
  QINBOX_ROLES: variable(roles, `must be a list of ${ROLES.join(', ')}, separated by commas`),
  JWT_SECRET: secret(
    Type.Array(Type.String({ minLength: 32 }), { minItems: 1 }),
    'must be at least 32 characters; to rotate, give the new one and the old one, separated by a comma',
  ),
  METRICS_TOKEN: secret(Type.String({ minLength: 16 }), 'must be at least 16 characters'),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    url,
    'must be the address of an OpenTelemetry collector, for example http://collector:4318',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: variable(
    url,
    'must be the address that takes traces, for example http://collector:4318/v1/traces',
  ),
  LOG_LEVEL: variable(logLevel, 'must be fatal, error, warn, info, debug, trace or silent'),
  LOG_FORMAT: variable(logFormat, 'must be json or text'),
  TRUST_PROXY: variable(
    Type.Union([flag, Type.Array(Type.Refine(text, isProxyAddress), { minItems: 1 })]),
    'must be true, false, or the addresses and networks of the proxies in front, separated by commas: 127.0.0.1, 10.0.0.0/8, loopback; no host names',
  ),
  CORS_ORIGINS: variable(
    Type.Array(origin),
    'must be a list of origins, separated by commas, each with http:// or https:// and no path: https://app.example.com',
  ),
  GUEST_QUEUE: variable(
    Type.String({ pattern: '^[^@\\s]+@[^@\\s]+$' }),
    'must be the e-mail address of the owner whose queue guests may read',
  ),
  GOOGLE_CLIENT_ID: variable(
    text,
    'must be the client id of your Google sign-in, for example 123.apps.googleusercontent.com',
  ),
  GOOGLE_ISSUER: variable(
    url,
    'must be the address of the issuer of ID tokens, for example https://accounts.google.com',
  ),
  GOOGLE_JWKS_URL: variable(url, 'must be the address of the key set of that issuer'),
  ALLOWED_EMAILS: variable(list, 'must be e-mail addresses, separated by commas: ann@example.com'),
  ALLOWED_DOMAINS: variable(
    list,
    'must be domains of e-mail addresses, separated by commas: example.com; or * for everybody',
  ),
  EMAIL_SIGNIN: variable(flag, 'must be true or false'),
  SUPPORT_EMAIL: variable(
    Type.String({ pattern: '^[^@\\s,;?&]+@[^@\\s,;?&]+$' }),
    'must be the e-mail address that people write to when they need help',
  ),
  RATE_LIMIT_PER_MINUTE: wholeNumber('requests a minute for one API key'),
  RATE_LIMIT_PER_HOUR: wholeNumber('requests an hour for one API key'),
  RATE_LIMIT_SESSION_PER_MINUTE: wholeNumber(
    'requests a minute for one person in the web app, or one address of guests',
  ),
  MAX_TASKS_PER_OWNER: wholeNumber('live tasks that one queue may hold'),
  MAX_BYTES_PER_OWNER: wholeNumber(
    'bytes of content, tags and metadata that the tasks of one queue may take',
    MAX_BYTES,
  ),
  QUEUE_CONCURRENCY: wholeNumber('submissions of one way in that all workers together carry out at a time'),
  QUEUE_PARTITIONS: variable(
    Type.Integer({ minimum: 1, maximum: 64 }),
    'must be a whole number from 1 to 64: queues of each way in, among which its owners are divided',
  ),
  MAX_CONNECTIONS: wholeNumber('connections to one process'),
  MAX_CONNECTIONS_PER_ADDRESS: wholeNumber('connections from one address to one process'),
  MAX_SOCKETS_PER_OWNER: wholeNumber('live connections of one owner to one process'),
  VAPID_SUBJECT: variable(
    Type.String({ pattern: '^(https://[^/]+|mailto:[^@\\s]+@[^@\\s]+$)' }),
    'must be how push services reach you: https://qinbox.example.com or mailto:you@example.com',
  ),
  WEBHOOK_HTTP: variable(flag, 'must be true or false'),
  OUTGOING_ALLOW: variable(
    list,
    'must be addresses and networks of your own that users may name as targets, separated by commas: 10.1.0.0/16, fd00::/8',
  ),
  MAIL_RELAY_URL: secret(
    Type.String({ pattern: '^smtps?://' }),
    'must be the address of a mail relay such as smtp://USER:PASSWORD@HOST:587 or smtps://HOST:465, other signs in user and password as %40',
  ),
  MAIL_FROM: variable(text, 'must be who mail is from: qinbox@example.com, or Qinbox <qinbox@example.com>'),
  MAIL_TO: variable(
    list,
    'must be whom people may have mailed, separated by commas: ann@example.com, @example.com for a domain, or * for everybody',
  ),
  MAIL_PER_OWNER_PER_HOUR: wholeNumber('mails an hour that one owner may have sent'),
  QINBOX_ADAPTERS: variable(
    list,
    'must be a list of ingestion adapters of your own, separated by commas: files, folders or packages, such as ./my-adapter.ts',
  ),
  SMTP_DOMAIN: variable(
    Type.String({ pattern: '^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$' }),
    'must be the domain of mail addresses, for example in.example.com',
  ),
} as const;
