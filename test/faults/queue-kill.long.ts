// 100,000 submissions (or $SUBMISSIONS), 30 % of them delivered twice, while the workers are killed at random
// moments at least 200 times (or $KILLS); into each store, or only into $STORE (SQLite, MongoDB). MongoDB is
// a replica set of three, whose primary is killed three times meanwhile. With $PARTITIONS the way in has so
// many queues, on a Redis Cluster of three.
import { expect, test } from 'vitest';
import { killWorkersUnderLoad } from './queue-kill.ts';
import { startRedisCluster } from './redis-servers.ts';
import { createStore, STORES } from './stores.ts';

const distinct = Number(process.env['SUBMISSIONS'] ?? 100_000);
const kills = Number(process.env['KILLS'] ?? 200);
const only = process.env['STORE'];
const partitions = Number(process.env['PARTITIONS'] ?? 1);

test.each(STORES.filter((kind) => only === undefined || only === kind))(
  `of ${distinct} submissions into %s, 30 % delivered again, exactly the distinct ones exist`,
  { timeout: 6 * 3_600_000 },
  async (kind) => {
    const store = await createStore(kind, { asSet: true });
    if ('missing' in store) throw new Error(store.missing);
    const cluster = partitions > 1 ? await startRedisCluster() : null;
    const began = performance.now();
    try {
      const fates = await killWorkersUnderLoad({
        store,
        distinct,
        share: 0.3,
        life: 1000,
        kills,
        primaryKills: 3,
        asInProduction: true,
        partitions,
        ...(cluster === null ? {} : { redisUrl: cluster.url }),
      });
      const seconds = Math.round((performance.now() - began) / 1000);
      process.stdout.write(
        `${kind}: ${distinct} submissions, ${fates.redelivered} redeliveries, ${fates.kills} kills of workers and ${fates.primaryKills} of the primary in ${seconds} s: ${fates.tasks} tasks, ${fates.lost.length} lost, ${fates.doubled.length} doubled, ${fates.rejected} rejected\n`,
      );
      expect(fates).toMatchObject({ tasks: distinct, lost: [], doubled: [], rejected: 0, reasons: [] });
    } finally {
      await cluster?.remove();
      await store.remove();
    }
  },
);
