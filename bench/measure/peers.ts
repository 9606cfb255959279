// The nearest hubs, started as they are shipped with their rate limits out of the way. Their binaries are
// named by NTFY and GOTIFY.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { end, freePort, plainEnvironment, temporaryFolder } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { NO_LIMIT, type Server } from './field.ts';
import { onCores, type Target } from './load.ts';

const TOPIC = 'bench';
/** A short text and a title, as the peers have them. */
const TEXT = 'Nightly backup of db-3 failed: no space left on /var/backups';

export interface Peer extends Server {
  name: string;
  /** A POST of one message. */
  creating: Target;
  /** Path of a WebSocket that hears every message. */
  livePath: string;
}

type PeerStart = (under?: readonly string[]) => Promise<Peer>;

/** How to start those whose binaries are given. */
export function givenPeers(): PeerStart[] {
  const { NTFY, GOTIFY } = process.env;
  const starts: PeerStart[] = [];
  if (NTFY) starts.push((under) => startNtfy(NTFY, under));
  if (GOTIFY) starts.push((under) => startGotify(GOTIFY, under));
  return starts;
}

async function startNtfy(binary: string, under?: readonly string[]): Promise<Peer> {
  const port = await freePort();
  const server = await startPeer('ntfy', `http://127.0.0.1:${port}`, '/v1/health', under, (folder) => {
    const config = join(folder, 'server.yml');
    writeFileSync(config, '');
    return [
      binary,
      'serve',
      `--config=${config}`,
      `--listen-http=127.0.0.1:${port}`,
      `--cache-file=${join(folder, 'cache.db')}`,
      '--log-level=WARN',
      '--visitor-request-limit-exempt-hosts=127.0.0.1',
      `--visitor-subscription-limit=${NO_LIMIT}`,
      '--visitor-message-daily-limit=0',
    ];
  });
  return {
    ...server,
    name: 'ntfy',
    creating: { ...posting('ntfy', server, `/${TOPIC}`), body: TEXT },
    livePath: `/${TOPIC}/ws`,
  };
}

async function startGotify(binary: string, under?: readonly string[]): Promise<Peer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { GOTIFY_SERVER_PORT: String(port), GOTIFY_SERVER_LISTENADDR: '127.0.0.1' };
  const server = await startPeer('Gotify', url, '/health', under, () => [binary], env);
  const authorization = `Basic ${Buffer.from('admin:admin').toString('base64')}`;
  const made = async (path: string): Promise<string> => {
    const headers = { authorization, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'bench' });
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body });
    return ((await answer.json()) as { token: string }).token;
  };
  const [application, client] = [await made('/application'), await made('/client')];
  return {
    ...server,
    name: 'Gotify',
    creating: {
      ...posting('Gotify', server, `/message?token=${application}`),
      body: JSON.stringify({ title: 'backup', message: TEXT, priority: 8 }),
    },
    livePath: `/stream?token=${client}`,
  };
}

function posting(name: string, { url, pid }: Server, path: string): Target {
  return { name: `${name} POST`, url: `${url}${path}`, pid, method: 'POST', expected: 200 };
}

async function startPeer(
  name: string,
  url: string,
  health: string,
  under: readonly string[] = onCores.server,
  commandIn: (folder: string) => string[],
  env: Record<string, string> = {},
): Promise<Server> {
  const folder = temporaryFolder(name.toLowerCase());
  const [command = '', ...args] = [...under, ...commandIn(folder.path)];
  const child = spawn(command, args, { cwd: folder.path, env: plainEnvironment(env), stdio: 'ignore' });
  await waitFor(name, async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
    return (await fetch(`${url}${health}`).catch(() => null))?.ok === true;
  });
  const stop = async () => {
    await end(child, 'SIGKILL');
    folder.remove();
  };
  return { url, pid: child.pid ?? 0, stop };
}
