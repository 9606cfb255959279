// A Redis Cluster of three, without replicas, one server of which is away: what the others have is counted
// and worked on, and what is missing is told.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMetrics } from '#api/health/metrics.ts';
import { createOutages } from '#api/health/outages.ts';
import { tellingOfSilent } from '#api/health/silent-queues.ts';
import { partitionOf, queueName } from '#adapters/redis/queue/partitions.ts';
import type { SubmissionQueue } from '#core/ports/submission-queue.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { waitFor } from '#test/program/wait.ts';
import { WAYS_TO_BE_AWAY } from './away.ts';
import { openQueues } from './open-queues.ts';
import { submitUntilTaken, untilWell, workOn } from './queue-load.ts';
import { withoutRedis } from './redis-server.ts';
import { placeOf, startRedisCluster, type RedisServers } from './redis-servers.ts';

const PATIENCE_MS = 300_000;
const PARTITIONS = 8;
/** What a server is waited for is 1.5 seconds; one after the other, those of eight queues would be 12. */
const ONE_WAIT_MS = 8000;
const OWNERS = Array.from({ length: 60 }, (_, index) => `user_${index}`);

describe.skipIf(withoutRedis !== null)('while one server of a cluster is away', { timeout: 900_000 }, () => {
  let servers: RedisServers;
  /** The place of the server that is away. */
  let away: number | undefined;
  const queues = openQueues(() => servers.url);
  const { open } = queues;
  beforeAll(async () => {
    servers = await startRedisCluster({ partial: true });
  }, PATIENCE_MS);
  afterAll(() => servers.remove());
  beforeEach(() => {
    away = undefined;
  });

  const placeOfKey = (key: string) => placeOf(servers, key);
  const serverOf = (ownerId: string) => placeOfKey(queueName(partitionOf('webhook', ownerId, PARTITIONS)));

  it.each(WAYS_TO_BE_AWAY)(
    'which %s, the metrics have what the others hold, how many queues are missing, and one line in the log',
    async (_how, begin, end) => {
      const lines: string[] = [];
      const note = (_fields: object, message: string) => void lines.push(message);
      const log = { debug: () => undefined, info: note, warn: note, error: note };
      const outages = createOutages(log, 50);
      const own = open({ partitions: PARTITIONS });
      let reads = 0;
      const counting = { ...own, states: () => own.states().finally(() => reads++) };
      const queue = tellingOfSilent(counting, log, outages);
      const metrics = createMetrics(() => performance.now(), true);
      metrics.watch(queue, { count: () => Promise.resolve(0) } as never, () => 0);
      const figures = async () => {
        const { text } = await metrics.read();
        const found = text.matchAll(/^qinbox_queue_(waiting|oldest_seconds|unanswered)\{.*?"\} (\S+)$/gm);
        return new Map([...found].map(([, name = '', value]) => [name, Number(value)]));
      };
      async function allAreCounted(): Promise<void> {
        const found = await figures();
        expect([found.get('waiting'), found.get('unanswered')]).toEqual([OWNERS.length, 0]);
      }
      for (const ownerId of OWNERS) await queue.submit(submissionOf({ ownerId }));
      await allAreCounted();
      const places = await Promise.all(OWNERS.map(serverOf));
      // Not one that has a list: whatever it lacks is then its own queues.
      const lists = await Promise.all(
        ['adapters', 'partitions'].map((name) => placeOfKey(`${queues.prefix}:${name}`)),
      );
      away = [0, 1, 2].find((place) => !lists.includes(place)) as number;
      const there = places.filter((place) => place !== away).length;
      expect(there).toBeGreaterThan(0);
      expect(there).toBeLessThan(OWNERS.length);
      const lost = new Set(
        OWNERS.filter((_, index) => places[index] === away).map((ownerId) =>
          queueName(partitionOf('webhook', ownerId, PARTITIONS)),
        ),
      );
      try {
        await begin(servers.services[away]);
        for (let read = 0; read < 3; read++) {
          const asked = performance.now();
          const found = await figures();
          expect(performance.now() - asked).toBeLessThan(ONE_WAIT_MS);
          expect([found.get('waiting'), found.get('unanswered')]).toEqual([there, lost.size]);
          expect(found.get('oldest_seconds')).toBeGreaterThan(0);
        }
        // The log looks again by itself, and does not say that it is over.
        const before = reads;
        await waitFor('it to have looked twice', () => reads >= before + 2);
        expect(lines.filter((line) => line.includes('not counted'))).toHaveLength(1);
        expect(lines).not.toContain('it is over');
      } finally {
        await end(servers.services[away]);
      }
      await waitFor(
        'all to be counted again',
        async () => (await figures()).get('unanswered') === 0,
        PATIENCE_MS,
      );
      await allAreCounted();
      await waitFor('the log to say so', () => lines.includes('it is over'), PATIENCE_MS);
      outages.close();
    },
  );

  it.each(WAYS_TO_BE_AWAY)(
    'which %s and has a list of the queues, those that were known are counted',
    async (_how, begin, end) => {
      const queue = open({ partitions: PARTITIONS });
      for (const ownerId of OWNERS) await queue.submit(submissionOf({ ownerId }));
      await queue.states();
      away = await placeOfKey(`${queues.prefix}:partitions`);
      const places = await Promise.all(OWNERS.map(serverOf));
      try {
        await begin(servers.services[away]);
        const asked = performance.now();
        const [state] = await queue.states();
        expect(performance.now() - asked).toBeLessThan(ONE_WAIT_MS);
        expect(state?.waiting).toBe(places.filter((place) => place !== away).length);
        expect(state?.unanswered).toBeGreaterThan(0);
      } finally {
        await end(servers.services[away]);
      }
      await waitFor(
        'all to be counted again',
        async () => (await queue.states())[0]?.waiting === OWNERS.length,
        PATIENCE_MS,
      );
    },
  );

  describe('which has the lists of the queues, a process that starts', () => {
    const OLDER = 2 * PARTITIONS;
    const bounds = [null, 32];

    /** All that was submitted, in queues of today and of a larger number before. */
    async function submitAll(): Promise<
      { ownerId: string; requestId: string; place: number; isOlder: boolean }[]
    > {
      await waitFor('a name with both lists on one server', async () => {
        queues.prefix = randomUUID();
        const [one, other] = await Promise.all(
          ['adapters', 'partitions'].map((name) => placeOfKey(`${queues.prefix}:${name}`)),
        );
        return one === other;
      });
      away = await placeOfKey(`${queues.prefix}:partitions`);
      const sent = [];
      for (const partitions of [OLDER, PARTITIONS]) {
        const queue = open({ partitions });
        for (const ownerId of OWNERS) {
          const submission = submissionOf({ ownerId });
          await queue.submit(submission);
          const { number } = partitionOf('webhook', ownerId, partitions);
          const place = await placeOfKey(queueName({ adapter: 'webhook', number }));
          sent.push({ ownerId, requestId: submission.requestId, place, isOlder: number >= PARTITIONS });
        }
      }
      return sent;
    }

    it.each(WAYS_TO_BE_AWAY.flatMap((fault) => bounds.map((bound) => [...fault, bound] as const)))(
      'while it %s works on the queues that its settings name, and then on all',
      async (_how, begin, end, totalConcurrency) => {
        const sent = await submitAll();
        const lines: string[] = [];
        const note = (_fields: object, message: string) => void lines.push(message);
        const own = { partitions: PARTITIONS, adapters: ['webhook', 'smtp'], totalConcurrency };
        const reachable = sent.filter(({ place, isOlder }) => place !== away && !isOlder);
        expect(reachable.length).toBeGreaterThan(0);
        expect(sent.some(({ place, isOlder }) => place !== away && isOlder)).toBe(true);
        const more: string[] = [];
        let done: string[] = [];
        try {
          await begin(servers.services[away as number]);
          const worker = open({ ...own, log: { info: note, warn: note } });
          done = workOn(worker);
          await waitFor('those to be carried out', () => done.length >= reachable.length, PATIENCE_MS);
          expect(done.toSorted()).toEqual(reachable.map(({ requestId }) => requestId).toSorted());
          await expect(worker.check()).rejects.toThrow('the list of queues could not be read yet');
          expect(lines).toContain('the list of queues cannot be read');
          // So do those that take submissions, of owners whose queue was registered before.
          const taking = open(own);
          for (const { ownerId } of reachable.slice(0, 10)) {
            const submission = submissionOf({ ownerId });
            await submitUntilTaken(taking, submission, PATIENCE_MS);
            more.push(submission.requestId);
          }
          const states = await taking.states();
          expect(states.find(({ adapter }) => adapter === 'webhook')?.unanswered).toBeGreaterThan(0);
          await waitFor(
            'those to be carried out too',
            () => more.every((id) => done.includes(id)),
            PATIENCE_MS,
          );
        } finally {
          await end(servers.services[away as number]);
        }
        const all = [...sent.map(({ requestId }) => requestId), ...more];
        await waitFor('all to be carried out', () => done.length >= all.length, PATIENCE_MS);
        expect(done.toSorted()).toEqual(all.toSorted());
        await untilWell(queues.opened.at(-2) as SubmissionQueue, PATIENCE_MS);
      },
    );
  });
});
