// The commands about the server itself: run it, and find out what is wrong with it.
import { createServer } from 'node:net';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { placeOf, type SmtpConfig } from '#adapters/ingestion/smtp/adapter.ts';
import { endOf, readCertificate, type Certificate } from '#adapters/ingestion/smtp/server/certificate.ts';
import type { MailPlace } from '#adapters/ingestion/smtp/start.ts';
import { loadAdapters, type IngestionAdapters } from '#api/adapter-host/load.ts';
import { ownUrl } from '#api/addresses.ts';
import { requireSharedStore, type Config } from '#core/config.ts';
import type { PartState } from '#core/contract/index.ts';
import { timeText } from '../client/when.ts';
import type { Command, Output } from '../command.ts';
import { operatorConfig, withStore } from '../operator.ts';

/** What the server runs with, however it is started. */
const NODE_FLAGS = JSON.parse(
  readFileSync(new URL('../../scripts/parts/node-flags.json', import.meta.url), 'utf8'),
) as string[];
const DAMAGED =
  'the database is damaged; stop the server and put back a backup (docs/operations.md tells what else there is). Found:';
const LOW_DISK_BYTES = 500 * 1024 * 1024;
/** A part of the server has 3 seconds to answer it. */
const READY_MS = 10_000;

const serve: Command = {
  name: 'serve',
  usage: '',
  summary: 'run the server',
  async run() {
    const start = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url));
    const built = fileURLToPath(new URL('../../dist/server.js', import.meta.url));
    // The image has only what was built; elsewhere, it is built from the sources as they are.
    const args = existsSync(start) ? [start] : [...NODE_FLAGS, built];
    const server = spawn(process.execPath, args, { stdio: 'inherit' });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => server.kill(signal));
    process.exitCode = await new Promise<number>((done) => server.on('exit', (code) => done(code ?? 1)));
  },
};

const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary: 'check configuration, store and ports, and say what to do',
  async run(_words, output) {
    const config = operatorConfig();
    // What a start refuses, before anything is opened.
    requireSharedStore(config);
    const mail = mailOf(config, await loadAdapters(config));
    const certificate = mail === null ? null : readCertificate(mail);
    output.print('ok    configuration');
    const embedded = config.production === null;
    const store = embedded ? `store in ${resolve(config.dataDir)}` : 'store in MongoDB';
    let sound = await report(output, store, () => withStore(({ storage }) => storage.check()));
    if (embedded && sound) sound = await report(output, 'every page and index of the store', checkStore);
    if (embedded)
      sound = (await report(output, 'disk space', async () => checkDisk(config.dataDir))) && sound;
    else {
      const isQueueSound = await reportQueue(output);
      if (isQueueSound) await warnOfMemory(output);
      sound = isQueueSound && sound;
    }
    if (certificate !== null)
      sound = (await report(output, 'certificate for mail', () => checkEnd(certificate))) && sound;
    const isFine = (await serverAnswers(config))
      ? await reportServer(output, config)
      : await reportPorts(output, config, mail);
    sound = isFine && sound;
    if (!sound) throw new Error('Something needs attention; see above.');
  },
};

/** Where this process would listen for mail; null where it would not. */
function mailOf({ roles }: Config, { on }: IngestionAdapters): MailPlace | null {
  const smtp = on.find(({ adapter }) => adapter.id === 'smtp');
  const isServed = smtp?.adapter.roles.some((role) => roles.includes(role)) ?? false;
  return isServed ? placeOf(smtp?.config as unknown as SmtpConfig) : null;
}

function checkEnd(certificate: Certificate): void {
  const end = endOf(certificate);
  if (end <= Date.now()) throw new Error(`SMTP_TLS_CERT expired on ${timeText(end)}; renew it`);
}

async function reportPorts(output: Output, config: Config, mail: MailPlace | null): Promise<boolean> {
  const isFree = await report(output, `port ${config.port}`, () => checkPort(config, 'PORT'));
  if (mail === null) return isFree;
  const isFreeForMail = await report(output, `port ${mail.port} for mail`, () =>
    checkPort(mail, 'SMTP_PORT'),
  );
  return isFree && isFreeForMail;
}

async function report(output: Output, what: string, check: () => Promise<void> | void): Promise<boolean> {
  try {
    await check();
    output.print(`ok    ${what}`);
    return true;
  } catch (error) {
    output.print(`FAIL  ${what}: ${(error as Error).message}`);
    return false;
  }
}

/** What opens both and cannot open MongoDB says nothing of Redis. */
async function reportQueue(output: Output): Promise<boolean> {
  const what = 'queue in Redis';
  try {
    return await withStore(({ queue }) => report(output, what, () => queue.check()));
  } catch {
    output.print(`skip  ${what}: it is looked at once the store can be opened`);
    return false;
  }
}

async function warnOfMemory(output: Output): Promise<void> {
  const memory = await withStore(({ queue }) => queue.memory());
  if (memory?.limitBytes === 0)
    output.print(
      'warn  Redis has no maxmemory: when submissions fill the machine, the system ends it, instead of their being refused. Set one.',
    );
}

async function checkStore(): Promise<void> {
  const findings = await withStore(({ storage }) => storage.verify());
  if (findings.length > 0)
    throw new Error(`${DAMAGED}\n${findings.map((line) => `      ${line}`).join('\n')}`);
}

function checkDisk(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  const left = bavail * bsize;
  if (left < LOW_DISK_BYTES)
    throw new Error(`only ${Math.round(left / 1024 / 1024)} MiB are left; free some before writes fail`);
}

type Listening = Pick<Config, 'host' | 'port'>;

async function serverAnswers(config: Listening): Promise<boolean> {
  try {
    return (await fetch(`${ownUrl(config.host, config.port)}/health`, { signal: AbortSignal.timeout(1000) }))
      .ok;
  } catch {
    return false;
  }
}

/** Whether all parts of the server that runs do: it alone knows that its port of mail was taken, say. */
async function reportServer(output: Output, config: Listening): Promise<boolean> {
  const what = `server on port ${config.port}`;
  let parts: PartState[] = [];
  const answers = await report(output, `${what}: it runs`, async () => {
    const response = await fetch(`${ownUrl(config.host, config.port)}/ready`, {
      signal: AbortSignal.timeout(READY_MS),
    });
    ({ parts = [] } = (await response.json()) as { parts?: PartState[] });
  });
  const faults = parts.filter(({ ok }) => !ok);
  for (const { name, detail } of faults) output.print(`FAIL  ${what}: ${detail ?? name}`);
  return answers && faults.length === 0;
}

function checkPort({ host, port }: Listening, variable: string): Promise<void> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      fail(new Error(isTaken ? `another program uses it; stop that, or set ${variable}` : error.message));
    });
    probe.listen(port, host, () => probe.close(() => done()));
  });
}

export const serverCommands: Command[] = [serve, doctor];
