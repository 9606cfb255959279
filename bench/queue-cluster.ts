// `npm run bench -- queue-cluster`: what a way in with one queue and with eight does on a Redis Cluster of
// three servers, with every write synced to disk before it is answered: submissions a second into memory, how
// many of them each server has, and the connections and commands of the process that submits and works.
// Judges nothing.
import { cpus, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createBullQueue } from '#adapters/redis/queue/queue.ts';
import { startRedisCluster } from '#test/faults/redis-servers.ts';
import { newOwner } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { summarise } from './measure/stats.ts';

const IN_FLIGHT = 64;
const OWNERS = Array.from({ length: 200 }, newOwner);
const ADAPTERS = ['webhook', 'rest', 'smtp', 'slack', 'protocols'];

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, jobs: { type: 'string', default: '4000' } },
});
const [rounds, jobs] = [Number(options.rounds), Number(options.jobs)];

const servers = await startRedisCluster();
/** Connections of all servers, those of this bench included. */
async function connections(): Promise<number> {
  const infos = await Promise.all(servers.clients.map((client) => client.info('clients')));
  return infos.reduce((sum, info) => sum + Number(/connected_clients:(\d+)/.exec(info)?.[1]), 0);
}

/** Commands a second that all servers are sent in ten seconds, those of this bench aside. */
async function commandsAtRest(): Promise<number> {
  const sent = async () => {
    const infos = await Promise.all(servers.clients.map((client) => client.info('stats')));
    return infos.reduce((sum, info) => sum + Number(/total_commands_processed:(\d+)/.exec(info)?.[1]), 0);
  };
  const before = await sent();
  await pause(10_000);
  return ((await sent()) - before - servers.clients.length) / 10;
}

/** How many jobs each server was given so far. */
async function added(): Promise<number[]> {
  const infos = await Promise.all(servers.clients.map((client) => client.info('commandstats')));
  return infos.map((info) => Number(/cmdstat_lpush:calls=(\d+)/.exec(info)?.[1] ?? 0));
}

function lane(partitions: number) {
  const queue = createBullQueue({ url: servers.url, prefix: `p${partitions}`, partitions });
  let done = 0;
  const worker = queue.work({
    async carryOut() {
      done++;
      return { kind: 'done', outcomes: [], resolved: [] };
    },
    reject: (_submission, fault) => Promise.reject(new Error('a submission was rejected', { cause: fault })),
  });
  return {
    partitions,
    rates: [] as number[],
    /** Submissions a second, from the first that is sent to the last that is carried out. */
    async slice(adapters: readonly string[], count: number): Promise<number> {
      const goal = done + count;
      const begun = performance.now();
      let next = 0;
      await Promise.all(
        Array.from({ length: IN_FLIGHT }, async () => {
          for (let index = next++; index < count; index = next++) {
            const ownerId = OWNERS[Math.floor(index / adapters.length) % OWNERS.length] ?? '';
            const adapter = adapters[index % adapters.length] ?? '';
            const claim = { scope: 'intake:1', key: crypto.randomUUID(), fingerprint: null };
            await queue.submit(submissionOf({ ownerId, adapter, claim }));
          }
        }),
      );
      while (done < goal) await new Promise((resolve) => setImmediate(resolve));
      return count / ((performance.now() - begun) / 1000);
    },
    async close() {
      await worker.stop();
      await queue.close();
    },
  };
}

try {
  console.log(
    `${cpus()[0]?.model.trim() ?? 'unknown processor'} × ${cpus().length}, load ${loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}, three Redis with appendfsync always; ${rounds} rounds of ${jobs} submissions of ${OWNERS.length} owners\n`,
  );
  for (const partitions of [1, 8]) {
    const before = await connections();
    const one = lane(partitions);
    await one.slice(['webhook'], 1000);
    const ofOne = (await connections()) - before;
    await one.slice(ADAPTERS, 5000);
    const ofFive = (await connections()) - before;
    const atRest = await commandsAtRest();
    console.log(
      `${partitions} a way: ${ofOne} connections with one way in, ${ofFive} with five, then ${atRest.toFixed(0)} commands a second at rest`,
    );
    await one.close();
  }
  const lanes = [lane(1), lane(8)];
  for (const each of lanes) await each.slice(['webhook'], jobs);
  for (const each of lanes) {
    const before = await added();
    await each.slice(['webhook'], jobs);
    const own = (await added()).map((count, index) => count - (before[index] ?? 0));
    console.log(`${each.partitions} a way: ${own.join(', ')} submissions on the three servers`);
  }
  for (let round = 0; round < rounds; round++)
    for (const each of round % 2 === 0 ? lanes : lanes.toReversed())
      each.rates.push(await each.slice(['webhook'], jobs));
  for (const { partitions, rates } of lanes) {
    const { q1, median, q3 } = summarise(rates);
    console.log(
      `${partitions} a way: ${median.toFixed(0)}/s (quartiles ${q1.toFixed(0)} – ${q3.toFixed(0)})`,
    );
  }
  const [first, second] = lanes;
  const ratio = summarise(second?.rates.map((rate, round) => rate / (first?.rates[round] ?? NaN)) ?? []);
  console.log(`8 over 1: ${ratio.median.toFixed(2)} (${ratio.q1.toFixed(2)} – ${ratio.q3.toFixed(2)})`);
  for (const each of lanes) await each.close();
} finally {
  await servers.remove();
}
