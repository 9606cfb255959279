// Checkpoints on a real file: when they are made, what they do to the log, and what one that fails does.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createTempDir } from '#test/helpers/temp.ts';
import { createCheckpoints } from './checkpoints.ts';
import { openDatabase } from '../database.ts';
import { createLogSync } from './log-sync.ts';

const PAGE_BYTES = 4096;
const LONG_PAGES = 2000;

function open(checkpoint?: () => Promise<void>) {
  const file = join(createTempDir(), 'test.db');
  const db = openDatabase(file);
  const other = new DatabaseSync(file);
  const log = createLogSync(file);
  onTestFinished(() => {
    log.close();
    other.close();
    db.close();
  });
  db.exec('CREATE TABLE pages (id INTEGER PRIMARY KEY, bytes BLOB) STRICT');
  const insert = db.prepare('INSERT INTO pages (bytes) VALUES (zeroblob(?))');
  const warnings: unknown[] = [];
  const next = createCheckpoints(db, checkpoint ?? (() => log.checkpoint()), {
    warn: (...said: unknown[]) => void warnings.push(said),
  });
  /** A transaction that writes a few more than so many pages. */
  const write = (pages: number) => insert.run(pages * PAGE_BYTES);
  const logged = () => Number(db.prepare('PRAGMA wal_checkpoint(NOOP)').get()?.['log']);
  return { file, db, other, next, write, logged, warnings };
}

it('leaves a short log alone, copies a long one, and lets the next transaction begin it anew', async () => {
  const { file, db, next, write, logged } = open();
  write(LONG_PAGES - 200);
  expect(next()).toBeNull();
  write(200);
  const sizeBefore = statSync(file).size;
  await next();
  expect(statSync(file).size - sizeBefore).toBeGreaterThan((LONG_PAGES - 200) * PAGE_BYTES);
  write(1);
  expect(logged()).toBeLessThan(10);
  expect(next()).toBeNull();
  expect(db.prepare('SELECT count(*) AS rows FROM pages').get()).toEqual({ rows: 3 });
});

it('keeps the log short however much is written', async () => {
  const { file, next, write } = open();
  for (let written = 0; written < 10 * LONG_PAGES; written += 500) {
    write(500);
    await next();
  }
  expect(statSync(`${file}-wal`).size).toBeLessThan(2 * LONG_PAGES * PAGE_BYTES);
});

it('that a reader holds up is tried again once the log has grown as much again', async () => {
  const { other, next, write, logged } = open();
  write(1);
  other.exec('BEGIN; SELECT count(*) FROM pages');
  write(LONG_PAGES);
  await next();
  write(1);
  expect(next()).toBeNull();
  other.exec('COMMIT');
  write(LONG_PAGES);
  await next();
  write(1);
  expect(logged()).toBeLessThan(10);
});

it('gives back the space of a log that a reader let grow', async () => {
  const { file, other, next, write, logged } = open();
  write(1);
  other.exec('BEGIN; SELECT count(*) FROM pages');
  for (let written = 0; written < 6 * LONG_PAGES; written += 500) {
    write(500);
    await next();
  }
  const size = () => statSync(`${file}-wal`).size;
  expect(size()).toBeGreaterThan(6 * LONG_PAGES * PAGE_BYTES);
  other.exec('COMMIT');
  write(LONG_PAGES);
  await next();
  write(1);
  expect(logged()).toBeLessThan(10);
  expect(size()).toBeLessThanOrEqual(32 * 1024 * 1024);
});

it('that fails is told to the log, and is made later', async () => {
  let fault: Error | null = new Error('EIO');
  const { next, write, warnings } = open(() => (fault === null ? Promise.resolve() : Promise.reject(fault)));
  write(LONG_PAGES);
  await next();
  expect(warnings).toEqual([[{ err: fault }, expect.stringContaining('could not be copied')]]);
  write(1);
  expect(next()).toBeNull();
  fault = null;
  write(LONG_PAGES);
  await next();
  expect(warnings).toHaveLength(1);
});

it('that cannot be looked at is told to the log, and holds up no write', () => {
  const fault = Object.assign(new Error('disk I/O error'), { errcode: 10 });
  const { next, write, warnings } = open();
  const get = vi.spyOn(StatementSync.prototype, 'get').mockImplementationOnce(() => {
    throw fault;
  });
  onTestFinished(() => get.mockRestore());
  write(LONG_PAGES);
  expect(next()).toBeNull();
  expect(warnings).toEqual([[{ err: fault }, expect.stringContaining('could not be copied')]]);
  expect(next()).not.toBeNull();
});
