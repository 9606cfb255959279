// Group commit by itself: what shares a transaction, when callers are answered, who fails with whom.
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTempDir } from '#test/helpers/temp.ts';
import { createGroupCommit } from './group-commit.ts';
import { createLogSync } from './log-sync.ts';

/** Whatever was to run in one of the next turns of the event loop has run. */
async function nextTurn(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Keeps the event loop busy until the test ends; resolves when it has been so for a while. */
async function keepBusy(): Promise<void> {
  let busy = true;
  const turn = () => busy && setImmediate(turn);
  turn();
  onTestFinished(() => void (busy = false));
  await after(200);
}

function open() {
  const file = join(createTempDir(), 'test.db');
  const db = new DatabaseSync(file, { timeout: 0 });
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (value TEXT PRIMARY KEY) STRICT');
  const other = new DatabaseSync(file, { timeout: 0 });
  onTestFinished(() => {
    log.close();
    db.close();
    other.close();
  });
  const events: string[] = [];
  const guest = {
    beforeCommit: () => events.push('before commit'),
    committed: () => events.push('committed'),
    rolledBack: () => events.push('rolled back'),
  };
  // The log of this database, unless a test takes its place.
  const log = createLogSync(file);
  let disk = () => log.sync();
  let checkpoint: Promise<void> | null = null;
  const sync = async () => {
    await disk();
    events.push('synced');
  };
  const group = createGroupCommit(db, guest, sync, () => checkpoint);
  const insert = db.prepare('INSERT INTO t VALUES (?)');
  const stored = () => other.prepare('SELECT value FROM t ORDER BY value').all();
  const add = (value: string) => group.write(() => Number(insert.run(value).changes));
  const commits = () => events.filter((event) => event === 'committed').length;
  /** Keeps the disk busy until it is told what becomes of the sync. */
  const hold = () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    disk = () => promise;
    return {
      confirm() {
        disk = () => log.sync();
        resolve();
      },
      fail(error: Error) {
        disk = () => log.sync();
        reject(error);
      },
    };
  };
  /** Takes the place of a disk that confirms at once. */
  const instant = () => (disk = () => Promise.resolve());
  /** Has a checkpoint made after the next group, which ends when it is told to. */
  const holdCheckpoint = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    checkpoint = promise;
    return () => {
      checkpoint = null;
      resolve();
    };
  };
  return { db, group, other, events, add, stored, commits, hold, instant, holdCheckpoint };
}

/** Writes so many together, then two more, a few turns of the loop apart; how many transactions that took. */
async function commitsAfter(
  together: number,
  { add, commits, instant }: ReturnType<typeof open>,
): Promise<number> {
  instant();
  const before = commits();
  await Promise.all(Array.from({ length: together }, (_, index) => add(`${before} ${index}`)));
  const next = add(`${before} next`);
  await nextTurn();
  await Promise.all([next, add(`${before} last`)]);
  return commits() - before;
}

describe('group commit', () => {
  it('puts all writes of one turn into one transaction', async () => {
    const { add, commits, stored } = open();
    await Promise.all(Array.from({ length: 64 }, (_, index) => add(`value ${index}`)));
    expect(commits()).toBe(1);
    expect(stored()).toHaveLength(64);
  });

  it('puts writes that arrive in different callbacks of one turn together', async () => {
    const { add, commits } = open();
    // As requests do: each in a callback of its own, with promises settling in between.
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        await new Promise((resolve) => setImmediate(resolve));
        await add(`value ${index}`);
      }),
    );
    expect(commits()).toBe(1);
  });

  it('waits a millisecond for more writes where the loop is busy and the last group was short', async () => {
    const opened = open();
    await keepBusy();
    // The system may take longer than that from the test between its two writes.
    const seen = new Set<number>();
    for (let attempt = 0; attempt < 100 && !seen.has(2); attempt++) seen.add(await commitsAfter(2, opened));
    expect(seen).toContain(2);
  });

  it('does not wait for more where the loop is idle, nor where the last write was alone', async () => {
    // On a busy machine the loop may not have been idle.
    const seen = new Set<number>();
    for (let attempt = 0; attempt < 20 && !seen.has(3); attempt++) {
      const idle = open();
      await after(200);
      seen.add(await commitsAfter(2, idle));
    }
    expect(seen).toContain(3);
    const alone = open();
    await keepBusy();
    expect(await commitsAfter(1, alone)).toBe(3);
  });

  it('splits a crowd, so that others get their turn', async () => {
    const { add, commits, stored } = open();
    await Promise.all(Array.from({ length: 600 }, (_, index) => add(`value ${index}`)));
    expect(commits()).toBe(3);
    expect(stored()).toHaveLength(600);
  });

  it('answers nobody before the sync of the commit, and then with the own result', async () => {
    const { add, events, stored } = open();
    const seen: number[] = [];
    const writes = ['a', 'b'].map(async (value) => {
      expect(await add(value)).toBe(1);
      events.push('answered');
      seen.push(stored().length);
    });
    await Promise.all(writes);
    expect(events).toEqual(['before commit', 'committed', 'synced', 'answered', 'answered']);
    expect(seen).toEqual([2, 2]);
  });

  it('lets a write that throws fail alone, with its own error, leaving nothing of it', async () => {
    const { group, add, stored, events } = open();
    const results = await Promise.allSettled([
      add('a'),
      group.write(() => {
        throw new TypeError('mine');
      }),
      add('b'),
      add('a'),
      add('c'),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(results[1]).toMatchObject({ reason: new TypeError('mine') });
    expect(results[3]).toMatchObject({ reason: { errcode: 1555 } });
    expect(stored()).toEqual([{ value: 'a' }, { value: 'b' }, { value: 'c' }]);
    expect(events).toEqual(['rolled back', 'rolled back', 'before commit', 'committed', 'synced']);
  });

  it('refuses all with SERVICE_UNAVAILABLE while another process holds the lock, then recovers', async () => {
    const { add, other, stored } = open();
    other.exec('BEGIN IMMEDIATE');
    const results = await Promise.allSettled([add('a'), add('b')]);
    for (const result of results)
      expect(result).toMatchObject({
        reason: { code: 'SERVICE_UNAVAILABLE', status: 503, cause: { errcode: 5 } },
      });
    other.exec('ROLLBACK');
    expect(await add('a')).toBe(1);
    expect(stored()).toEqual([{ value: 'a' }]);
  });

  it('refuses all when the disk is full in the middle of a group, then recovers', async () => {
    const { db, add, events, stored } = open();
    db.exec('PRAGMA max_page_count = 12');
    const results = await Promise.allSettled([add('a'), add('x'.repeat(100_000)), add('b')]);
    for (const result of results)
      expect(result).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE', cause: { errcode: 13 } } });
    expect(stored()).toEqual([]);
    expect(events).toEqual(['rolled back']);
    expect(await add('c')).toBe(1);
    expect(stored()).toEqual([{ value: 'c' }]);
  });

  it('refuses all when the commit itself fails', async () => {
    const { db, group, add, events, stored } = open();
    db.exec(
      'CREATE TABLE child (parent TEXT REFERENCES t (value) DEFERRABLE INITIALLY DEFERRED); PRAGMA foreign_keys = ON',
    );
    const orphan = db.prepare("INSERT INTO child VALUES ('nobody')");
    const results = await Promise.allSettled([add('a'), group.write(() => orphan.run())]);
    for (const result of results) expect(result).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
    expect(stored()).toEqual([]);
    expect(events).toEqual(['before commit', 'rolled back']);
    expect(await add('a')).toBe(1);
  });

  it('commits at close what waits, and refuses what comes later', async () => {
    const { add, group, events, hold } = open();
    const busy = hold();
    const waiting = [add('a')];
    await nextTurn();
    waiting.push(add('b'));
    const closing = group.close().then(() => events.push('closed'));
    await expect(add('c')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    busy.confirm();
    expect(await Promise.all(waiting)).toEqual([1, 1]);
    await closing;
    const group1 = ['before commit', 'committed', 'synced'];
    expect(events).toEqual([...group1, ...group1, 'closed']);
    await group.close();
  });

  it('makes one group of all that arrives while the disk is busy', async () => {
    const { add, events, commits, stored, hold } = open();
    const busy = hold();
    const answered: string[] = [];
    const write = (value: string) => add(value).then(() => answered.push(value));
    const first = write('a');
    await nextTurn();
    const later = ['b', 'c', 'd'].map(write);
    await nextTurn();
    await nextTurn();
    expect([answered, commits(), stored()]).toEqual([[], 1, [{ value: 'a' }]]);
    busy.confirm();
    await first;
    await Promise.all(later);
    expect([answered, commits()]).toEqual([['a', 'b', 'c', 'd'], 2]);
    expect(events.at(-1)).toBe('synced');
  });

  it('answers before a checkpoint, and begins no transaction while it is made', async () => {
    const { add, commits, holdCheckpoint } = open();
    const end = holdCheckpoint();
    expect(await add('a')).toBe(1);
    const later = [add('b'), add('c')];
    await nextTurn();
    expect(commits()).toBe(1);
    end();
    expect(await Promise.all(later)).toEqual([1, 1]);
    expect(commits()).toBe(2);
  });

  it('answers without a sync what has changed nothing, unless it may have read what is not on disk', async () => {
    const { group, add, other, events } = open();
    const syncs = () => events.filter((event) => event === 'synced').length;
    const nothing = async (): Promise<number> => {
      const before = syncs();
      await group.write(() => undefined);
      return syncs() - before;
    };
    // What another process has left in the log before this one began.
    expect(await nothing()).toBe(1);
    await add('a');
    await nothing();
    expect([await nothing(), await nothing()]).toEqual([0, 0]);
    other.exec("INSERT INTO t VALUES ('by another process')");
    expect([await nothing(), await nothing()]).toEqual([1, 0]);
    await add('b');
    expect(syncs()).toBe(5);
  });

  it('refuses what the disk did not confirm, and every write after it', async () => {
    const { add, group, commits, hold } = open();
    const busy = hold();
    const writes = [add('a')];
    await nextTurn();
    writes.push(add('b'));
    busy.fail(new Error('EIO'));
    const reason = {
      code: 'SERVICE_UNAVAILABLE',
      cause: { message: expect.stringContaining('start Qinbox again'), cause: new Error('EIO') },
    };
    expect(await Promise.allSettled(writes)).toMatchObject([{ reason }, { reason }]);
    await expect(add('c')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(commits()).toBe(1);
    await group.close();
  });
});
