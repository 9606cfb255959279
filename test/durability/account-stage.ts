// Both sizes of Qinbox as an account meets them: all processes die at once, and the store can be looked into.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { systemClock } from '#core/system-clock.ts';
import { openStore } from '#test/faults/stores.ts';
import { startStack } from '#test/faults/stack.ts';
import { runCommand, startProgram, temporaryFolder, type Program } from '#test/program/program.ts';

export interface AccountStage {
  /** Where each process that answers calls listens. */
  urls: readonly [string, ...string[]];
  qinbox(...args: string[]): string;
  /** Ends every process of Qinbox as a power cut would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** How many tasks are stored of an owner. */
  tasksOf(owner: string): Promise<number>;
  /** Resolves when tasks of an owner begin to be removed, at once: all of them take a few milliseconds. */
  removing(owner: string): Promise<void>;
  /** Each record that is stored, or waits in the queue, as a line. */
  dump(): Promise<string[]>;
  /** While nothing runs: as if the owner's account had been marked to be deleted long ago. */
  markedLongAgo(owner: string): Promise<void>;
  stop(): Promise<void>;
}

const ENV = {
  RATE_LIMIT_PER_MINUTE: '1000000',
  RATE_LIMIT_PER_HOUR: '1000000',
  RATE_LIMIT_SESSION_PER_MINUTE: '1000000',
  MAX_TASKS_PER_OWNER: '1000000',
  LOG_LEVEL: 'error',
};

async function markLongAgo(address: string, owner: string): Promise<void> {
  const storage = await openStore(address, systemClock);
  await storage.accounts.changeUser(owner, (user) => ({ ...user, deletingAt: Date.now() - 60_000 }));
  await storage.close();
}

/** The embedded size: one process, one file. */
export async function stageEmbedded(): Promise<AccountStage> {
  const folder = temporaryFolder('account');
  const dataDir = join(folder.path, 'data');
  let program = await startProgram({ dataDir, env: ENV });
  const { url, port } = program;
  const file = join(dataDir, 'qinbox.db');
  const look = new DatabaseSync(file, { readOnly: true });
  const rows = (sql: string, ...values: string[]) => look.prepare(sql).all(...values);
  const count = (owner: string) => {
    const [row] = rows(
      'SELECT count(*) AS n FROM tasks WHERE owner = (SELECT seq FROM owners WHERE id = ?)',
      owner,
    );
    return Number(row?.['n']);
  };
  return {
    urls: [url],
    qinbox: (...args) => runCommand(dataDir, args),
    kill: () => program.kill(),
    async start() {
      program = await startProgram({ dataDir, env: ENV, port });
    },
    tasksOf: (owner) => Promise.resolve(count(owner)),
    async removing(owner) {
      const before = count(owner);
      // Says whether anybody has written, and reads nothing to say so.
      const version = () => rows('PRAGMA data_version')[0]?.['data_version'];
      for (let seen = version(); ; await pause(1)) {
        if (version() === seen) continue;
        seen = version();
        if (count(owner) < before) return;
      }
    },
    dump() {
      const tables = rows("SELECT name FROM sqlite_schema WHERE type = 'table'").map(({ name }) =>
        String(name),
      );
      return Promise.resolve(
        tables.flatMap((name) =>
          rows(`SELECT * FROM "${name}"`).map((row) => `${name} ${JSON.stringify(row)}`),
        ),
      );
    },
    markedLongAgo: (owner) => markLongAgo(file, owner),
    async stop() {
      await program.kill();
      look.close();
      folder.remove();
    },
  };
}

/** The production size: two processes that answer, two workers, MongoDB and Redis. */
export async function stageProduction(): Promise<AccountStage | { missing: string }> {
  const stack = await startStack(ENV);
  if ('missing' in stack) return stack;
  const ports = stack.apis.map(({ port }) => port);
  const [first = '', ...others] = stack.apis.map(({ url }) => url);
  let processes: Program[] = [...stack.apis, ...stack.workers];
  const address = stack.env['MONGODB_URL'] ?? '';
  const client = await MongoClient.connect(address);
  const db = client.db();
  const redis = new Redis(stack.redis.url);
  return {
    urls: [first, ...others],
    qinbox: stack.qinbox,
    kill: async () => void (await Promise.all(processes.map((one) => one.kill()))),
    async start() {
      const apis = ports.map((port) => stack.startApi(port));
      processes = await Promise.all([...apis, stack.startWorker(), stack.startWorker()]);
    },
    tasksOf: (owner) => db.collection('tasks').countDocuments({ owner }),
    async removing() {
      const removals = db.collection('tasks').watch([{ $match: { operationType: 'delete' } }]);
      await removals.next();
      await removals.close();
    },
    async dump() {
      const collections = await db.listCollections({}, { nameOnly: true }).toArray();
      const stored = collections.map(async ({ name }) =>
        (await db.collection(name).find().toArray()).map((found) => `${name} ${JSON.stringify(found)}`),
      );
      return [...(await Promise.all(stored)).flat(), ...(await jobsIn(redis))];
    },
    markedLongAgo: (owner) => markLongAgo(address, owner),
    async stop() {
      redis.disconnect();
      await client.close();
      await stack.stop();
    },
  };
}

async function jobsIn(redis: Redis): Promise<string[]> {
  const keys = await redis.keys('*');
  const jobs = keys.map(async (key) =>
    (await redis.type(key)) === 'hash' ? `${key} ${JSON.stringify(await redis.hgetall(key))}` : key,
  );
  return Promise.all(jobs);
}
