// Works on the queues of all adapters, those included that submit for the first time later, in whatever process.
import { Worker } from 'bullmq';
import type { SubmissionHandler } from '#core/ports/submission-queue.ts';
import type { Submission } from '#core/domain/submission.ts';
import { answerWithin, connectWorker, type QueueLog } from './connections.ts';
import { adaptersKey, queueName } from './names.ts';
import { backoff, createProcessor, type RetryPolicy } from './processor.ts';
import { createTurns, type Turns } from './owner-concurrency.ts';

export interface WorkSettings {
  url: string;
  prefix: string;
  log: QueueLog | undefined;
  retry: RetryPolicy;
  /** Submissions of one adapter carried out at a time, in this process. */
  concurrency: number;
  /** Of these, at most so many of one owner. */
  perOwner: number;
  /** How long a worker that does not renew its claim to a job keeps it. */
  lockMs: number;
  /** How often is looked for jobs whose worker has lost its claim. */
  stalledCheckMs: number;
}

const DISCOVERY_MS = 1000;
/** When everything is done, Redis has this long to take note of it; what it did not is carried out again, elsewhere. */
const NOTE_LIMIT_MS = 1000;

export interface Workers {
  /** Begins to work on this adapter's queue, if it has not. */
  add(adapter: string): void;
  stop(): Promise<void>;
}

export function startWorkers(settings: WorkSettings, handler: SubmissionHandler): Workers {
  const { prefix, log, retry } = settings;
  const redis = connectWorker(settings.url);
  redis.on('error', (error) => log?.warn({ err: error }, 'the queue cannot be reached; its worker waits'));
  const workers = new Map<string, { worker: Worker<Submission, void>; turns: Turns }>();
  let stopping: Promise<void> | undefined;
  let asking = false;

  const discovery = setInterval(discover, DISCOVERY_MS);
  discover();

  function discover(): void {
    if (asking) return;
    asking = true;
    redis
      .smembers(adaptersKey(prefix))
      .then((adapters) => adapters.forEach(add))
      .catch((error: unknown) => log?.warn({ err: error }, 'the adapters could not be listed'))
      .finally(() => (asking = false));
  }

  function add(adapter: string): void {
    if (stopping !== undefined || workers.has(adapter)) return;
    const turns = createTurns(settings.perOwner);
    const worker = new Worker<Submission, void>(
      queueName(adapter),
      createProcessor({ handler, turns, policy: retry, log }),
      {
        prefix,
        connection: redis,
        concurrency: settings.concurrency,
        lockDuration: settings.lockMs,
        stalledInterval: settings.stalledCheckMs,
        // A job is never given up because its worker died: the processor decides after how often.
        maxStalledCount: Number.MAX_SAFE_INTEGER,
        runRetryDelay: 1000,
        settings: {
          backoffStrategy: (attemptsMade, _type, fault) => backoff(retry, attemptsMade, fault),
        },
      },
    );
    worker.on('error', (error) => log?.warn({ err: error, adapter }, 'the queue worker met a fault'));
    workers.set(adapter, { worker, turns });
  }

  async function stop(): Promise<void> {
    clearInterval(discovery);
    const all = [...workers.values()];
    for (const { worker, turns } of all) {
      turns.close();
      worker.pause(true).catch(ignore);
    }
    await Promise.all(all.map(({ turns }) => turns.finished()));
    // A worker that is closed in good order waits for Redis, for ever if need be.
    const force = await answerWithin(NOTE_LIMIT_MS, () => redis.ping()).then(
      () => false,
      () => true,
    );
    const closed = Promise.all(all.map(({ worker }) => worker.close(force)));
    await answerWithin(NOTE_LIMIT_MS, () => closed).catch(ignore);
    redis.disconnect();
  }

  return { add, stop: () => (stopping ??= stop()) };
}

function ignore(): void {
  // Nobody is left to be told.
}
