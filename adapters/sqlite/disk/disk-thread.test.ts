// The thread that waits for the disk: order, errors, its end, and its start after that.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as after } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { MessageChannel, Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { createTempDir } from '#test/helpers/temp.ts';
import { waitFor } from '#test/program/wait.ts';
import { CELL, countOn, createCells, createDiskThread, ENDED, type DiskThreadData } from './disk-thread.ts';

const RESTS_MS = 10_000;
const BRIEFLY_MS = 5;
/** No file has this number. */
const NOT_OPEN = 1_000_000;

function holdLoop(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function openFile(): number {
  const file = openSync(join(createTempDir(), 'file'), 'w');
  onTestFinished(() => closeSync(file));
  return file;
}

function databaseWithLog() {
  const path = join(createTempDir(), 'test.db');
  const db = new DatabaseSync(path);
  onTestFinished(() => db.close());
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)');
  const copied = () =>
    (db.prepare('PRAGMA wal_checkpoint(NOOP)').get() as { checkpointed: number }).checkpointed;
  return { path, copied };
}

it('does what it is asked in its order, syncs and checkpoints', async () => {
  const thread = createDiskThread(RESTS_MS);
  const file = openFile();
  const { path, copied } = databaseWithLog();
  expect(copied()).toBe(0);
  for (let round = 0; round < 50; round++) {
    const ended: number[] = [];
    const works = [file, file, path, file, path, file];
    await Promise.all(works.map((work, at) => thread.ask(work).then(() => ended.push(at))));
    expect(ended).toEqual([0, 1, 2, 3, 4, 5]);
  }
  expect(copied()).toBeGreaterThan(0);
});

it('fails what fails with its own error, and goes on with the next', async () => {
  const thread = createDiskThread(RESTS_MS);
  const missing = join(createTempDir(), 'no folder', 'test.db');
  const outcomes = await Promise.allSettled(
    [NOT_OPEN, openFile(), missing, openFile()].map((work) => thread.ask(work)),
  );
  expect(outcomes).toMatchObject([
    { status: 'rejected', reason: { code: 'EBADF' } },
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'ERR_SQLITE_ERROR', message: 'unable to open database file' } },
    { status: 'fulfilled' },
  ]);
});

it('starts again where it has ended because nobody asked, whenever that was', async () => {
  const thread = createDiskThread(BRIEFLY_MS);
  const file = openFile();
  // Around the time at which it ends, before and after.
  for (let pauseMs = 0; pauseMs <= 2 * BRIEFLY_MS; pauseMs += 0.5) {
    await thread.ask(file);
    await after(pauseMs);
  }
  await expect(thread.ask(NOT_OPEN)).rejects.toMatchObject({ code: 'EBADF' });
});

it('tells what was done also where the thread has ended before the loop looks', async () => {
  const thread = createDiskThread(BRIEFLY_MS);
  for (let made = 0; made < 10; made++) {
    const asked = thread.ask(NOT_OPEN);
    holdLoop(20 * BRIEFLY_MS);
    await expect(asked).rejects.toMatchObject({ code: 'EBADF' });
  }
});

it('takes nothing for done before it is, however often it is woken', async () => {
  const script = join(createTempDir(), 'wakes-early.mjs');
  writeFileSync(
    script,
    `import { workerData } from 'node:worker_threads';
    import { CELL } from '${new URL('disk-thread.ts', import.meta.url).href}';
    const cells = new Int32Array(workerData.memory);
    for (let done = 0; ; done++) {
      while (Atomics.load(cells, CELL.asked) === done) Atomics.wait(cells, CELL.asked, done);
      const until = performance.now() + ${BRIEFLY_MS};
      while (performance.now() < until) Atomics.notify(cells, CELL.done);
      cells[CELL.failed] = 0;
      Atomics.store(cells, CELL.done, done + 1);
      Atomics.notify(cells, CELL.done);
    }`,
  );
  const thread = createDiskThread(RESTS_MS, pathToFileURL(script));
  for (let asked = 0; asked < 20; asked++) {
    const from = performance.now();
    await thread.ask(NOT_OPEN);
    expect(performance.now() - from).toBeGreaterThanOrEqual(BRIEFLY_MS);
  }
});

it('does nothing that it is not asked, however often it is woken', async () => {
  const cells = createCells();
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(new URL('sync-worker.ts', import.meta.url), {
    workerData: { memory: cells.buffer, port: port2, idleMs: RESTS_MS } satisfies DiskThreadData,
    transferList: [port2],
  });
  onTestFinished(async () => {
    port1.close();
    await worker.terminate();
  });
  cells[CELL.file] = openFile();
  for (let asked = 1; asked <= 3; asked++) {
    await waitFor('the thread to wait', async () => Atomics.notify(cells, CELL.asked) > 0);
    for (let woken = 0; woken < 20; woken++) {
      await after(1);
      Atomics.notify(cells, CELL.asked);
    }
    expect(Atomics.load(cells, CELL.done)).toBe(asked - 1);
    Atomics.store(cells, CELL.asked, asked);
    Atomics.notify(cells, CELL.asked);
    await waitFor('the sync', async () => Atomics.load(cells, CELL.done) === asked);
  }
});

it('counts on for ever, and never to the number that says that it has ended', () => {
  expect([countOn(0), countOn(2 ** 31 - 2), countOn(2 ** 31 - 1)]).toEqual([1, 2 ** 31 - 1, 0]);
  expect([countOn(2 ** 31 - 1), countOn(ENDED)]).not.toContain(ENDED);
});

it('keeps a process while something is under way, and no longer', () => {
  const file = join(createTempDir(), 'asked');
  const script = `
    import { openSync, writeFileSync } from 'node:fs';
    import { createDiskThread } from '${new URL('disk-thread.ts', import.meta.url).href}';
    const thread = createDiskThread(60_000);
    thread.ask(openSync('${file}.log', 'w')).then(() => writeFileSync('${file}', ''));
  `;
  writeFileSync(`${file}.mjs`, script);
  const { status, stderr } = spawnSync(process.execPath, [`${file}.mjs`], { timeout: 30_000 });
  expect([status, String(stderr)]).toEqual([0, '']);
  expect(existsSync(file)).toBe(true);
});
