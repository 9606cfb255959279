// The servers of bench/mail.ts: `node bench/ref/mail.ts <kind> <folder>`. Each prints `<port> <address>` when
// it is ready.
//   sink    smtp-server alone, which reads every message to its end and answers 250
//   qinbox  the whole program with its own store in the folder, without delivery rate limits
import { SMTPServer } from 'smtp-server';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { createLocalEventBus } from '#adapters/memory/event-bus.ts';
import { createLocalProcesses } from '#adapters/memory/processes.ts';
import { createLocalRateLimiter } from '#adapters/memory/rate-limiter.ts';
import { createScryptHasher } from '#adapters/scrypt/password-hasher.ts';
import { createDirectQueue } from '#adapters/memory/queue.ts';
import { createOutgoing } from '#adapters/outgoing/outgoing.ts';
import { openSqliteStorage } from '#adapters/sqlite/storage.ts';
import { createWebPushSender } from '#adapters/webpush/sender.ts';
import { createJwtAccessTokens } from '#adapters/jwt/access-tokens.ts';
import { loadAdapters } from '#api/adapter-host/load.ts';
import { buildApp } from '#api/app.ts';
import { createOutages } from '#api/health/outages.ts';
import { noTracing } from '#api/tracing/tracing.ts';
import { addressesOf } from '#api/addresses.ts';
import { presentIntake } from '#api/present/intakes.ts';
import { createServices } from '#api/services/services.ts';
import { readConfig } from '#core/config.ts';
import { systemClock } from '#core/system-clock.ts';
import type { RateLimiter } from '#core/ports/rate-limiter.ts';

const [kind = 'sink', folder = '.'] = process.argv.slice(2);
if (kind === 'sink') sink();
else await qinbox();

function sink(): void {
  const server = new SMTPServer({
    logger: false,
    disableReverseLookup: true,
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      stream.once('end', () => done(null));
      stream.resume();
    },
  });
  const listening = server.listen(0, '127.0.0.1', () => {
    ready((listening.address() as AddressInfo).port, 'sink@localhost');
  });
}

async function qinbox(): Promise<void> {
  const config = readConfig({
    DATA_DIR: folder,
    PORT: '0',
    SMTP_PORT: '0',
    LOG_LEVEL: 'warn',
    MAX_TASKS_PER_OWNER: '1000000000',
    MAX_BYTES_PER_OWNER: '1000000000000',
  });
  const [clock, log] = [systemClock, pino({ level: 'warn' }, pino.destination(2))];
  const secrets = ['a secret for measurements, 32 letters or more'] as const;
  const outgoing = createOutgoing({ mayReach: () => false });
  const parts = createServices(
    {
      storage: openSqliteStorage({ file: join(folder, 'qinbox.db'), clock, log }),
      bus: createLocalEventBus(),
      queue: createDirectQueue(),
      processes: createLocalProcesses(),
      limiter: withoutLimits(createLocalRateLimiter(clock)),
      passwords: createScryptHasher(),
      accessTokens: createJwtAccessTokens(secrets),
      google: null,
      adapters: await loadAdapters(config),
      outgoing,
      pushSender: createWebPushSender(outgoing, clock),
      mailer: null,
    },
    {
      config,
      clock,
      log,
      outages: createOutages(log),
      tracing: noTracing,
      about: { instance: 'bench', role: 'smtp', version: '0' },
      secrets,
      background: true,
    },
  );
  const app = await buildApp(parts);
  await app.listen({ host: config.host, port: config.port });
  const { user } = await parts.accounts.ensureUser('bench@example.com');
  const intake = await parts.intakes.create(user.id, { name: 'bench', adapter: 'smtp' });
  const state = parts.adapters.states().find(({ name }) => name === 'smtp');
  const port = Number(/\d+$/.exec(state?.detail ?? '')?.[0]);
  ready(port, presentIntake({ ...parts, settings: addressesOf(config, app.server) }, intake).address);
  // What it has stored, whenever it is asked.
  process.stdin.on('data', () => {
    void parts.inbox.statistics(user.id).then(({ total }) => process.stdout.write(`${total}\n`));
  });
}

/** Counts as ever, and always has room. */
function withoutLimits(limiter: RateLimiter): RateLimiter {
  const none = Number.MAX_SAFE_INTEGER;
  return {
    ...limiter,
    take: (key, windows) =>
      limiter.take(
        key,
        windows.map((window) => ({ ...window, limit: none })),
      ),
  };
}

function ready(port: number, address: string): void {
  process.stdout.write(`${port} ${address}\n`);
}
