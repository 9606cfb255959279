// Many submissions, a part of them delivered more than once, carried out by worker processes that are killed
// at random moments: tells what became of each.
import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createBullQueue } from '#adapters/redis/queue/queue.ts';
import type { SubmissionQueue } from '#core/ports/submission-queue.ts';
import type { Submission } from '#core/domain/submission.ts';
import { newOwner, insertOf } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { end, plainEnvironment, root, startScript } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import type { MongoSet } from '#test/services/mongo-set.ts';
import { startRedis } from './redis-server.ts';
import type { SharedStore } from './stores.ts';

const WORKERS = 2;
const SENDERS = 32;
const PATIENCE_MS = 300_000;
const LONG_MS = 6 * 3_600_000;
const workers = new Set<ChildProcess>();

export interface QueueFates {
  /** How many tasks there are in all. */
  tasks: number;
  redelivered: number;
  kills: number;
  primaryKills: number;
  /** Submitted and not there. */
  lost: string[];
  /** There more than once. */
  doubled: string[];
  rejected: number;
  /** Why the latest of them were rejected. */
  reasons: string[];
}

/** A worker process on this Redis and store. `hold`: see queue-worker.ts. */
export async function startWorker(
  redisUrl: string,
  { address }: SharedStore,
  { hold = '', speed = 1, epoch = 0, asInProduction = false, partitions = 1 } = {},
) {
  const env = {
    REDIS_URL: redisUrl,
    STORE: address,
    HOLD: hold,
    SPEED: `${speed}`,
    EPOCH: `${epoch}`,
    AS_IN_PRODUCTION: `${asInProduction}`,
    PARTITIONS: `${partitions}`,
  };
  const worker = await startScript(`${root}/test/faults/queue-worker.ts`, [], plainEnvironment(env));
  workers.add(worker.child);
  worker.child.once('exit', () => workers.delete(worker.child));
  return worker;
}

/** Kills what a test that failed left at work. */
export async function endWorkers(): Promise<void> {
  await Promise.all([...workers].map((child) => end(child, 'SIGKILL')));
}

/** The same delivery, as its sender would send it again: same content and claim, ids of its own. */
export function deliveryOf(marker: string, owner: string): Submission {
  return submissionOf({
    ownerId: owner,
    adapter: 'webhook',
    inserts: [insertOf({ content: marker })],
    claim: { scope: 'intake:1', key: `${owner} ${marker}`, fingerprint: null },
    at: Date.now(),
  });
}

async function submitUntilTaken(queue: SubmissionQueue, submission: Submission): Promise<void> {
  await waitFor(
    'the submission to be taken',
    () =>
      queue.submit(submission).then(
        () => true,
        () => false,
      ),
    PATIENCE_MS,
  );
}

const count = (text: string, word: string): number => text.split(word).length - 1;

/** Kills the primary so many times while the deliveries go on, and starts it again once there is another. */
async function killPrimaries(
  set: MongoSet | undefined,
  times: number,
  progress: () => number,
): Promise<number> {
  if (set === undefined) return 0;
  for (let kill = 1; kill <= times; kill++) {
    const due = kill / (times + 1);
    await waitFor('the next kill of a primary', () => progress() >= due, LONG_MS);
    const primary = await set.primary();
    await primary.kill();
    await set.primary();
    await primary.restart();
    await set.healed();
  }
  return times;
}

export interface KillPlan {
  store: SharedStore;
  /** How many different deliveries there are. */
  distinct: number;
  /** The part of them that is sent again at a random time. */
  share: number;
  /** The most that a worker stores before it is killed. */
  life: number;
  /** How many workers are killed at least while there is work. */
  kills: number;
  /** How fast the workers' clocks run. */
  speed?: number;
  /** Whether locks and waits are as long as in production, or short, so that a test ends soon. */
  asInProduction?: boolean;
  /** A Redis that is there; else one is started. */
  redisUrl?: string;
  /** Queues of the way in. */
  partitions?: number;
  /** How often the primary of a store's replica set is killed, evenly over the deliveries. */
  primaryKills?: number;
}

/**
 * Sends each delivery once, a share of them again at random, and again whatever a worker was at when it was
 * killed. Each worker is killed after it stored a random number of them, as long as there is work.
 */
export async function killWorkersUnderLoad(plan: KillPlan): Promise<QueueFates> {
  const { store, distinct, share, life, speed = 1, primaryKills = 0, asInProduction = false } = plan;
  const { partitions = 1 } = plan;
  const epoch = Date.now();
  const own = plan.redisUrl === undefined ? await startRedis() : null;
  const url = plan.redisUrl ?? own?.url ?? '';
  const queue = createBullQueue({ url, partitions });
  const owners = Array.from({ length: 10 }, newOwner);
  const again = Math.round(distinct * share);
  const markers = Array.from({ length: distinct }, (_, index) => `delivery ${index} of ${distinct}`);
  // Some of them soon after the first, some long after.
  const deliveries = [...markers, ...Array.from({ length: again }, () => markers[randomInt(distinct)] ?? '')]
    .map((marker, index) => ({ marker, at: index < distinct ? index : randomInt(distinct) }))
    .toSorted((a, b) => a.at - b.at);
  const deliver = (marker: string): Promise<void> => {
    const owner = owners[Number(marker.split(' ')[1]) % owners.length] as string;
    return submitUntilTaken(queue, deliveryOf(marker, owner));
  };

  const workLeft = () =>
    queue.states().then(
      (states) => states.some(({ waiting, active }) => waiting + active > 0),
      // A queue that does not answer in time may have anything in it.
      () => true,
    );
  const isOver = async () => !(sending || (await workLeft()));
  let sending = true;
  let kills = 0;
  let redelivered = again;
  async function keepWorking(): Promise<void> {
    while (!(await isOver())) {
      const { child, output } = await startWorker(url, store, { speed, epoch, asInProduction, partitions });
      const begun = () => output().includes('begun');
      // It was started while a primary was elected, and is started again, as by any supervisor.
      const foundNoPrimary = () =>
        child.exitCode !== null && primaryKills > 0 && output().includes('cannot be used');
      const goal = randomInt(life);
      let polls = 0;
      await waitFor(
        'a worker to be at work',
        async () => {
          if (foundNoPrimary()) return true;
          if (child.exitCode !== null) throw new Error(`a worker ended by itself: ${output().slice(-500)}`);
          if (begun() && count(output(), 'stored') >= goal) return true;
          if (++polls % 20 > 0) return false;
          return (begun() && !(await workLeft())) || isOver();
        },
        PATIENCE_MS,
      );
      await end(child, 'SIGKILL');
      if (!begun()) continue;
      kills++;
      if (!sending) continue;
      // What it was at when it was killed, or had just done, comes from its sender again.
      const held = [...output().matchAll(/begun (.*)\n/g)].slice(-5).map(([, marker = '']) => marker);
      redelivered += held.length;
      await Promise.all(held.map(deliver));
    }
  }

  try {
    const working = Array.from({ length: WORKERS }, keepWorking);
    let begun = 0;
    const breaking = killPrimaries(store.set, primaryKills, () => begun / deliveries.length);
    const left = deliveries.entries();
    const sent = Array.from({ length: SENDERS }, async () => {
      for (const [index, { marker }] of left) {
        begun = index;
        // However fast the machine is, there is work for every worker that is to be killed.
        const due = Math.floor((index / deliveries.length) * plan.kills);
        await waitFor('workers to be killed', () => kills >= due, PATIENCE_MS);
        await deliver(marker);
      }
    });
    await Promise.race([Promise.all([...sent, breaking]), Promise.all(working)]);
    sending = false;
    await Promise.all([...sent, breaking, ...working]);
    const counts = new Map<string, number>();
    for (const content of await store.contents(owners)) counts.set(content, (counts.get(content) ?? 0) + 1);
    return {
      tasks: [...counts.values()].reduce((sum, each) => sum + each, 0),
      redelivered,
      kills,
      primaryKills: await breaking,
      lost: markers.filter((marker) => !counts.has(marker)),
      doubled: [...counts].filter(([, times]) => times > 1).map(([marker]) => marker),
      rejected: await store.storage.rejected.count(Date.now()),
      reasons: (await store.storage.rejected.list(Date.now(), 10)).map(({ reason }) => reason),
    };
  } finally {
    sending = false;
    await endWorkers();
    await queue.close();
    await own?.remove();
  }
}
