// Works on every queue that is registered, those included that are submitted to for the first time later, in
// any process.
import { Worker, type Queue, type WorkerOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Submission } from '#core/domain/submission.ts';
import type { Log } from '#core/ports/log.ts';
import type { SubmissionHandler } from '#core/ports/submission-queue.ts';
import { withTimeLimit } from '#core/time-limit.ts';
import { connectRedis } from '../connection.ts';
import { isReply } from './memory.ts';
import { startDiscovery, type QueueSource } from './discovery.ts';
import { createOwnerConcurrency, type OwnerConcurrency } from './owner-concurrency.ts';
import { queueName, shareOf, type Partition } from './partitions.ts';
import { backoff, createProcessor, type RetryPolicy } from './processor.ts';
import { defineScripts } from './scripts.ts';

export interface WorkSettings extends RetryPolicy {
  url: string;
  /** Prefix of all keys. */
  prefix: string;
  log: Pick<Log, 'info' | 'warn'> | undefined;
  /** Submissions of one adapter carried out at a time, in this process. */
  concurrency: number;
  /** The same over all processes, which give the same number; null for no more bound than that of each. */
  totalConcurrency: number | null;
  /** Queues of an adapter that are submitted to: each has its part of the total. */
  partitions: number;
  /** Of these, at most so many of one owner. */
  ownerConcurrency: number;
  /** A worker that does not renew its claim to a job loses it after this long. */
  lockMs: number;
  /** Interval of the search for jobs whose worker has lost its claim. */
  stalledCheckMs: number;
}

export const SOCKET_TIMEOUT_MS = 15_000;
/** A worker whose command Redis refused (it is full, read-only, loading) does nothing for this long. */
const REFUSED_PAUSE_MS = 1000;
/** Time for Redis to note what is done; a job that it did not note is carried out again, elsewhere. */
const CLOSE_LIMIT_MS = 1000;

export interface Workers {
  /** Begins to work on this queue, if it has not. */
  add(partition: Partition): void;
  stop(): Promise<void>;
}

/** Where more jobs wait, the marker says so at once: a second look after each job would be for nothing. */
class SubmissionWorker extends Worker<Submission, void> {
  protected override async moveToActive(token: string, name?: string) {
    const job = await super.moveToActive(token, name);
    if ((job as typeof job | undefined) !== undefined) await this.nextJobFromJobData();
    return job;
  }
}

export function startWorkers(
  settings: WorkSettings,
  handler: SubmissionHandler,
  queueOf: (partition: Partition) => Queue,
  source: QueueSource,
): Workers {
  const { log, totalConcurrency } = settings;
  const redis = connectRedis(settings.url, { whileAway: 'wait', socketTimeoutMs: SOCKET_TIMEOUT_MS });
  defineScripts(redis, totalConcurrency !== null);
  redis.on('error', (error) => log?.warn({ err: error }, 'the queue cannot be reached; its worker waits'));
  /** By name of the queue. */
  const workers = new Map<string, SubmissionWorker>();
  const owners = createOwners(settings);
  /** The names of the queues that know the bound over all processes. */
  const bounded = new Set<string>();
  let stopping: Promise<void> | undefined;

  // After a reconnection it may be another Redis.
  redis.on('ready', () => bounded.clear());

  const discovery = startDiscovery(source, workOn, log);

  async function workOn(partition: Partition): Promise<void> {
    const name = queueName(partition);
    if (bounded.has(name) || (await hold(name, partition))) startWorker(name, partition);
  }

  /** Whether work may begin. A Redis that is full takes no bound, and its jobs must leave all the same. */
  async function hold(name: string, partition: Partition): Promise<boolean> {
    try {
      await bound(queueOf(partition), boundOf(partition));
      bounded.add(name);
      return true;
    } catch (error) {
      log?.warn({ err: error }, 'the workers are not held to QUEUE_CONCURRENCY yet');
      return totalConcurrency === null || isReply(error);
    }
  }

  function boundOf(partition: Partition): number | null {
    return totalConcurrency === null ? null : shareOf(totalConcurrency, partition, settings.partitions);
  }

  function startWorker(name: string, { adapter, number }: Partition): void {
    if (stopping !== undefined || workers.has(name)) return;
    const process = createProcessor({ handler, owners: owners.of(adapter), policy: settings, log });
    const worker = new SubmissionWorker(name, process, optionsOf(settings, redis));
    worker.on('error', (error) => {
      log?.warn({ err: error, adapter, partition: number }, 'the queue worker met a fault');
      if (isReply(error)) pause(worker);
    });
    workers.set(name, worker);
  }

  /** BullMQ asks again at once, as fast as Redis refuses. */
  function pause(worker: SubmissionWorker): void {
    if (stopping !== undefined || worker.isPaused()) return;
    worker.pause(true).catch(() => undefined);
    setTimeout(() => {
      if (stopping === undefined) void worker.resume();
    }, REFUSED_PAUSE_MS).unref();
  }

  async function stop(): Promise<void> {
    discovery.stop();
    const all = [...workers.values()];
    owners.close();
    for (const worker of all) worker.pause(true).catch(() => undefined);
    await owners.finished();
    // A worker that is closed without force waits for Redis, however long.
    const force = await withTimeLimit(CLOSE_LIMIT_MS, redis.ping()).then(
      () => false,
      () => true,
    );
    const closed = Promise.all(all.map((worker) => worker.close(force)));
    await withTimeLimit(CLOSE_LIMIT_MS, closed).catch(() => undefined);
    redis.disconnect();
  }

  return {
    add: (partition) => void workOn(partition),
    stop: () => (stopping ??= stop()),
  };
}

/** One for each adapter: its queues share what this process carries out. */
function createOwners({ ownerConcurrency, concurrency }: WorkSettings) {
  const byAdapter = new Map<string, OwnerConcurrency>();
  return {
    of(adapter: string): OwnerConcurrency {
      let found = byAdapter.get(adapter);
      if (found === undefined) {
        found = createOwnerConcurrency(ownerConcurrency, concurrency);
        byAdapter.set(adapter, found);
      }
      return found;
    },
    close(): void {
      for (const each of byAdapter.values()) each.close();
    },
    finished: () => Promise.all([...byAdapter.values()].map((each) => each.finished())),
  };
}

/** Writes only a change: a Redis that takes no writes may be bounded already. */
async function bound(queue: Queue, total: number | null): Promise<void> {
  if ((await queue.getGlobalConcurrency()) === total) return;
  await (total === null ? queue.removeGlobalConcurrency() : queue.setGlobalConcurrency(total));
}

function optionsOf(settings: WorkSettings, connection: Redis): WorkerOptions {
  return {
    prefix: settings.prefix,
    connection,
    concurrency: settings.concurrency,
    lockDuration: settings.lockMs,
    stalledInterval: settings.stalledCheckMs,
    maxStalledCount: Number.MAX_SAFE_INTEGER,
    runRetryDelay: 1000,
    settings: {
      backoffStrategy: (attemptsMade, _type, fault) => backoff(settings, attemptsMade, fault),
    },
  };
}
