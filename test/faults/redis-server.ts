// A Redis of the test's own, to be stopped, killed and started again: on a free port of 127.0.0.1, in a temporary folder, gone with
// the test at the latest.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { end, freePort, temporaryFolder } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Why there is no Redis to test with, or null. With `REQUIRE_SERVICES=1` a missing one fails the test instead. */
export const withoutRedis: string | null =
  process.env['REQUIRE_SERVICES'] === '1' || spawnSync('redis-server', ['--version']).status === 0
    ? null
    : 'there is no redis-server on the PATH';

export interface RedisServer {
  readonly url: string;
  /** Lets it hang, connections open, as a machine that swaps or a network that drops everything. */
  pause(): void;
  resume(): void;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again, on the same port and data, unless it runs. */
  start(): Promise<void>;
  /** Ends it for good. */
  remove(): Promise<void>;
}

export interface RedisServerOptions {
  /** Whether what it acknowledged survives {@link RedisServer.kill}: append-only file, synced always. */
  durable?: boolean;
  /** Further settings, as on its command line. */
  settings?: readonly string[];
}

export async function startRedis(options: RedisServerOptions = {}): Promise<RedisServer> {
  const port = await freePort();
  const folder = temporaryFolder('redis');
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    if (child !== undefined && running.has(child)) return;
    const persistence = options.durable === true ? ['yes', '--appendfsync', 'always'] : ['no'];
    const started = spawn(
      'redis-server',
      [
        ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder.path, '--save', ''],
        ...['--appendonly', ...persistence, ...(options.settings ?? [])],
      ],
      { stdio: 'ignore' },
    );
    running.add(started);
    started.once('exit', () => running.delete(started));
    await once(started, 'spawn');
    child = started;
    await waitFor(`Redis on port ${port}`, () => answers(port));
  }
  async function kill(): Promise<void> {
    if (child !== undefined) await end(child, 'SIGKILL');
  }

  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    pause: () => child?.kill('SIGSTOP'),
    resume: () => child?.kill('SIGCONT'),
    kill,
    start,
    async remove() {
      await kill();
      folder.remove();
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.once('data', (data) => {
      resolve(data.toString().startsWith('+PONG'));
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}
