import { join } from 'node:path';
import { constants, DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createFakeClock } from '#test/helpers/clock.ts';
import { sweepOnce } from '#test/helpers/sweeps.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { openSqliteStorage } from './storage.ts';

/**
 * A storage, the statements that it opens with, and how many parts of any its connection has compiled since
 * the last call.
 */
function openCounted() {
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
  const clock = createFakeClock();
  const storage = openSqliteStorage({ file: join(createTempDir(), 'qinbox.db'), clock });
  const db = prepare.mock.contexts[0] as DatabaseSync;
  const prepared = prepare.mock.calls.map(([sql]) => sql);
  prepare.mockRestore();
  onTestFinished(() => storage.close());
  let compiled = 0;
  // SQLite asks this while it compiles a statement, for the first time or again. A PRAGMA always is.
  db.setAuthorizer((action) => {
    if (action !== constants.SQLITE_PRAGMA) compiled++;
    return constants.SQLITE_OK;
  });
  const sinceLast = () => {
    const since = compiled;
    compiled = 0;
    return since;
  };
  return { storage, now: clock.now(), prepared, sinceLast };
}

it('statements are compiled once, whatever is bound to them', async () => {
  const { storage, now, sinceLast } = openCounted();
  const submission = submissionOf({ at: now }, 20);
  const { ownerId } = submission;
  await storage.tasks.create(submission);
  const id = submission.inserts[0]?.id ?? '';
  const calls: Record<string, (limit: number) => Promise<unknown>> = {
    create: (tasks) => storage.tasks.create(submissionOf({ ownerId, at: now }, tasks)),
    change: (limit) =>
      storage.tasks.change(ownerId, [id], (task) => ({ ...task, content: `again ${limit}` })),
    get: () => storage.tasks.get(ownerId, id, now),
    statistics: () => storage.tasks.statistics(ownerId, now),
    revision: () => storage.tasks.revision(ownerId, now),
    search: (limit) => storage.tasks.list({ ownerId, filter: { text: 'task' }, limit, offset: 0, now }),
    list: (limit) => storage.tasks.list({ ownerId, filter: {}, limit, offset: limit, now }),
    pinned: (limit) => storage.tasks.list({ ownerId, filter: { pinned: true }, limit, offset: 0, now }),
    listById: (limit) => storage.tasks.listById({ ownerId, now, order: 'ascending', limit }),
    listRestorable: (limit) => storage.tasks.listRestorable(ownerId, now, limit),
    sweep: (limit) => sweepOnce(storage.tasks, now, limit),
    deliveries: (limit) => storage.intakes.listDeliveries(ownerId, 'in_1', limit),
    lanes: (limit) => storage.work.takeLanes('holder', now, 1000, limit),
    work: (limit) => storage.work.list(ownerId, 'lane', limit),
    next: (limit) => storage.work.next('lane', now, limit, new Set()),
  };
  for (const [name, call] of Object.entries(calls)) {
    await call(3);
    sinceLast();
    for (const limit of [3, 5]) await call(limit);
    expect([name, sinceLast()]).toEqual([name, 0]);
  }
});

it('no statement that a storage opens with has a bare LIMIT ?', () => {
  const { prepared } = openCounted();
  expect(prepared.filter((sql) => /LIMIT \+\?/.test(sql)).length).toBeGreaterThan(5);
  expect(prepared.filter((sql) => /LIMIT \?/.test(sql))).toEqual([]);
});
