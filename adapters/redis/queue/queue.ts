// The queue of many processes: BullMQ on Redis, with queues of its own for each ingestion adapter, so that a
// flood on one delays no other (partitions.ts). `submit` resolves once the submission is in Redis: as durable
// as Redis is configured (AOF, see docs/operations.md).
//
// BullMQ is used for                  Switched off in BullMQ
// ----------------------------------  ----------------------------------------------------------------------
// jobs that outlive their worker      limit of attempts: the processor counts them, because a store that is
// (locks, renewal, stalled checks)    away costs none, and stores a rejection before the job goes
// one job for each job id             backoff by type: the wait depends on the fault
// delayed jobs                        limit of stalls: the processor's MAX_TAKEOVERS, for the same reasons
// idle workers that start at once     stored finished jobs, stack traces: rejections are in the store
//                                     waiting for Redis when a job is added: the sender gets an error soon
//                                     its scripts, for shorter ones that run in a full Redis (scripts.ts)
import { Queue, type DefaultJobOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { QinboxError, unavailable } from '#core/errors.ts';
import { submissionOf, type Submission } from '#core/domain/submission.ts';
import type { Log } from '#core/ports/log.ts';
import type { SubmissionQueue } from '#core/ports/submission-queue.ts';
import { withTimeLimit } from '#core/time-limit.ts';
import { connectRedis } from '../connection.ts';
import { jobId } from './job-id.ts';
import { checkMemory, createMemoryGuard } from './memory.ts';
import { isRegistered, partitionOf, partitionsOf, queueName, type Partition } from './partitions.ts';
import { createQueueList } from './queue-list.ts';
import { createReadiness } from './readiness.ts';
import { createRegistration } from './registration.ts';
import { defineScripts } from './scripts.ts';
import { createStateReader } from './states.ts';
import { SOCKET_TIMEOUT_MS, startWorkers, type Workers, type WorkSettings } from './workers.ts';

export type BullQueueOptions = {
  url: string;
  /** Of the adapters that this process has: their queues are worked on also while no list can be read. */
  adapters?: readonly string[];
} & Partial<Omit<WorkSettings, 'url' | 'maxBackoffMs'>>;

/** Redis has this long to answer before a submission is refused. */
const SUBMIT_LIMIT_MS = 1500;
/** A server of a cluster has this long to say how its queues stand. */
const ANSWER_LIMIT_MS = 1500;
const CHECK_LIMIT_MS = 1000;
const MAX_BACKOFF_MS = 60_000;

const UNLISTED =
  'the list of queues could not be read yet: those are worked on that QUEUE_PARTITIONS names and that answer';

const SILENT = 'Redis does not answer';
/** A part of a cluster. */
const SILENT_AND_UNLISTED = `${SILENT}, and ${UNLISTED}`;

const JOB_OPTIONS: DefaultJobOptions = {
  attempts: 1_000_000,
  backoff: { type: 'by fault' },
  removeOnComplete: true,
  removeOnFail: true,
  stackTraceLimit: 0,
};

export function createBullQueue(options: BullQueueOptions): SubmissionQueue {
  const { url, log, prefix = 'qinbox', partitions = 1, adapters = [] } = options;
  const redis = connectRedis(url, {
    whileAway: 'fail',
    commandTimeoutMs: SUBMIT_LIMIT_MS,
    socketTimeoutMs: SOCKET_TIMEOUT_MS,
  });
  defineScripts(redis, false);
  const ready = createReadiness(redis, SUBMIT_LIMIT_MS);
  const memory = createMemoryGuard(redis, log);
  const queues = createQueues(redis, prefix, log);
  const own = adapters.flatMap((adapter) => partitionsOf(adapter, partitions));
  const list = createQueueList(redis, prefix, own, ANSWER_LIMIT_MS);
  const states = createStateReader(redis, list, (partition) => queues.of(partition), ANSWER_LIMIT_MS);
  const registration = createRegistration(redis, prefix);
  const workers = new Set<Workers>();
  let closing: Promise<void> | undefined;

  redis.on('error', (error) => log?.warn({ err: error }, 'the queue cannot be reached'));

  const askMemory = () => Promise.resolve(ready.wait()).then(() => memory.read());

  /** Whether this process may work on fewer queues than there are. */
  const unlisted = () => workers.size > 0 && !list.isWhole();

  async function close(): Promise<void> {
    registration.close();
    await Promise.all([...workers].map((each) => each.stop()));
    await queues.close();
    redis.disconnect();
  }

  return {
    async submit(submission) {
      const partition = partitionOf(submission.adapter, submission.ownerId, partitions);
      try {
        await ready.wait();
        await memory.demandRoom();
        if (await registration.demand(partition)) for (const each of workers) each.add(partition);
        await queues.of(partition).add('submission', submission, { jobId: jobId(submission) });
        return { kind: 'queued' };
      } catch (cause) {
        if (cause instanceof QinboxError) throw cause;
        throw memory.refusalOf(cause) ?? unavailable('queue', cause);
      }
    },

    waiting: (submission) =>
      answerOf(async () => {
        const partition = partitionOf(submission.adapter, submission.ownerId, partitions);
        await ready.wait();
        const data = await redis.hget(queues.of(partition).toKey(jobId(submission)), 'data');
        return data === null ? null : submissionOf(JSON.parse(data) as object);
      }),

    work(handler) {
      const { totalConcurrency = null } = options;
      const ownerConcurrency = Math.min(
        32,
        Math.ceil(Math.floor((totalConcurrency ?? Infinity) / partitions) / 2),
      );
      const defaults = { attempts: 8, backoffMs: 1000, concurrency: 64, ownerConcurrency };
      const intervals = { lockMs: 15_000, stalledCheckMs: 5000, maxBackoffMs: MAX_BACKOFF_MS };
      const started = startWorkers(
        { ...defaults, ...intervals, ...options, totalConcurrency, partitions, prefix, log },
        handler,
        (partition) => queues.of(partition),
        { list, ready, isRegistered: (partition) => isRegistered(redis, prefix, partition) },
      );
      workers.add(started);
      return {
        async stop() {
          await started.stop();
          workers.delete(started);
        },
      };
    },

    states: () =>
      answerOf(async () => {
        await ready.wait();
        return states.read();
      }),

    memory: () => answerOf(askMemory),

    async check() {
      const asked = withTimeLimit(CHECK_LIMIT_MS, askMemory(), () => Promise.reject(ready.fault()));
      const found = await asked.catch((cause: unknown) => {
        throw new Error(redis.status === 'ready' && unlisted() ? SILENT_AND_UNLISTED : SILENT, { cause });
      });
      checkMemory(found);
      if (unlisted()) throw new Error(UNLISTED);
    },

    close: () => (closing ??= close()),
  };
}

async function answerOf<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw unavailable('queue', cause);
  }
}

/** All on one connection. */
function createQueues(redis: Redis, prefix: string, log: Pick<Log, 'warn'> | undefined) {
  const queues = new Map<string, Queue<Submission, void>>();
  return {
    of(partition: Partition): Queue<Submission, void> {
      const name = queueName(partition);
      let queue = queues.get(name);
      if (queue === undefined) {
        queue = new Queue<Submission, void>(name, {
          prefix,
          connection: redis,
          skipWaitingForReady: true,
          skipVersionCheck: true,
          skipMetasUpdate: true,
          defaultJobOptions: JOB_OPTIONS,
        });
        const { adapter, number } = partition;
        queue.on('error', (error) =>
          log?.warn({ err: error, adapter, partition: number }, 'the queue met a fault'),
        );
        queues.set(name, queue);
      }
      return queue;
    },
    close: () => Promise.all([...queues.values()].map((queue) => queue.close())),
  };
}
