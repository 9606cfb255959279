// The sync of the log by itself: what it waits for, and how it fails.
import { spawnSync } from 'node:child_process';
import { close, closeSync, open, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as after } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createTempDir } from '#test/helpers/temp.ts';
import { createLogSync } from './log-sync.ts';

/** Of libuv: 4 unless the environment says otherwise. */
const POOL_THREADS = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);
const PATIENCE_MS = 300_000;
/** As a start makes, and a few more. */
const FIRST_SYNCS = 4;

/** A log after its first syncs. */
async function openUsedLog() {
  const log = openLog();
  for (let made = 0; made < FIRST_SYNCS; made++) await log.sync();
  return log;
}

function openLog() {
  const file = join(createTempDir(), 'test.db');
  writeFileSync(`${file}-wal`, 'a log');
  const log = createLogSync(file);
  onTestFinished(() => log.close());
  return log;
}

/**
 * Takes every thread of libuv's pool: each opens a pipe that nobody writes to. Resolves when they are free
 * again.
 */
function takePool(): () => Promise<void> {
  const pipe = join(createTempDir(), 'pipe');
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  const opening = Array.from({ length: POOL_THREADS }, () => promisify(open)(pipe, 'r'));
  return async () => {
    const writer = openSync(pipe, 'w');
    for (const reader of await Promise.all(opening)) await promisify(close)(reader);
    closeSync(writer);
  };
}

it('waits for nothing that the program does on other threads', async () => {
  const log = await openUsedLog();
  const giveBack = takePool();
  try {
    const outcome = await Promise.race([log.sync().then(() => 'synced'), after(PATIENCE_MS, 'still waits')]);
    expect(outcome).toBe('synced');
  } finally {
    await giveBack();
  }
});

it('of several logs at once ends for each', async () => {
  const logs = await Promise.all([openUsedLog(), openUsedLog(), openUsedLog()]);
  expect(await Promise.all(logs.map((log) => log.sync()))).toHaveLength(3);
});

it("that the system refuses fails with the system's error", async () => {
  const missing = createLogSync(join(createTempDir(), 'nothing.db'));
  await expect(missing.sync()).rejects.toMatchObject({ code: 'ENOENT' });
  // Pipes cannot be synced.
  const folder = createTempDir();
  expect(spawnSync('mkfifo', [join(folder, 'test.db-wal')]).status).toBe(0);
  const pipe = createLogSync(join(folder, 'test.db'));
  onTestFinished(() => pipe.close());
  // On the event loop, then in the thread.
  for (let made = 0; made <= FIRST_SYNCS; made++)
    await expect(pipe.sync()).rejects.toMatchObject({ code: 'EINVAL' });
});
