// A wrong variable is refused by name; what is documented is what is read.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import proxyAddr from '@fastify/proxy-addr';
import type { TSchema } from 'typebox';
import { describe, expect, it, onTestFinished } from 'vitest';
import { registry } from '#adapters/ingestion/registry.ts';
import { ConfigError } from './config-error.ts';
import { readConfig, requireSharedStore } from './config.ts';
import { VARIABLES, type Variable } from './variables.ts';

describe('the configuration', () => {
  it('is complete without any variable', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      publicUrl: null,
      dataDir: './data',
      production: null,
      queue: { concurrency: null, partitions: 1 },
      roles: ['api', 'worker', 'smtp', 'slack'],
      jwtSecrets: null,
      metricsToken: null,
      tracing: false,
      logLevel: 'info',
      logFormat: null,
      trustProxy: false,
      corsOrigins: [],
      guestQueue: null,
      google: null,
      admission: { emailSignIn: false, allowedEmails: [], allowedDomains: [] },
      supportEmail: null,
      ratePerMinute: 100,
      ratePerHour: 1000,
      maxConnections: 5000,
      maxConnectionsPerAddress: 1000,
      maxSocketsPerOwner: 100,
      sessionRatePerMinute: 600,
      quota: { tasks: 50_000, bytes: 268_435_456 },
      vapidSubject: null,
      outgoingAllow: [],
      webhookHttp: false,
      mail: null,
      adapterFiles: [],
      smtpDomain: 'localhost',
      adapterConfig: expect.any(Function) as unknown,
    });
  });

  it('takes what is given, and an empty variable as none', () => {
    const secret = 's'.repeat(32);
    expect(
      readConfig({
        HOST: '',
        PORT: ' 8080 ',
        PUBLIC_URL: 'https://q.example.com/',
        TRUST_PROXY: '10.0.0.1, 10.0.0.2',
        JWT_SECRET: `${secret},${secret}2`,
        CORS_ORIGINS: 'https://a.example',
        GUEST_QUEUE: 'Me@Example.com',
        ALLOWED_EMAILS: 'Ann@example.com, bob@bücher.example',
        ALLOWED_DOMAINS: '*, @Company.example,bücher.example',
        QINBOX_ROLES: 'api,worker',
      }),
    ).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      publicUrl: 'https://q.example.com',
      trustProxy: ['10.0.0.1', '10.0.0.2'],
      jwtSecrets: [secret, `${secret}2`],
      corsOrigins: ['https://a.example'],
      guestQueue: 'me@example.com',
      admission: {
        emailSignIn: false,
        allowedEmails: ['ann@example.com', 'bob@xn--bcher-kva.example'],
        allowedDomains: ['*', 'company.example', 'xn--bcher-kva.example'],
      },
      roles: ['api', 'worker'],
    });
  });

  it.each([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['HOST', 'http://localhost'],
    ['PUBLIC_URL', 'q.example.com'],
    ['PUBLIC_URL', 'https://q.example.com/qinbox'],
    ['PUBLIC_URL', 'https://q.example.com?x=1'],
    ['PUBLIC_URL', 'https://me:secret@q.example.com'],
    ['PUBLIC_URL', 'https://q.example.com:https'],
    ['TRUST_PROXY', '1'],
    ['TRUST_PROXY', 'caddy'],
    ['TRUST_PROXY', ','],
    ['TRUST_PROXY', '127.0.0.1,10.0.0.0/33'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['CORS_ORIGINS', 'https://a.example,https://b.example/app'],
    ['CORS_ORIGINS', 'b.example'],
    ['GOOGLE_JWKS_URL', 'https://a b'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:port'],
    ['QINBOX_ROLES', 'api,cook'],
    ['JWT_SECRET', 'short'],
    ['LOG_LEVEL', 'loud'],
    ['LOG_FORMAT', 'xml'],
    ['CORS_ORIGINS', '*'],
    ['GUEST_QUEUE', 'me'],
    ['ALLOWED_EMAILS', 'ann@example.com,company.example'],
    ['ALLOWED_DOMAINS', 'company.example,*.company.example'],
    ['ALLOWED_DOMAINS', 'https://company.example'],
    ['SUPPORT_EMAIL', 'help@example.com?bcc=me@example.com'],
    ['RATE_LIMIT_PER_MINUTE', '0'],
    ['RATE_LIMIT_PER_HOUR', '1.5'],
    ['QUEUE_PARTITIONS', '0'],
    ['QUEUE_PARTITIONS', '65'],
    ['VAPID_SUBJECT', 'http://q.example.com'],
    ['OUTGOING_ALLOW', 'localhost'],
    ['OUTGOING_ALLOW', '10.0.0.0/33'],
    ['MAIL_RELAY_URL', 'mail.example.com:587'],
    ['MAIL_RELAY_URL', 'smtp://me:pass@word/here@mail.example.com'],
    ['MAIL_RELAY_URL', 'smtp://me:%zz@mail.example.com'],
    ['MAIL_RELAY_URL', 'smtp://me:a%00b@mail.example.com'],
    ['MAIL_RELAY_URL', 'smtp://me@mail.example.com'],
    ['MAIL_RELAY_URL', 'smtp://mail.example.com?starttls=maybe'],
    ['MAIL_RELAY_URL', 'smtp://mail.example.com?tls=off'],
    ['MAIL_RELAY_URL', 'smtps://mail.example.com?starttls=off'],
    ['MAIL_RELAY_URL', 'smtp://mail.example.com:0'],
    ['MAIL_FROM', 'Qinbox'],
    ['MAIL_FROM', 'a@example.com, b@example.com'],
    ['MAIL_FROM', 'Qinbox\nBcc: x@example.com <q@example.com>'],
    ['MAIL_TO', 'example.com'],
    ['MAIL_TO', 'ann@example.com,@*.example.com'],
    ['MAIL_PER_OWNER_PER_HOUR', '0'],
  ])('refuses %s=%s by its name, in one line that does not repeat the value of a secret', (name, value) => {
    const refuse = () => readConfig({ [name]: value });
    expect(refuse).toThrow(ConfigError);
    expect(refuse).toThrow(new RegExp(`^${name} must be [^\\n]+$`));
    if (name === 'JWT_SECRET' || name === 'MAIL_RELAY_URL') expect(refuse).not.toThrow(value);
  });

  it('says how large a number may be, to whom gives a larger one for no bound', () => {
    const refuse = (name: string) => () => readConfig({ [name]: '9999999999999999' });
    expect(refuse('RATE_LIMIT_PER_HOUR')).toThrow('must be a whole number from 1 to 1000000000: ');
    expect(refuse('MAX_BYTES_PER_OWNER')).toThrow('must be a whole number from 1 to 1000000000000000: ');
  });

  it('takes origins in any form in which they may be written, as browsers send them', () => {
    const { publicUrl, corsOrigins } = readConfig({
      PUBLIC_URL: 'HTTPS://Q.Example.com:443/',
      CORS_ORIGINS: 'https://A.example/, http://bücher.example:8080',
    });
    expect(publicUrl).toBe('https://q.example.com');
    expect(corsOrigins).toEqual(['https://a.example', 'http://xn--bcher-kva.example:8080']);
  });

  it.each(['127.0.0.1', '::1', '10.0.0.0/8', 'fd00::/8', 'loopback, uniquelocal,linklocal'])(
    'takes the proxies %s, and the server too',
    (given) => {
      const { trustProxy } = readConfig({ TRUST_PROXY: given });
      expect(trustProxy).toEqual(given.split(',').map((one) => one.trim()));
      expect(proxyAddr.compile(trustProxy as string[])).toBeTypeOf('function');
    },
  );

  it('takes MongoDB and Redis together with a secret, and refuses one without the other', () => {
    const [mongo, redis, secret] = ['mongodb://m/qinbox', 'redis://r', 's'.repeat(32)];
    expect(readConfig({ MONGODB_URL: mongo, REDIS_URL: redis, JWT_SECRET: secret }).production).toEqual({
      mongoUrl: mongo,
      redisUrl: redis,
    });
    expect(() => readConfig({ MONGODB_URL: mongo, JWT_SECRET: secret })).toThrow(/^REDIS_URL must be set/);
    expect(() => readConfig({ REDIS_URL: redis, JWT_SECRET: secret })).toThrow(/^MONGODB_URL must be set/);
    expect(() => readConfig({ MONGODB_URL: mongo, REDIS_URL: redis })).toThrow(/^JWT_SECRET must be set/);
    expect(() => readConfig({ MONGODB_URL: 'http://m', REDIS_URL: redis })).toThrow(
      /^MONGODB_URL must be an address/,
    );
    const nameless = 'redis+sentinel://a,b';
    expect(() => readConfig({ MONGODB_URL: mongo, REDIS_URL: nameless, JWT_SECRET: secret })).toThrow(
      /^REDIS_URL must end with the name/,
    );
  });

  it('has one queue of each way in, on a Redis Cluster eight, and for each at least one to carry out', () => {
    const read = (redis: string, more: Record<string, string> = {}) =>
      readConfig({ MONGODB_URL: 'mongodb://m', REDIS_URL: redis, JWT_SECRET: 's'.repeat(32), ...more }).queue;
    const [server, cluster] = ['redis://r', 'redis+cluster://a,b'];
    expect(read(server)).toEqual({ concurrency: null, partitions: 1 });
    expect(read('redis+sentinel://a,b/main')).toEqual({ concurrency: null, partitions: 1 });
    expect(read(cluster)).toEqual({ concurrency: null, partitions: 8 });
    expect(read(server, { QUEUE_PARTITIONS: '3', QUEUE_CONCURRENCY: '3' })).toEqual({
      concurrency: 3,
      partitions: 3,
    });
    expect(read(cluster, { QUEUE_PARTITIONS: '1', QUEUE_CONCURRENCY: '1' }).partitions).toBe(1);
    expect(() => read(cluster, { QUEUE_CONCURRENCY: '7' })).toThrow(
      /^QUEUE_CONCURRENCY must be at least 8, /,
    );
  });

  it.each([
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, tls: 'starttls', credentials: null }],
    [
      'smtps://me%40example.com:p%40ss%3A%2F@Mail.example.com/',
      {
        host: 'mail.example.com',
        port: 465,
        tls: 'implicit',
        credentials: { user: 'me@example.com', password: 'p@ss:/' },
      },
    ],
    ['smtp://relay:25?starttls=off', { host: 'relay', port: 25, tls: 'none', credentials: null }],
    ['smtp://localhost:25', { host: 'localhost', port: 25, tls: 'none', credentials: null }],
    ['smtp://[::1]', { host: '::1', port: 587, tls: 'none', credentials: null }],
    [
      'smtp://127.0.0.2?starttls=required',
      { host: '127.0.0.2', port: 587, tls: 'starttls', credentials: null },
    ],
    ['smtp://127.example.com', { host: '127.example.com', port: 587, tls: 'starttls', credentials: null }],
  ])('reads the relay of mail from %s', (MAIL_RELAY_URL, relay) => {
    expect(readConfig({ MAIL_RELAY_URL, MAIL_FROM: 'q@example.com' }).mail?.relay).toEqual(relay);
  });

  it('takes who sends mail with and without a name, and asks for it where there is a relay', () => {
    const from = (MAIL_FROM: string) =>
      readConfig({ MAIL_RELAY_URL: 'smtp://localhost', MAIL_FROM }).mail?.from;
    expect(from('Q@Example.com')).toEqual({ name: '', address: 'q@example.com' });
    expect(from('"Büro, Nord" <q@bücher.example>')).toEqual({
      name: 'Büro, Nord',
      address: 'q@xn--bcher-kva.example',
    });
    expect(() => readConfig({ MAIL_RELAY_URL: 'smtp://localhost' })).toThrow(/^MAIL_FROM must be set/);
    expect(readConfig({ MAIL_FROM: 'q@example.com', MAIL_TO: '*' }).mail).toBe(null);
  });

  it('takes a part of Qinbox only with the stores that all parts share', () => {
    const check = (env: Record<string, string>) => () => requireSharedStore(readConfig(env));
    const shared = { MONGODB_URL: 'mongodb://m/q', REDIS_URL: 'redis://r', JWT_SECRET: 's'.repeat(32) };
    for (const roles of ['api,slack', 'worker', 'smtp']) {
      expect(check({ QINBOX_ROLES: roles })).toThrow(/^QINBOX_ROLES must have api and worker/);
      expect(check({ QINBOX_ROLES: roles, ...shared })).not.toThrow();
    }
    for (const roles of ['', 'worker,api', 'api,worker,smtp,slack'])
      expect(check({ QINBOX_ROLES: roles })).not.toThrow();
  });

  it('reads a secret from a file, and says when it cannot', () => {
    const folder = mkdtempSync(join(tmpdir(), 'qinbox-config-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'secret');
    writeFileSync(file, `${'f'.repeat(40)}\n`);
    expect(readConfig({ JWT_SECRET_FILE: file }).jwtSecrets).toEqual(['f'.repeat(40)]);
    expect(() => readConfig({ JWT_SECRET_FILE: join(folder, 'none') })).toThrow(
      /^JWT_SECRET_FILE must be a readable file/,
    );
  });

  it('refuses an empty file for every variable that may be given as one, also of adapters', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'qinbox-config-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'blank');
    writeFileSync(file, ' \n');
    const secrets = Object.entries<Variable<TSchema>>(VARIABLES).filter(([, { secret }]) => secret === true);
    expect(secrets.length).toBeGreaterThan(3);
    for (const [name] of secrets)
      for (const empty of [file, '/dev/null'])
        expect(() => readConfig({ [`${name}_FILE`]: empty }), name).toThrow(
          new ConfigError(`${name}_FILE`, `must be a file with the value in it: ${empty} is empty`),
        );
    const adapters = await Promise.all(Object.values(registry).map(async (load) => (await load()).default));
    for (const adapter of adapters)
      for (const field of adapter.secretFields) {
        const name = `${adapter.environment[field]}_FILE`;
        const read = () => readConfig({ [name]: file }).adapterConfig(adapter);
        expect(read).toThrow(`${name} must be a file with the value in it`);
      }
  });

  it('is documented in .env.example, variable by variable, with values that are good', async () => {
    const example = parseEnv(readFileSync(new URL('../.env.example', import.meta.url), 'utf8'));
    const adapters = await Promise.all(Object.values(registry).map(async (load) => (await load()).default));
    const ofAdapters = adapters.flatMap(({ environment }) => Object.values<string>(environment));
    expect(new Set(Object.keys(example))).toEqual(new Set([...Object.keys(VARIABLES), ...ofAdapters]));
    const [given, unset] = [readConfig(example), readConfig({})];
    expect({ ...given, adapterConfig: null }).toEqual({ ...unset, adapterConfig: null });
    for (const adapter of adapters)
      expect(given.adapterConfig(adapter)).toEqual(unset.adapterConfig(adapter));
  });
});
