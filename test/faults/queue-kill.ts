// Many submissions, a part of them delivered more than once, carried out by worker processes that are killed at random moments:
// tells what became of each.
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createBullQueue } from '#adapters/queue/bullmq/adapter.ts';
import { openSqliteStorage } from '#adapters/storage/sqlite/storage.ts';
import { systemClock } from '#core/ports/clock.ts';
import type { IngestQueue, Submission } from '#core/ports/ingest-queue.ts';
import { newOwner, orderOf } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { end, plainEnvironment, root, startScript, temporaryFolder } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { startRedis } from './redis-server.ts';

const WORKERS = 2;
const SENDERS = 32;

export interface QueueFates {
  distinct: number;
  redelivered: number;
  kills: number;
  /** Submitted and not there. */
  lost: string[];
  /** There more than once. */
  doubled: string[];
  rejected: number;
}

export async function startWorker(url: string, file: string, hold = '') {
  const env = plainEnvironment({ REDIS_URL: url, FILE: file, HOLD: hold });
  return startScript(`${root}/test/faults/queue-worker.ts`, [], env);
}

/** The same delivery, as its sender would send it again: same content and claim, ids of its own. */
function deliveryOf(marker: string, owner: string): Submission {
  return submissionOf({
    ownerId: owner,
    adapter: 'webhook',
    orders: [orderOf({ content: marker })],
    claim: { scope: 'intake:1', key: marker, fingerprint: null },
    at: Date.now(),
  });
}

async function submitUntilTaken(queue: IngestQueue, submission: Submission): Promise<void> {
  await waitFor('the submission to be taken', () =>
    queue.submit(submission).then(
      () => true,
      () => false,
    ),
  );
}

/**
 * Each of `distinct` deliveries once, and `share` of them again. Each worker is killed at most `lifeMs` after it began to work,
 * as long as there is work.
 */
export async function killWorkersUnderLoad(
  distinct: number,
  share: number,
  lifeMs: number,
): Promise<QueueFates> {
  const redis = await startRedis();
  const folder = temporaryFolder('queue');
  const file = `${folder.path}/qinbox.db`;
  const storage = openSqliteStorage({ file, clock: systemClock });
  const queue = createBullQueue({ url: redis.url });
  const owners = Array.from({ length: 10 }, newOwner);
  const again = Math.round(distinct * share);
  const markers = Array.from({ length: distinct }, (_, index) => `delivery ${index} of ${distinct}`);
  // Some of them soon after the first, some long after.
  const deliveries = [...markers, ...Array.from({ length: again }, () => markers[randomInt(distinct)] ?? '')]
    .map((marker, index) => ({ marker, at: index < distinct ? index : randomInt(distinct) }))
    .toSorted((a, b) => a.at - b.at);
  const ownerOf = (marker: string) => owners[Number(marker.split(' ')[1]) % owners.length] as string;

  const workLeft = async () =>
    (await queue.states().catch(() => [])).some(({ waiting, active }) => waiting + active > 0);
  let sending = true;
  let kills = 0;
  async function keepWorking(): Promise<void> {
    while (sending || (await workLeft())) {
      const { child, output } = await startWorker(redis.url, file);
      const atWork = () => output().includes('begun');
      await waitFor('work', async () => atWork() || !(sending || (await workLeft())), 60_000);
      await pause(randomInt(lifeMs));
      if (atWork()) kills++;
      await end(child, 'SIGKILL');
    }
  }

  try {
    const working = Array.from({ length: WORKERS }, keepWorking);
    const left = deliveries.values();
    await Promise.all(
      Array.from({ length: SENDERS }, async () => {
        for (const { marker } of left) await submitUntilTaken(queue, deliveryOf(marker, ownerOf(marker)));
      }),
    );
    sending = false;
    await Promise.all(working);
    const counts = new Map<string, number>();
    for (const owner of owners)
      for (let offset = 0, more = true; more; offset += 1000) {
        const { tasks } = await storage.tasks.list(owner, {}, 1000, offset, Date.now());
        for (const { content } of tasks) counts.set(content, (counts.get(content) ?? 0) + 1);
        more = tasks.length === 1000;
      }
    return {
      distinct,
      redelivered: again,
      kills,
      lost: markers.filter((marker) => !counts.has(marker)),
      doubled: [...counts].filter(([, count]) => count > 1).map(([marker]) => marker),
      rejected: await storage.rejected.count(Date.now()),
    };
  } finally {
    sending = false;
    await queue.close();
    await storage.close();
    await redis.remove();
    folder.remove();
  }
}
