// The configuration: environment variables in, one typed value out. A wrong value is refused with the
// variable's name and what it must be; nothing is guessed. `.env.example` documents the same list, and a test
// compares the two.
import type { Static, TObject, TSchema } from 'typebox';
import { ConfigError } from './config-error.ts';
import type { Admission } from './domain/admission.ts';
import { readEmail, storedForms } from './domain/email.ts';
import {
  createMailCheck,
  readMailRelay,
  readMailSender,
  type MailRelay,
  type MailSender,
} from './domain/mail-relay.ts';
import { createAddressCheck } from './domain/outside.ts';
import { readRedisUrl } from './domain/redis-url.ts';
import { readOrigin } from './domain/web-origin.ts';
import type { Quota } from './ports/task-store.ts';
import { readVariable, type Environment } from './read-variable.ts';
import { ROLES, secret, variable, VARIABLES, type Role } from './variables.ts';

/** Queues of each way in on a Redis Cluster, unless `QUEUE_PARTITIONS` says otherwise. */
const CLUSTER_PARTITIONS = 8;

type Name = keyof typeof VARIABLES;
type Value<N extends Name> = Static<(typeof VARIABLES)[N]['schema']>;
type Read = <N extends Name>(name: N) => Value<N> | undefined;

/** Where Google's ID tokens come from; other values are for tests against a local issuer. */
export interface GoogleConfig {
  clientId: string;
  /** As in the token's `iss`; Google's is also accepted without `https://`. */
  issuer: string;
  jwksUrl: string;
}

/** Mail that leaves. */
export interface MailConfig {
  relay: MailRelay;
  from: MailSender;
  /** Who may be mailed besides the users of this server, see `createMailCheck`. */
  to: readonly string[];
  /** Mails an hour that one owner may have sent. */
  perOwnerPerHour: number;
}

/** How what is queued is carried out in the production size. */
export interface QueueConfig {
  /** What all workers together carry out at a time of each way in; null for no bound but that of each. */
  concurrency: number | null;
  /** Queues of each way in. */
  partitions: number;
}

/** The whole configuration, checked. */
export interface Config {
  host: string;
  port: number;
  /** An origin, without a slash at the end; null until the port is known. */
  publicUrl: string | null;
  dataDir: string;
  /** MongoDB and Redis of the production size, or null for the embedded one. */
  production: { mongoUrl: string; redisUrl: string } | null;
  queue: QueueConfig;
  roles: readonly Role[];
  /** The first signs, all verify; null when the data folder's own secret is to be used. */
  jwtSecrets: readonly [string, ...string[]] | null;
  /** Opens `/metrics`; null while it is closed. */
  metricsToken: string | null;
  /** Whether traces are sent to a collector; its address and the rest is read by OpenTelemetry itself. */
  tracing: boolean;
  logLevel: string;
  /** Null is text in a terminal, JSON elsewhere. */
  logFormat: 'json' | 'text' | null;
  trustProxy: boolean | string[];
  corsOrigins: readonly string[];
  /** E-mail of the owner whose queue guests may read, or null. */
  guestQueue: string | null;
  /** Google sign-in, or null while no client id is given. */
  google: GoogleConfig | null;
  /** Who may come in. */
  admission: Admission;
  /** Whom people write to when they need help, or null. Shown to anyone. */
  supportEmail: string | null;
  ratePerMinute: number;
  ratePerHour: number;
  /** Connections to this process: all, and those from one address that is no trusted proxy. */
  maxConnections: number;
  maxConnectionsPerAddress: number;
  /** Live connections of one owner to this process. */
  maxSocketsPerOwner: number;
  /** Requests a minute of one user's sessions together, or of one address of guests. */
  sessionRatePerMinute: number;
  /** What one owner may have. */
  quota: Quota;
  /** How push services reach the operator (RFC 8292, 2.1), or null to find it. */
  vapidSubject: string | null;
  /** Addresses and networks of the inside that users may name as targets, see `createAddressCheck`. */
  outgoingAllow: readonly string[];
  /** Whether webhooks out may have addresses that begin with http://. */
  webhookHttp: boolean;
  /** Null while no relay is named: no mail is sent. */
  mail: MailConfig | null;
  /** Files of ingestion adapters beyond our own. */
  adapterFiles: readonly string[];
  /** What follows the @ in the address of a mail intake. */
  smtpDomain: string;
  /**
   * The configuration of an ingestion adapter, from the variables that it names. Throws {@link ConfigError}.
   */
  adapterConfig(adapter: AdapterVariables): Record<string, unknown>;
}

/** The part of an ingestion adapter that says which variables it reads. */
export interface AdapterVariables {
  /**
   * Flat object. A field's `description` is the sentence that a wrong value is refused with ("must be …").
   */
  configSchema: TObject;
  /** Variable of each field. */
  environment: Readonly<Record<string, string>>;
  /** Fields that may also be given as a file, by `NAME_FILE`. */
  secretFields: readonly string[];
}

/**
 * Reads the configuration; throws {@link ConfigError} on the first wrong variable. An empty variable counts
 * as unset.
 */
export function readConfig(env: Environment): Config {
  const read: Read = <N extends Name>(name: N) =>
    readVariable(name, VARIABLES[name], env) as Value<N> | undefined;
  const production = productionConfig(read);
  return {
    host: read('HOST') ?? '127.0.0.1',
    port: read('PORT') ?? 3000,
    publicUrl: originOf(read('PUBLIC_URL')),
    dataDir: read('DATA_DIR') ?? './data',
    production,
    queue: queueConfig(read, production),
    roles: read('QINBOX_ROLES') ?? ROLES,
    jwtSecrets: (read('JWT_SECRET') as [string, ...string[]] | undefined) ?? null,
    metricsToken: read('METRICS_TOKEN') ?? null,
    tracing:
      (read('OTEL_EXPORTER_OTLP_ENDPOINT') ?? read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')) !== undefined,
    logLevel: read('LOG_LEVEL') ?? 'info',
    logFormat: read('LOG_FORMAT') ?? null,
    trustProxy: read('TRUST_PROXY') ?? false,
    corsOrigins: (read('CORS_ORIGINS') ?? []).flatMap((given) => originOf(given) ?? []),
    guestQueue: guestQueue(read),
    google: googleConfig(read),
    admission: admission(read),
    supportEmail: read('SUPPORT_EMAIL') ?? null,
    ratePerMinute: read('RATE_LIMIT_PER_MINUTE') ?? 100,
    ratePerHour: read('RATE_LIMIT_PER_HOUR') ?? 1000,
    maxConnections: read('MAX_CONNECTIONS') ?? 5000,
    maxConnectionsPerAddress: read('MAX_CONNECTIONS_PER_ADDRESS') ?? 1000,
    maxSocketsPerOwner: read('MAX_SOCKETS_PER_OWNER') ?? 100,
    sessionRatePerMinute: read('RATE_LIMIT_SESSION_PER_MINUTE') ?? 600,
    quota: {
      tasks: read('MAX_TASKS_PER_OWNER') ?? 50_000,
      bytes: read('MAX_BYTES_PER_OWNER') ?? 256 * 1024 * 1024,
    },
    vapidSubject: read('VAPID_SUBJECT') ?? null,
    outgoingAllow: outgoingAllow(read),
    webhookHttp: read('WEBHOOK_HTTP') ?? false,
    mail: mailConfig(read),
    adapterFiles: read('QINBOX_ADAPTERS') ?? [],
    smtpDomain: read('SMTP_DOMAIN')?.toLowerCase() ?? 'localhost',
    adapterConfig: (adapter) => readAdapterConfig(adapter, env),
  };
}

/**
 * Throws {@link ConfigError} for a server that is to be a part of Qinbox and shares no store with the other
 * parts: it would keep in DATA_DIR what no other process sees, in a container until its next start.
 */
export function requireSharedStore({ production, roles }: Pick<Config, 'production' | 'roles'>): void {
  if (production !== null || (roles.includes('api') && roles.includes('worker'))) return;
  throw new ConfigError(
    'QINBOX_ROLES',
    'must have api and worker, or be left out, while MONGODB_URL and REDIS_URL are not set: one process does everything then. For a process that is a part, set both',
  );
}

/** In the form in which browsers send it; they are compared as they are. */
function originOf(given: string | undefined): string | null {
  return given === undefined ? null : readOrigin(given);
}

function productionConfig(read: Read): Config['production'] {
  const mongoUrl = read('MONGODB_URL');
  const redisUrl = read('REDIS_URL');
  if (mongoUrl === undefined && redisUrl === undefined) return null;
  const both =
    'MONGODB_URL and REDIS_URL go together: set both for the production size, or neither for the embedded one';
  if (mongoUrl === undefined)
    throw new ConfigError('MONGODB_URL', `must be set, because REDIS_URL is. ${both}`);
  if (redisUrl === undefined)
    throw new ConfigError('REDIS_URL', `must be set, because MONGODB_URL is. ${both}`);
  const reading = readRedisUrl(redisUrl);
  if (reading !== null && 'fault' in reading) throw new ConfigError('REDIS_URL', reading.fault);
  if (read('JWT_SECRET') === undefined)
    throw new ConfigError(
      'JWT_SECRET',
      'must be set to the same secret for every process, because MONGODB_URL is set. Make one with: openssl rand -base64 48',
    );
  return { mongoUrl, redisUrl };
}

function queueConfig(read: Read, production: Config['production']): QueueConfig {
  const servers = production === null ? null : readRedisUrl(production.redisUrl);
  const isCluster = servers !== null && 'kind' in servers && servers.kind === 'cluster';
  const partitions = read('QUEUE_PARTITIONS') ?? (isCluster ? CLUSTER_PARTITIONS : 1);
  const concurrency = read('QUEUE_CONCURRENCY') ?? null;
  if (concurrency !== null && concurrency < partitions)
    throw new ConfigError(
      'QUEUE_CONCURRENCY',
      `must be at least ${partitions}, the number of queues of each way in (QUEUE_PARTITIONS), for each carries out at least one at a time`,
    );
  return { concurrency, partitions };
}

function outgoingAllow(read: Read): readonly string[] {
  const allowed = read('OUTGOING_ALLOW') ?? [];
  if (createAddressCheck(allowed) === null)
    throw new ConfigError('OUTGOING_ALLOW', VARIABLES.OUTGOING_ALLOW.mustBe);
  return allowed;
}

function mailConfig(read: Read): MailConfig | null {
  const mustBe = (name: Name) => new ConfigError(name, VARIABLES[name].mustBe);
  const [url, sender, to = []] = [read('MAIL_RELAY_URL'), read('MAIL_FROM'), read('MAIL_TO')];
  const perOwnerPerHour = read('MAIL_PER_OWNER_PER_HOUR') ?? 60;
  const relay = url === undefined ? null : readMailRelay(url);
  const from = sender === undefined ? null : readMailSender(sender);
  if (url !== undefined && relay === null) throw mustBe('MAIL_RELAY_URL');
  if (sender !== undefined && from === null) throw mustBe('MAIL_FROM');
  if (createMailCheck(to) === null) throw mustBe('MAIL_TO');
  if (relay === null) return null;
  if (from === null)
    throw new ConfigError(
      'MAIL_FROM',
      'must be set, because MAIL_RELAY_URL is: who mail is from, for example qinbox@example.com',
    );
  return { relay, from, to, perOwnerPerHour };
}

function admission(read: Read): Admission {
  const mustBe = (name: Name) => new ConfigError(name, VARIABLES[name].mustBe);
  const form = (name: Name, address: string): string => {
    const reading = readEmail(address);
    if ('fault' in reading) throw mustBe(name);
    return reading.email;
  };
  return {
    emailSignIn: read('EMAIL_SIGNIN') ?? false,
    allowedEmails: (read('ALLOWED_EMAILS') ?? []).map((address) => form('ALLOWED_EMAILS', address)),
    // A domain is read as that of an address, so that both have one form.
    allowedDomains: (read('ALLOWED_DOMAINS') ?? []).map((domain) =>
      domain === '*' ? domain : form('ALLOWED_DOMAINS', `x@${domain.replace(/^@/, '')}`).slice('x@'.length),
    ),
  };
}

function guestQueue(read: Read): string | null {
  const given = read('GUEST_QUEUE');
  return given === undefined ? null : (storedForms(given)[0] ?? null);
}

function googleConfig(read: Read): GoogleConfig | null {
  const issuer = read('GOOGLE_ISSUER') ?? 'https://accounts.google.com';
  const jwksUrl = read('GOOGLE_JWKS_URL') ?? 'https://www.googleapis.com/oauth2/v3/certs';
  const clientId = read('GOOGLE_CLIENT_ID');
  return clientId === undefined ? null : { clientId, issuer, jwksUrl };
}

// A field that is not given has its schema's default, or is null.
function readAdapterConfig(
  { configSchema, environment, secretFields }: AdapterVariables,
  env: Environment,
): Record<string, unknown> {
  const { properties } = configSchema as unknown as {
    properties: Record<string, TSchema & { description?: string; default?: unknown }>;
  };
  return Object.fromEntries(
    Object.entries(properties).map(([field, schema]) => {
      const name = environment[field];
      const mustBe = schema.description ?? 'is not valid';
      const readAs = secretFields.includes(field) ? secret(schema, mustBe) : variable(schema, mustBe);
      const given = name === undefined ? undefined : readVariable(name, readAs, env);
      return [field, given ?? schema.default ?? null];
    }),
  );
}
