// The queue of many processes: BullMQ on Redis, one queue for each ingestion adapter, so that a flood on one holds up no other.
// `submit` resolves once the submission is in Redis; as durable as Redis is set up to be (AOF, see docs/operations.md).
import { Queue } from 'bullmq';
import { unavailable } from '#core/errors.ts';
import type { SubmissionQueue } from '#core/ports/submission-queue.ts';
import type { Submission } from '#core/domain/submission.ts';
import { answerWithin, connectProducer, createReadiness, type QueueLog } from './connections.ts';
import { adaptersKey, jobId, queueName } from './names.ts';
import { readState } from './states.ts';
import { startWorkers, type Workers } from './workers.ts';

export interface BullQueueOptions {
  /** `redis://…` or `rediss://…`. */
  url: string;
  log?: QueueLog;
  /** What all keys begin with. */
  prefix?: string;
  /** How often a submission is tried before it is rejected. */
  attempts?: number;
  /** Before the second try; doubled for each further one, up to a minute. */
  backoffMs?: number;
  /** Submissions of one adapter that this process carries out at a time. */
  concurrency?: number;
  /** Of these, at most so many of one owner. */
  perOwner?: number;
  /** After how long the job of a worker that died or hangs may be taken over. */
  lockMs?: number;
  /** How often is looked for such jobs. */
  stalledCheckMs?: number;
}

/** Redis has this long to answer before a submission is refused. */
const SUBMIT_LIMIT_MS = 1500;
const CHECK_LIMIT_MS = 1000;
const MAX_BACKOFF_MS = 60_000;
/** Tries are counted, and ended, by the worker; BullMQ only has to go on trying. */
const UNTIL_TOLD = 1_000_000;

export function createBullQueue(options: BullQueueOptions): SubmissionQueue {
  const { url, log, prefix = 'qinbox' } = options;
  const redis = connectProducer(url, SUBMIT_LIMIT_MS);
  const ready = createReadiness(redis, SUBMIT_LIMIT_MS);
  const queues = new Map<string, Queue<Submission, void>>();
  const registered = new Set<string>();
  const workers = new Set<Workers>();
  let closing: Promise<void> | undefined;

  redis.on('error', (error) => log?.warn({ err: error }, 'the queue cannot be reached'));
  // Whoever comes back may be another Redis, or one that forgot.
  redis.on('ready', () => registered.clear());

  function queueOf(adapter: string): Queue<Submission, void> {
    let queue = queues.get(adapter);
    if (queue === undefined) {
      queue = new Queue<Submission, void>(queueName(adapter), {
        prefix,
        connection: redis,
        skipWaitingForReady: true,
        skipVersionCheck: true,
        defaultJobOptions: {
          attempts: UNTIL_TOLD,
          backoff: { type: 'by fault' },
          removeOnComplete: true,
          removeOnFail: true,
          stackTraceLimit: 0,
        },
      });
      queue.on('error', (error) => log?.warn({ err: error, adapter }, 'the queue met a fault'));
      queues.set(adapter, queue);
    }
    return queue;
  }

  async function register(adapter: string): Promise<void> {
    await redis.sadd(adaptersKey(prefix), adapter);
    registered.add(adapter);
    for (const each of workers) each.add(adapter);
  }

  async function close(): Promise<void> {
    await Promise.all([...workers].map((each) => each.stop()));
    await Promise.all([...queues.values()].map((queue) => queue.close()));
    redis.disconnect();
  }

  return {
    async submit(submission) {
      const { adapter } = submission;
      try {
        await ready();
        if (!registered.has(adapter)) await register(adapter);
        await queueOf(adapter).add('submission', submission, { jobId: jobId(submission) });
        return { kind: 'queued' };
      } catch (cause) {
        throw unavailable('queue', cause);
      }
    },

    work(handler) {
      const started = startWorkers(
        {
          url,
          prefix,
          log,
          retry: {
            attempts: options.attempts ?? 8,
            backoffMs: options.backoffMs ?? 1000,
            maxBackoffMs: MAX_BACKOFF_MS,
          },
          concurrency: options.concurrency ?? 64,
          perOwner: options.perOwner ?? 32,
          lockMs: options.lockMs ?? 15_000,
          stalledCheckMs: options.stalledCheckMs ?? 5000,
        },
        handler,
      );
      workers.add(started);
      return {
        async stop() {
          await started.stop();
          workers.delete(started);
        },
      };
    },

    async states() {
      try {
        await ready();
        const adapters = await redis.smembers(adaptersKey(prefix));
        return await Promise.all(
          adapters.toSorted().map((adapter) => readState(redis, queueOf(adapter), adapter)),
        );
      } catch (cause) {
        throw unavailable('queue', cause);
      }
    },

    async check() {
      const memory = await answerWithin(CHECK_LIMIT_MS, async () => {
        await ready();
        return redis.info('memory');
      }).catch((cause: unknown) => {
        throw new Error('Redis does not answer', { cause });
      });
      const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
      if (policy !== undefined && policy !== 'noeviction')
        throw new Error(
          `Redis has maxmemory-policy ${policy} and may drop submissions: set it to noeviction`,
        );
    },

    close: () => (closing ??= close()),
  };
}
