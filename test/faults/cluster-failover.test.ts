// A Redis Cluster of three primaries and three replicas, whose primaries are killed or hang: the replica
// takes over, the queue goes on, and no live event is lost without a word.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { partitionOf, queueName } from '#adapters/redis/queue/partitions.ts';
import { createBullQueue } from '#adapters/redis/queue/queue.ts';
import { createRedisEventBus } from '#adapters/redis/event-bus.ts';
import { newTask } from '#core/domain/task.ts';
import type { Submission } from '#core/domain/submission.ts';
import type { EventBus } from '#core/ports/event-bus.ts';
import type { SubmissionQueue } from '#core/ports/submission-queue.ts';
import { insertOf, newOwner } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { waitFor } from '#test/program/wait.ts';
import { WAYS_TO_BE_AWAY } from './away.ts';
import { submitTo, submitUntilTaken, untilWell, workOn } from './queue-load.ts';
import { withoutRedis } from './redis-server.ts';
import { startRedisCluster, type RedisServers } from './redis-servers.ts';

const PATIENCE_MS = 300_000;
const PARTITIONS = 8;
/** Longer than a publish that goes the second way after the first was given up, 2.5 seconds each. */
const PUBLISH_MS = 10_000;

describe.skipIf(withoutRedis !== null)('a Redis Cluster with replicas', { timeout: 900_000 }, () => {
  let servers: RedisServers;
  beforeAll(async () => {
    servers = await startRedisCluster({ replicas: true, partial: true });
  }, PATIENCE_MS);
  afterAll(() => servers.remove());

  beforeEach(async () => {
    await waitFor(
      'three primaries, each followed by a replica',
      async () => {
        const infos = await Promise.all(servers.clients.map((client) => client.info('replication')));
        const [followed, following] = [/role:master[^]*state=online/, /master_link_status:up/].map(
          (pattern) => infos.filter((info) => pattern.test(info)).length,
        );
        return followed === 3 && following === 3;
      },
      PATIENCE_MS,
    );
  }, PATIENCE_MS);

  /** The place of the server that has this key now. None is away. */
  async function primaryOf(key: string): Promise<number> {
    const answers = await Promise.allSettled(servers.clients.map((client) => client.call('EXISTS', key)));
    const place = answers.findIndex(({ status }) => status === 'fulfilled');
    if (place === -1) throw new Error(`no server has ${key}`);
    return place;
  }

  /** Resolves when the replicas have what the primaries have answered. */
  async function replicated(): Promise<void> {
    for (const client of servers.clients)
      if ((await client.info('replication')).includes('role:master'))
        expect(await client.wait(1, PATIENCE_MS)).toBe(1);
  }

  it.each(WAYS_TO_BE_AWAY)(
    'carries out what was answered before and after the primary of some queues %s, and goes on with the others',
    async (_how, begin, end) => {
      const prefix = randomUUID();
      const producer = createBullQueue({ url: servers.url, prefix, partitions: PARTITIONS });
      const worker = createBullQueue({ url: servers.url, prefix, lockMs: 1000, stalledCheckMs: 250 });
      const owners = Array.from({ length: 100 }, newOwner);
      let ownerId = '';
      let at: number | undefined;
      const load = submitTo(producer, () => submissionOf({ ownerId }), PATIENCE_MS);
      /** A submission that takes a busy machine too long is refused, and sent again. */
      const submitFor = async (each: string) => {
        ownerId = each;
        await load.untilOneIsTaken();
      };
      const serverOf = (owner: string) => primaryOf(queueName(partitionOf('webhook', owner, PARTITIONS)));
      try {
        for (const each of owners) await submitFor(each);
        const places = await Promise.all(owners.map(serverOf));
        at = places[0] as number;
        await replicated();
        const done = workOn(worker);
        await waitFor('some to be carried out', () => done.length > 0, PATIENCE_MS);
        await begin(servers.services[at]);
        const others = owners.filter((_, index) => places[index] !== at);
        expect(others.length).toBeGreaterThan(0);
        for (const each of others) await submitFor(each);
        await submitFor(owners[0] as string);
        await load.untilAllAreIn(done);
      } finally {
        if (at !== undefined) await end(servers.services[at]);
        await producer.close();
        await worker.close();
      }
    },
  );

  it.each(WAYS_TO_BE_AWAY)(
    'is worked on, and submitted to, by processes that start while the primary of some queues %s',
    async (_how, begin, end) => {
      const own = { url: servers.url, prefix: randomUUID(), partitions: PARTITIONS, adapters: ['webhook'] };
      const opened = [createBullQueue(own)];
      const [before] = opened as [SubmissionQueue];
      const sent = Array.from({ length: 60 }, () => submissionOf({ ownerId: newOwner() }));
      let at: number | undefined;
      try {
        for (const submission of sent) await submitUntilTaken(before, submission, PATIENCE_MS);
        const [first] = sent as [Submission];
        at = await primaryOf(queueName(partitionOf('webhook', first.ownerId, PARTITIONS)));
        await replicated();
        await begin(servers.services[at]);
        const [producer, worker] = [createBullQueue(own), createBullQueue(own)];
        opened.push(producer, worker);
        const done = workOn(worker);
        const more = sent.map(({ ownerId }) => submissionOf({ ownerId }));
        for (const submission of more) await submitUntilTaken(producer, submission, PATIENCE_MS);
        const ids = [...sent, ...more].map(({ requestId }) => requestId);
        await waitFor('all to be carried out', () => ids.every((id) => done.includes(id)), PATIENCE_MS);
        expect(done.filter((id) => !ids.includes(id))).toEqual([]);
        // The replica has taken over: nobody waits for the one that is away.
        await untilWell(worker, PATIENCE_MS);
      } finally {
        if (at !== undefined) await end(servers.services[at]);
        await Promise.all(opened.map((each) => each.close()));
      }
    },
  );

  describe('tells live clients', () => {
    let speaking: EventBus;
    let hearing: EventBus;
    const owner = newOwner();
    /** Events that were published, by number. */
    let published = 0;
    let heard = new Set<number>();
    /** How many had been published when everybody was told to fetch. */
    let resets: number[] = [];

    beforeAll(async () => {
      [speaking, hearing] = [
        createRedisEventBus({ url: servers.url }),
        createRedisEventBus({ url: servers.url }),
      ];
      hearing.subscribe((event) => {
        if (event.kind === 'task') heard.add(Number(event.task.content));
        if (event.kind === 'reset' && event.ownerId === null) resets.push(published);
      });
      await waitFor('both to be connected', () => speaking.isConnected() && hearing.isConnected());
      await hearing.watch(owner).ready;
      await waitFor('an event to be heard', speak);
    });
    afterAll(async () => {
      await speaking.close();
      await hearing.close();
    });

    /** Publishes an event; whether one was heard. */
    function speak(): boolean {
      const { id, draft } = insertOf({ content: `${published++}` });
      speaking.publish({ kind: 'task', type: 'task.created', task: newTask(draft, id, owner, Date.now()) });
      return heard.size > 0;
    }

    /** The channel of the owner, once the cluster is whole. */
    async function channel(): Promise<string> {
      const lists = await Promise.all(
        servers.clients.map((client) => client.call('PUBSUB', 'SHARDCHANNELS', '*:live:*')),
      );
      const names = (lists as string[][]).flat();
      return names.find((name) => !name.includes('beat')) ?? '';
    }

    it.each(WAYS_TO_BE_AWAY)(
      'of every event, or to fetch, when the primary of their channel %s',
      async (_how, begin, end) => {
        const at = await primaryOf(await channel());
        heard = new Set();
        resets = [];
        const first = published;
        await begin(servers.services[at]);
        let slowest = 0;
        const flushes: Promise<void>[] = [];
        let wasConnected = true;
        const isOver = () => Math.max(...heard) > (resets.at(-1) ?? Infinity) + 100;
        await waitFor(
          'events to be heard for a while without a gap',
          () => {
            speak();
            wasConnected &&= hearing.isConnected();
            const asked = performance.now();
            const answered = () => void (slowest = Math.max(slowest, performance.now() - asked));
            flushes.push(speaking.flush().then(answered));
            return isOver();
          },
          PATIENCE_MS,
        );
        const all = published;
        const unheard = () =>
          Array.from({ length: all - first }, (_, index) => first + index).filter((each) => !heard.has(each));
        await waitFor('the rest to be heard, or told of', () =>
          unheard().every((each) => each < (resets.at(-1) ?? 0)),
        );
        await Promise.all(flushes);
        await end(servers.services[at]);
        // Nobody believes that all is well while nothing can be heard.
        expect(wasConnected).toBe(false);
        expect(slowest).toBeLessThan(PUBLISH_MS);
        await waitFor('both to be connected', () => speaking.isConnected() && hearing.isConnected());
      },
    );
  });
});
