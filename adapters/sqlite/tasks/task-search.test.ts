// What is particular to searches over SQLite: they go on in a thread, beside everything else, and end when
// they are told to.
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Storage } from '#core/ports/storage.ts';
import { pinTask } from '#core/domain/task.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { newOwner, insertOf } from '#test/helpers/records.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { openSqliteStorage, type SqliteStorageOptions } from '../storage.ts';

const clock = createFakeClock();
const LONG = 'lorem ipsum dolor sit amet '.repeat(370);

function open(options: Partial<SqliteStorageOptions> = {}): Storage {
  const storage = openSqliteStorage({ file: join(createTempDir(), 'qinbox.db'), clock, ...options });
  onTestFinished(() => storage.close());
  return storage;
}

/** So many large tasks; every seventh is about a needle. Their ids, oldest first. */
async function fill({ tasks }: Storage, ownerId: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let done = 0; done < count; done += 100) {
    const inserts = Array.from({ length: 100 }, (_, index) =>
      insertOf({ content: `${LONG}${(done + index) % 7 === 0 ? 'Needle' : ''}` }),
    );
    await tasks.create(submissionOf({ ownerId, inserts, at: clock.now() }));
    ids.push(...inserts.map(({ id }) => id));
  }
  return ids;
}

describe('a search of a long queue', () => {
  it('lets everything else go first, and finds what there is', async () => {
    const storage = open();
    const owner = newOwner();
    const ids = await fill(storage, owner, 4000);
    await storage.tasks.change(owner, [ids[0] as string], (task) => pinTask(task, true, clock.now()));
    const ended: string[] = [];
    let turns = 0;
    const turn = (): void => {
      turns++;
      if (!ended.includes('search')) setImmediate(turn);
    };
    setImmediate(turn);
    const search = storage.tasks
      .list({ ownerId: owner, filter: { text: 'nEEDLE' }, limit: 3, offset: 0, now: clock.now() })
      .finally(() => ended.push('search'));
    const other = storage.tasks.get(owner, ids[1] as string, clock.now()).then(() => ended.push('get'));
    const listed = storage.tasks
      .list({ ownerId: owner, filter: {}, limit: 10, offset: 0, now: clock.now() })
      .then(() => ended.push('list'));
    const found = await search;
    await Promise.all([other, listed]);
    expect(ended).toEqual(['get', 'list', 'search']);
    expect(turns).toBeGreaterThan(3);
    const matching = ids.filter((_, index) => index % 7 === 0);
    expect(found.total).toBe(matching.length);
    expect(found.tasks.map(({ id }) => id)).toEqual([matching[0], matching.at(-1), matching.at(-2)]);
    expect(found.statistics).toMatchObject({ total: 4000, pinned: 1 });

    const deep = await storage.tasks.list({
      ownerId: owner,
      filter: { text: 'needle' },
      limit: 2,
      offset: 300,
      now: clock.now(),
    });
    expect(deep.tasks.map(({ id }) => id)).toEqual([matching.at(-300), matching.at(-301)]);
  });

  it('ends soon when it is told to, with the reason', async () => {
    const storage = open({ searchHereMs: 0 });
    const owner = newOwner();
    await fill(storage, owner, 1000);
    const stop = new AbortController();
    const search = storage.tasks.list({
      ownerId: owner,
      filter: { text: 'nowhere' },
      limit: 10,
      offset: 0,
      now: clock.now(),
      signal: stop.signal,
    });
    stop.abort(new Error('enough'));
    await expect(search).rejects.toThrow('enough');
    await expect(
      storage.tasks.list({
        ownerId: owner,
        filter: { tags: ['x'] },
        limit: 10,
        offset: 0,
        now: clock.now(),
        signal: AbortSignal.abort(new Error('late')),
      }),
    ).rejects.toThrow('late');
    expect(
      await storage.tasks.list({
        ownerId: owner,
        filter: { text: 'needle' },
        limit: 1,
        offset: 0,
        now: clock.now(),
      }),
    ).toMatchObject({
      total: 143,
    });
  });

  it('fails with SERVICE_UNAVAILABLE when the thread cannot read the file, or the store closes', async () => {
    const alone = open({ searchHereMs: 0, exclusive: true });
    const owner = newOwner();
    await fill(alone, owner, 100);
    await expect(
      alone.tasks.list({ ownerId: owner, filter: { text: 'x' }, limit: 1, offset: 0, now: clock.now() }),
    ).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    const storage = open({ searchHereMs: 0 });
    await fill(storage, owner, 100);
    const search = storage.tasks.list({
      ownerId: owner,
      filter: { text: 'x' },
      limit: 1,
      offset: 0,
      now: clock.now(),
    });
    const refused = search.catch((error: unknown) => error);
    await storage.close();
    expect(await refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('sees every write that resolved before it, also while others search', async () => {
    const storage = open({ searchHereMs: 0 });
    const owner = newOwner();
    await fill(storage, owner, 100);
    for (let round = 1; round <= 20; round++) {
      await storage.tasks.create(
        submissionOf({
          ownerId: owner,
          inserts: [insertOf({ content: `fresh ${round}.` })],
          at: clock.now(),
        }),
      );
      const found = await Promise.all(
        [1, 2].map(() =>
          storage.tasks.list({
            ownerId: owner,
            filter: { text: 'FRESH' },
            limit: 1,
            offset: 0,
            now: clock.now(),
          }),
        ),
      );
      for (const { total, tasks } of found) {
        expect(total).toBe(round);
        expect(tasks[0]?.content).toBe(`fresh ${round}.`);
      }
    }
  });
});
