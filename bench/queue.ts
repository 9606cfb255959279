// `npm run bench -- queue`: submission → BullMQ → store, against bare BullMQ that adds and processes the same
// jobs on the same Redis, with every write synced to disk before it is answered. Goal: at least 0.85. Exit 0:
// met; 1: missed; 2: too busy to judge.
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { createBullQueue } from '#adapters/redis/queue/queue.ts';
import { openSqliteStorage } from '#adapters/sqlite/storage.ts';
import { systemClock } from '#core/system-clock.ts';
import type { SubmissionHandler } from '#core/ports/submission-queue.ts';
import type { Submission } from '#core/domain/submission.ts';
import { newOwner, insertOf } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { startRedis } from '#test/services/redis.ts';
import { temporaryFolder } from '#test/program/program.ts';
import { judge, summarise, type Goal } from './measure/stats.ts';

const GOAL: Goal = { atLeast: 0.85 };
const IN_FLIGHT = 64;
const OWNERS = Array.from({ length: 50 }, newOwner);

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '11' }, jobs: { type: 'string', default: '4000' } },
});
const rounds = Number(options.rounds);
const jobs = Number(options.jobs);

/** Something that takes submissions and carries them out later. */
interface Lane {
  name: string;
  send(submission: Submission): Promise<unknown>;
  /** How many were carried out so far. */
  done(): number;
  close(): Promise<void>;
}

function bareLane(url: string): Lane {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  const working = connection.duplicate();
  let done = 0;
  const queue = new Queue<Submission>('bare', {
    connection,
    defaultJobOptions: { removeOnComplete: true },
  });
  const worker = new Worker<Submission>(
    'bare',
    async () => {
      done++;
    },
    { connection: working, concurrency: IN_FLIGHT },
  );
  return {
    name: 'bare BullMQ',
    send: (submission) => queue.add('submission', submission),
    done: () => done,
    async close() {
      await worker.close();
      await queue.close();
      for (const each of [connection, working]) each.disconnect();
    },
  };
}

function ourLane(name: string, url: string, carryOut: SubmissionHandler['carryOut']): Lane {
  const queue = createBullQueue({ url, prefix: name.replaceAll(' ', '-'), concurrency: IN_FLIGHT });
  let done = 0;
  const worker = queue.work({
    async carryOut(submission) {
      const outcome = await carryOut(submission);
      done++;
      return outcome;
    },
    reject: (_submission, fault) => Promise.reject(new Error('a submission was rejected', { cause: fault })),
  });
  return {
    name,
    send: (submission) => queue.submit(submission),
    done: () => done,
    async close() {
      await worker.stop();
      await queue.close();
    },
  };
}

/** Submissions a second, from the first that is sent to the last that is carried out. */
async function slice(lane: Lane, owners: readonly string[]): Promise<number> {
  const before = lane.done();
  const submissions = Array.from({ length: jobs }, (_, index) =>
    submissionOf({
      ownerId: owners[index % owners.length] ?? '',
      inserts: [insertOf({ content: `Disk ${index} is full`, metadata: { host: 'db-1', free: index } })],
      claim: { scope: 'intake:1', key: crypto.randomUUID(), fingerprint: null },
      at: Date.now(),
    }),
  ).values();
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      for (const submission of submissions) await lane.send(submission);
    }),
  );
  while (lane.done() < before + jobs) await new Promise((resolve) => setImmediate(resolve));
  return jobs / ((performance.now() - begun) / 1000);
}

const found = await startRedis();
if ('missing' in found) {
  console.error(`qinbox: ${found.missing}`);
  process.exit(2);
}
const { url } = found.service;
const folder = temporaryFolder('bench-queue');
const storage = openSqliteStorage({ file: `${folder.path}/qinbox.db`, clock: systemClock });

const bare = { lane: bareLane(url), owners: OWNERS };
const inMemory = ourLane('to memory', url, async () => ({ kind: 'done', outcomes: [], resolved: [] }));
const measured = [
  { lane: inMemory, name: 'to memory', owners: OWNERS },
  { lane: inMemory, name: 'to memory, one owner', owners: OWNERS.slice(0, 1) },
  {
    lane: ourLane('to SQLite', url, (submission) => storage.tasks.create(submission)),
    name: 'to SQLite',
    owners: OWNERS,
  },
];

const verdicts: string[] = [];
try {
  console.log(
    `${cpus()[0]?.model.trim() ?? 'unknown processor'} × ${cpus().length}, Node ${process.versions.node}, Redis with appendfsync always; producer and worker in one process; ${rounds} rounds of ${jobs} submissions\n`,
  );
  for (const { lane, name, owners } of measured) {
    const [ours, theirs]: [number[], number[]] = [[], []];
    await slice(lane, owners);
    await slice(bare.lane, bare.owners);
    for (let round = 0; round < rounds; round++)
      for (const one of round % 2 === 0 ? ['ours', 'bare'] : ['bare', 'ours'])
        if (one === 'ours') ours.push(await slice(lane, owners));
        else theirs.push(await slice(bare.lane, bare.owners));
    const ratio = summarise(ours.map((rate, round) => rate / (theirs[round] ?? Number.NaN)));
    const verdict = judge(ratio, GOAL);
    verdicts.push(verdict);
    console.log(
      `${name.padEnd(22)} ${summarise(ours).median.toFixed(0)}/s ÷ bare ${summarise(theirs).median.toFixed(0)}/s = ${ratio.median.toFixed(2)} (quartiles ${ratio.q1.toFixed(2)} – ${ratio.q3.toFixed(2)}), goal ≥ ${GOAL.atLeast}: ${verdict}`,
    );
  }
} finally {
  for (const lane of new Set([bare.lane, ...measured.map((each) => each.lane)])) await lane.close();
  await storage.close();
  await found.service.stop();
  folder.remove();
}
process.exitCode = verdicts.includes('missed') ? 1 : verdicts.includes('not judged') ? 2 : 0;
