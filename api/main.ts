// Config, compose, listen, shut down.
import { resolve } from 'node:path';
import { ConfigError, EXIT_CONFIG } from '#core/config-error.ts';
import { readConfig, requireSharedStore, type Config } from '#core/config.ts';
import { loadEnvFile } from '#core/env-file.ts';
import { hostsOf } from '#core/domain/url-credentials.ts';
import { LOCAL_OWNER_EMAIL } from '#core/services/accounts.ts';
import { buildApp } from './app.ts';
import { compose } from './compose.ts';
import { addressesOf, linkUrl, networkUrls } from './addresses.ts';
import { giveBackMemoryAtRest } from './process/idle-memory.ts';
import { linkCommand } from './link-command.ts';
import { whenParentEnds } from './process/parent-end.ts';
import type { Parts } from './services/services.ts';
import { PRODUCT } from './product.ts';
import { keepShapeOfTicks } from './process/tick-shape.ts';

/** Time for requests in flight to finish before the process ends anyway. */
const SHUTDOWN_MS = 9000;

/**
 * Node cuts small buffers from blocks of this size. A block stays for as long as one of its buffers is used:
 * of Node's own 64 KiB, many are kept for a few bytes each (docs/performance.md).
 */
const BUFFER_POOL_BYTES = 8192;

async function start(): Promise<void> {
  Buffer.poolSize = BUFFER_POOL_BYTES;
  keepShapeOfTicks();
  loadEnvFile(process.env);
  const config = readConfig(process.env);
  requireSharedStore(config);
  const parts = await compose(config);
  const app = await buildApp(parts);
  await app.listen({ host: config.host, port: config.port }).catch(async (error: NodeJS.ErrnoException) => {
    await app.close();
    throw new Error(listenFault(error, config.host, config.port), { cause: error });
  });
  await greet(parts, addressesOf(config, app.server).publicUrl);
  giveBackMemoryAtRest();

  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    parts.log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), SHUTDOWN_MS).unref();
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        parts.log.error({ err: error }, 'did not stop cleanly');
        process.exit(1);
      },
    );
  };
  // The last comes where the terminal is closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  if (process.env['npm_lifecycle_event'] !== undefined) whenParentEnds(() => stop('SIGTERM'));
}

/** Prints the addresses and a sign-in link, on standard output so that the link gets into no log. */
async function greet(parts: Parts, url: string): Promise<void> {
  const { production, dataDir, roles, publicUrl, host, port } = parts.config;
  const others = publicUrl === null ? networkUrls(host, port) : [];
  const lines = [
    '',
    `  ${PRODUCT.name} ${PRODUCT.version} · ${PRODUCT.tagline}`,
    '',
    `  Listening on  ${url}`,
    ...others.map((other) => `                ${other}`),
    ...(production === null
      ? [`  Data in       ${resolve(dataDir)}`, ...(await signInLines(parts, url))]
      : [...productionLines(production, roles), `  Sign in       ${linkCommand(parts.config)}`]),
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function productionLines(
  { mongoUrl, redisUrl }: NonNullable<Config['production']>,
  roles: readonly string[],
): string[] {
  return [
    `  Data in       MongoDB at ${hostsOf(mongoUrl)}, Redis at ${hostsOf(redisUrl)}`,
    `  Roles         ${roles.join(', ')}`,
  ];
}

// A link only until somebody has signed in: output stays in journals, and every link is an administrator's.
async function signInLines(
  { accounts, storage, config }: Pick<Parts, 'accounts' | 'storage' | 'config'>,
  url: string,
): Promise<string[]> {
  const users = await storage.accounts.listUsers();
  if (users.some(({ lastLoginAt }) => lastLoginAt !== null))
    return [`  Sign in       with a link from: ${linkCommand(config)}`];
  const { user } = await accounts.ensureUser(LOCAL_OWNER_EMAIL, { name: 'Owner', isAdmin: true });
  const { token } = await accounts.createLink(user);
  return [
    `  Sign in       ${linkUrl(url, token)}`,
    `                (once, within 15 minutes; another: ${linkCommand(config)})`,
  ];
}

function listenFault({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken. Stop what uses it, or choose another: PORT=3001 npm start`;
  if (code === 'EACCES')
    return `Port ${port} may not be used by this account. Choose one above 1023: PORT=3000 npm start`;
  // The last where no name server answers either.
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `HOST ${host} is not an address of this machine. Try 127.0.0.1 or 0.0.0.0.`;
  return `Cannot listen on ${host}:${port}: ${message}`;
}

start().catch((error: unknown) => {
  process.stderr.write(`qinbox: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof ConfigError ? EXIT_CONFIG : 1);
});
