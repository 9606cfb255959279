// All servers of a measurement, started together and left running, so that slices can alternate between
// them.
import { join } from 'node:path';
import {
  createKey,
  end,
  freePort,
  plainEnvironment,
  root,
  startProgram,
  startScript,
  temporaryFolder,
} from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { onCores, type Target } from './load.ts';

/** What every measured POST sends. */
const BODY = JSON.stringify({
  content: 'Nightly backup of db-3 failed: no space left on /var/backups',
  priority: 'high',
  source: 'cron',
  tags: ['backup', 'db-3'],
  metadata: { host: 'db-3.internal', exitCode: 28 },
});
/** Out of the reach of any measurement. */
export const NO_LIMIT = '1000000000';
const NO_QUOTA = '1000000000000';

export type ReferenceKind = 'echo' | 'bare' | 'each' | 'group';

export interface Server {
  url: string;
  pid: number;
  stop: () => Promise<void>;
}

/** Starts a reference server (see bench/ref/server.ts), with so many rows in its table. */
export async function startReference(
  kind: ReferenceKind,
  rows = 0,
  under: readonly string[] = onCores.server,
): Promise<Server> {
  const folder = temporaryFolder(`reference-${kind}`);
  const port = await freePort();
  const script = join(root, 'bench', 'ref', 'server.ts');
  const args = [kind, String(port), folder.path, String(rows)];
  const { child, output } = await startScript(script, args, plainEnvironment(), under);
  const url = `http://127.0.0.1:${port}`;
  await waitFor(`the reference server ${kind}`, async () => {
    if (child.exitCode !== null) throw new Error(`the reference server ${kind} ended:\n${output()}`);
    return (await fetch(url, { method: 'POST', body: BODY }).catch(() => null)) !== null;
  });
  const stop = async () => {
    await end(child, 'SIGKILL');
    folder.remove();
  };
  return { url, pid: child.pid ?? 0, stop };
}

/**
 * Starts Qinbox itself with rate limits and quotas out of the way; `keyOf` makes an API key of another owner.
 */
export async function startQinbox(
  options: {
    under?: readonly string[];
    env?: Record<string, string>;
  } = {},
): Promise<Server & { keyOf: (email: string) => string; output: () => string }> {
  const folder = temporaryFolder('bench');
  const program = await startProgram({
    dataDir: folder.path,
    under: options.under ?? onCores.server,
    env: {
      NODE_ENV: 'production',
      RATE_LIMIT_PER_MINUTE: NO_LIMIT,
      RATE_LIMIT_PER_HOUR: NO_LIMIT,
      MAX_TASKS_PER_OWNER: NO_LIMIT,
      MAX_BYTES_PER_OWNER: NO_QUOTA,
      ...options.env,
    },
  });
  const stop = async () => {
    await program.kill();
    folder.remove();
  };
  const { url, pid } = program;
  return { url, pid, stop, output: () => program.output(), keyOf: (email) => createKey(folder.path, email) };
}

/** A POST of one task. */
export function creating(name: string, server: Pick<Server, 'url' | 'pid'>, key?: string): Target {
  const url = `${server.url}${key === undefined ? '/tasks' : '/api/v1/tasks'}`;
  const target = { name, url, pid: server.pid, method: 'POST', body: BODY, expected: 201 } as const;
  return key === undefined ? target : { ...target, key };
}

/** A GET of the newest 50. */
export function listing(name: string, server: Server, key?: string): Target {
  const url = key === undefined ? `${server.url}/tasks` : `${server.url}/api/v1/tasks?limit=50`;
  const target = { name, url, pid: server.pid, method: 'GET', expected: 200 } as const;
  return key === undefined ? target : { ...target, key };
}

/** Fills an owner's queue through the batch call. */
export async function fill(server: Server, key: string, count: number): Promise<void> {
  for (let made = 0; made < count;) {
    const size = Math.min(500, count - made);
    const tasks = Array.from({ length: size }, (_, i) => ({
      content: `Nightly backup of db-3 failed: ${made + i}`,
    }));
    const answer = await fetch(`${server.url}/api/v1/tasks/batch`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ tasks }),
    });
    if (answer.status !== 201)
      throw new Error(`the batch call answered ${answer.status}: ${await answer.text()}`);
    made += size;
  }
}

/**
 * Runs a measurement and then stops every server that it started through `start`, whatever happened in
 * between.
 */
export async function withServers<T>(
  measure: (start: <S extends Server>(starting: Promise<S>) => Promise<S>) => Promise<T>,
): Promise<T> {
  const servers: Server[] = [];
  try {
    return await measure(async (starting) => {
      const server = await starting;
      servers.push(server);
      return server;
    });
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
