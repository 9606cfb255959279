// Reads that cost the server time for each live task are shared by simultaneous callers, each of whom sees
// what was stored before it asked.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Storage } from '#core/ports/storage.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { insertOf, newOwner } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { waitFor } from '#test/program/wait.ts';
import { createMongoHarness, type MongoUnderTest } from '#test/services/mongo-harness.ts';
import { describeWith, sharedMongo } from '#test/services/services.ts';
import { createSharedRead } from './promises.ts';

describe('a shared read', () => {
  function createReads() {
    const begun: { key: string; now: number; end: PromiseWithResolvers<string> }[] = [];
    const read = createSharedRead((key: string, now: number) => {
      const end = Promise.withResolvers<string>();
      begun.push({ key, now, end });
      return end.promise;
    });
    return { begun, read };
  }

  it('begins after all who share it, at the latest of their times', async () => {
    const { begun, read } = createReads();
    const first = read('a', 1);
    const others = [read('a', 3), read('a', 2)];
    const elsewhere = read('b', 1);
    expect(begun.map(({ key, now }) => [key, now])).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
    begun[0]?.end.resolve('first');
    expect(await first).toBe('first');
    await waitFor('the second to begin', () => begun.length === 3);
    const third = read('a', 4);
    expect(begun.map(({ now }) => now)).toEqual([1, 1, 3]);
    begun[2]?.end.resolve('second');
    expect(await Promise.all(others)).toEqual(['second', 'second']);
    await waitFor('the third to begin', () => begun.length === 4);
    expect(begun.map(({ now }) => now)).toEqual([1, 1, 3, 4]);
    begun[3]?.end.resolve('third');
    expect(await third).toBe('third');
    begun[1]?.end.resolve('elsewhere');
    expect(await elsewhere).toBe('elsewhere');
    void read('a', 5);
    expect(begun.at(-1)?.now).toBe(5);
  });

  it('fails for those who share it alone', async () => {
    const { begun, read } = createReads();
    const failed = read('a', 1);
    const next = read('a', 2);
    begun[0]?.end.reject(new Error('no answer'));
    await expect(failed).rejects.toThrow('no answer');
    begun[1]?.end.resolve('well');
    expect(await next).toBe('well');
  });
});

describeWith('simultaneous readers of one queue', await sharedMongo(), ({ url }) => {
  let harness: MongoUnderTest;
  let storage: Storage;
  /** How many commands of each name were sent. */
  const sent = new Map<string, number>();
  const clock = createFakeClock();

  beforeAll(async () => {
    const onCommand = ({ commandName }: { commandName: string }) => {
      sent.set(commandName, (sent.get(commandName) ?? 0) + 1);
    };
    harness = createMongoHarness(url, { onCommand });
    storage = await harness.open(clock);
  });
  afterAll(() => harness.drop());

  it('share what is counted, and see what was stored before they asked', async () => {
    const ownerId = newOwner();
    const asked: Promise<{ total: number; atLeast: number }>[] = [];
    for (let stored = 1; stored <= 30; stored++) {
      await storage.tasks.create(submissionOf({ ownerId, inserts: [insertOf()], at: clock.now() }));
      for (let reader = 0; reader < 10; reader++)
        asked.push(
          storage.tasks.statistics(ownerId, clock.now()).then(({ total }) => ({ total, atLeast: stored })),
        );
    }
    for (const { total, atLeast } of await Promise.all(asked)) expect(total).toBeGreaterThanOrEqual(atLeast);
    // Each count is two aggregations: of all, and of what sleeps.
    expect(sent.get('aggregate')).toBeLessThan(asked.length);
    expect(await storage.tasks.statistics(ownerId, clock.now())).toMatchObject({ total: 30 });
  });

  it('who ask for single documents in one turn are each answered theirs, by one command for each owner', async () => {
    const owners = [newOwner(), newOwner()];
    const inserts = owners.map(() => Array.from({ length: 20 }, () => insertOf()));
    for (const [index, ownerId] of owners.entries())
      await storage.tasks.create(submissionOf({ ownerId, inserts: inserts[index] ?? [], at: clock.now() }));
    const ids = inserts.flat().map(({ id }) => id);
    sent.clear();
    const asked = owners.flatMap((ownerId) =>
      [...ids, 'task_missing', ...ids].map((id) => storage.tasks.get(ownerId, id, clock.now())),
    );
    const found = (await Promise.all(asked)).map((task) => task && `${task.ownerId} ${task.id}`);
    const expected = owners.flatMap((ownerId, index) => {
      const own = ids.map((id) =>
        inserts[index]?.some((insert) => insert.id === id) === true ? `${ownerId} ${id}` : null,
      );
      return [...own, null, ...own];
    });
    expect(found).toEqual(expected);
    expect(sent.get('find')).toBe(2);
  });

  it('take few commands for a batch with dedupe keys, of which some are repeats', async () => {
    const ownerId = newOwner();
    const create = () => {
      const inserts = Array.from({ length: 150 }, (_, index) => insertOf({ dedupeKey: `key ${index}` }));
      return storage.tasks.create(submissionOf({ ownerId, inserts, at: clock.now() }));
    };
    sent.clear();
    expect(await create()).toMatchObject({ kind: 'done', outcomes: { length: 150 } });
    expect([...sent.values()].reduce((sum, count) => sum + count, 0)).toBeLessThan(20);
    sent.clear();
    expect(await create()).toMatchObject({ kind: 'done', outcomes: { length: 150 } });
    expect(sent.get('find')).toBeLessThan(20);
    // No read takes a second round trip for its rest.
    expect(sent.get('getMore')).toBeUndefined();
  });
});
