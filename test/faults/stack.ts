// The production size as an operator runs it, in processes of its own: two APIs, two workers, MongoDB's
// protocol, Redis.
import { defined } from '#core/domain/filled.ts';
import { databaseUrl, startMongo } from '#test/services/mongodb.ts';
import { startRedis } from '#test/services/redis.ts';
import type { Service } from '#test/services/service.ts';
import { wake } from '#test/services/signals.ts';
import {
  commandLine,
  root,
  runOnce,
  startProgram,
  type Program,
  type ProgramOptions,
} from '#test/program/program.ts';

export interface Stack {
  apis: Program[];
  workers: Program[];
  mongo: Mongo;
  redis: Service;
  key: string;
  startApi(port?: number): Promise<Program>;
  startWorker(): Promise<Program>;
  /** A process for mail alone, on this port. */
  startMail(port: number): Promise<Program>;
  /** A process for Slack alone. */
  startSlack(): Promise<Program>;
  /** Runs the qinbox command on this store. */
  qinbox(...args: string[]): string;
  /** What the qinbox command and the processes are told. */
  env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** The MongoDB of a stack: one server, or a replica set. */
type Mongo = Pick<Service, 'url' | 'stop'> & Partial<Pick<Service, 'pid'>>;

async function startOne(): Promise<Mongo | { missing: string }> {
  const found = await startMongo();
  return 'missing' in found ? found : found.service;
}

/**
 * The stack, with these variables besides, on a MongoDB of its own or the one given, which it stops; or why
 * it cannot be had here. `folder`: the checkout that its first processes and its `qinbox` are of.
 */
export async function startStack(
  more: Record<string, string> = {},
  given?: Mongo,
  folder = root,
): Promise<Stack | { missing: string }> {
  const mongo = given ?? (await startOne());
  if ('missing' in mongo) return mongo;
  const redis = await startRedis();
  if ('missing' in redis) {
    await mongo.stop();
    return redis;
  }
  const env = {
    MONGODB_URL: databaseUrl(mongo.url, 'qinbox'),
    REDIS_URL: redis.service.url,
    JWT_SECRET: 'a-secret-of-the-tests-0123456789abcdef',
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_PER_HOUR: '1000000',
    MAX_TASKS_PER_OWNER: '1000000000',
    MAX_BYTES_PER_OWNER: '1000000000000',
    // On, so that mail intakes can be made; only a process with the role listens.
    SMTP_PORT: '0',
    ...more,
  };
  const programs: Program[] = [];
  const start = async (
    roles: string,
    { env: own, ...options }: Omit<ProgramOptions, 'dataDir'> = {},
  ): Promise<Program> => {
    const program = await startProgram({
      dataDir: '/nonexistent',
      env: { ...env, QINBOX_ROLES: roles, ...own },
      ...options,
    });
    programs.push(program);
    return program;
  };
  const qinbox = (...args: string[]) =>
    runOnce(process.execPath, [commandLine(folder), ...args], folder, env).trim();
  const stopAll = async () => {
    for (const pid of [redis.service.pid, ...programs.map((program) => program.pid)]) wake(pid);
    await Promise.all(programs.map((program) => program.kill()));
    await Promise.all([mongo.stop(), redis.service.stop()]);
  };
  const [a, b, c, d] = await Promise.all([
    start('api', { folder }),
    start('api', { folder }),
    start('worker', { folder }),
    start('worker', { folder }),
  ]).catch(async (error: unknown) => {
    await stopAll();
    throw error;
  });
  return {
    apis: [a, b],
    workers: [c, d],
    mongo,
    redis: redis.service,
    key: qinbox('key', 'create', '--email', 'load@example.com', '--name', 'load'),
    startApi: (port) => start('api', defined({ port })),
    startWorker: () => start('worker'),
    startSlack: () => start('slack'),
    env,
    startMail: (port) => start('smtp', { env: { SMTP_PORT: String(port) } }),
    qinbox,
    stop: stopAll,
  };
}
