// The stack without Docker, as far as backups go: an API and a worker on its MongoDB and a Redis; and a shell
// in which the documentation's blocks run word for word, where `docker compose` does here what it does there.
import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Stage } from '#test/faults/webhooks-out.ts';
import {
  commandLine,
  freePort,
  plainEnvironment,
  root,
  runOnce,
  startProgram,
  type Program,
} from '#test/program/program.ts';
import { startRedis } from '#test/services/redis.ts';
import { waitFor } from '#test/program/wait.ts';
import { SECRETS, startContainer, type MongoContainer } from './mongo-container.ts';

export interface Deployment extends Omit<Stage, 'kill' | 'slackUrl'> {
  container: MongoContainer;
  /** What .env says, of which the health check and the processes hear when they are started. */
  secrets: typeof SECRETS;
  /** `docker compose up -d --wait`, of everything or MongoDB alone. */
  up(mongoAlone?: boolean): Promise<void>;
  /** `docker compose stop api worker smtp`. */
  down(): Promise<void>;
  qinbox(...args: string[]): string;
}

/** A new one, of which nothing runs but an empty MongoDB without accounts. */
export async function createDeployment(mongosh: readonly string[]): Promise<Deployment> {
  const [container, redis, port] = await Promise.all([startContainer(mongosh), startRedis(), freePort()]);
  if ('missing' in redis) throw new Error(redis.missing);
  const secrets = { ...SECRETS };
  const env = (): Record<string, string> => ({
    MONGODB_URL: `mongodb://qinbox:${secrets.MONGODB_PASSWORD}@127.0.0.1:${container.port}/qinbox?authSource=qinbox&replicaSet=qinbox`,
    REDIS_URL: redis.service.url,
    JWT_SECRET: 'a-secret-of-the-tests-0123456789abcdef',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    OUTGOING_ALLOW: '127.0.0.1',
    WEBHOOK_HTTP: 'true',
    RATE_LIMIT_SESSION_PER_MINUTE: '1000000',
    MAX_TASKS_PER_OWNER: '1000000',
    LOG_LEVEL: 'error',
  });
  let programs: Program[] = [];
  const start = (role: string, own: { port?: number } = {}) =>
    startProgram({ dataDir: '/nonexistent', env: { ...env(), QINBOX_ROLES: role }, ...own });
  const down = async () => {
    await Promise.all(programs.map((program) => program.stop()));
    programs = [];
  };
  const qinbox = (...args: string[]) =>
    runOnce(process.execPath, [commandLine(), ...args], root, env()).trim();
  return {
    container,
    secrets,
    url: () => `http://127.0.0.1:${port}`,
    link: () =>
      (JSON.parse(qinbox('signin-link', '--email', 'me@example.com', '--json')) as { url: string }).url,
    qinbox,
    async up(mongoAlone = false) {
      await waitFor('MongoDB to be healthy', async () => (await container.check(secrets)).status === 0);
      if (!mongoAlone && programs.length === 0)
        programs = [await start('api', { port }), await start('worker')];
    },
    down,
    async stop() {
      await down();
      await Promise.all([container.stop(), redis.service.stop()]);
    },
  };
}

/** What `docker` is in a block: a command in the container of MongoDB runs here, on the container's port. */
const DOCKER = `#!/bin/sh
case "$*" in
  'compose exec -T mongo sh -c '*)
    shift 6
    exec sh -c "$(printf %s "$1" | sed "s/@127\\.0\\.0\\.1/&:$MONGO_PORT/g")" ;;
  *) exec curl --fail-with-body --silent --show-error --data "$*" "$DOCKER_URL" ;;
esac
`;

/** Runs a block in a shell that stops at the first command that fails; rejects with what that printed. */
export async function runBlock(block: string, folder: string, deployment: Deployment): Promise<string> {
  const docker = join(folder, 'docker');
  writeFileSync(docker, DOCKER);
  chmodSync(docker, 0o755);
  const commands: Record<string, () => Promise<void>> = {
    'compose up -d --wait': () => deployment.up(),
    'compose up -d --wait mongo': () => deployment.up(true),
    'compose stop api worker smtp': () => deployment.down(),
  };
  const server = createServer((request, response) => {
    void (async () => {
      const asked = await text(request);
      const command = commands[asked];
      if (command === undefined) throw new Error(`the stack has no answer to docker ${asked}`);
      await command();
      response.end();
    })().catch((error: unknown) => response.writeHead(500).end(`${String(error)}\n`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const env = plainEnvironment({
    ...SECRETS,
    MONGO_PORT: deployment.container.port,
    DOCKER_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    MONGODB_URL: `mongodb://qinbox:${deployment.secrets.MONGODB_PASSWORD}@127.0.0.1:${deployment.container.port}/qinbox?authSource=qinbox`,
  });
  env['PATH'] = `${folder}:${env['PATH'] ?? ''}`;
  try {
    const ran = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', block], {
      cwd: folder,
      env,
    });
    return ran.stdout + ran.stderr;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
