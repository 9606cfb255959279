// Tasks. Writes go through the group commit. Reads run at once on the same connection, between transactions,
// so that they see only what was committed.
import type { DatabaseSync } from 'node:sqlite';
import { QinboxError } from '#core/errors.ts';
import { UNDO_WINDOW_MS } from '#core/contract/index.ts';
import { takeWithinBytes } from '#core/domain/page.ts';
import { outcomeOfClaim } from '#core/domain/submission-outcome.ts';
import { isVisible } from '#core/domain/task.ts';
import type { Clock } from '#core/ports/clock.ts';
import { isSearch, type Quota, type TaskStore } from '#core/ports/task-store.ts';
import { createClaims } from '../claims.ts';
import { prepareArrays } from '../database.ts';
import { reading } from '../faults.ts';
import type { GroupCommit } from '../disk/group-commit.ts';
import { statisticsOf, type Owners } from '../owners.ts';
import { createQuotaGuard } from '../quota.ts';
import type { ScanThread } from './scan-thread.ts';
import { createTaskSearch } from './task-search.ts';
import type { TaskCache } from './task-cache.ts';
import type { TaskEvents } from './task-events.ts';
import { createTaskInserts } from './task-inserts.ts';
import { createTaskList, EMPTY_PAGE } from './task-list.ts';
import { createTaskRange } from './task-range.ts';
import { createTaskLookup } from './task-lookup.ts';
import { TASK_BYTES, TASK_COLUMNS, toTask, type TaskRow } from './task-rows.ts';
import { createTaskSweep } from './task-sweep.ts';
import { createTaskWriter } from './task-writer.ts';

interface Parts {
  db: DatabaseSync;
  group: GroupCommit;
  owners: Owners;
  cache: TaskCache;
  events: TaskEvents;
  clock: Clock;
  thread: ScanThread;
  searchHereMs: number | undefined;
  quota: Quota;
}

export function createSqliteTaskStore(parts: Parts): TaskStore {
  const { db, group, owners, cache, events, clock, thread, searchHereMs, quota } = parts;
  const lookup = createTaskLookup(db);
  const writer = createTaskWriter({ db, lookup, owners, events, clock });
  const claims = createClaims(db);
  const guard = createQuotaGuard(db, owners, clock, quota);
  const taskInserts = createTaskInserts({ owners, lookup, writer, claims, guard });
  const list = createTaskList(db, owners, cache);
  const listById = createTaskRange(db, cache);
  const search = createTaskSearch({ db, owners, lookup, cache, thread, hereMs: searchHereMs });
  const restorable =
    'FROM tasks INDEXED BY tasks_restorable WHERE owner = ? AND acknowledged_at IS NOT NULL ' +
    'AND acknowledged_at > ? ORDER BY acknowledged_at DESC, id DESC LIMIT +?';
  const restorableBytes = prepareArrays<readonly [bytes: number]>(db, `SELECT ${TASK_BYTES} ${restorable}`);
  const restorableRows = prepareArrays<TaskRow>(db, `SELECT ${TASK_COLUMNS} ${restorable}`);

  /** Reads what is stored of the owner; `empty` when nothing is. */
  const readOf = <T>(ownerId: string, empty: T, read: (owner: number) => T): Promise<T> =>
    reading(() => {
      const owner = owners.find(ownerId);
      return owner === null ? empty : read(owner);
    });

  return {
    create: async (submission) => unlessRefused(await group.write(() => taskInserts.apply(submission))),

    // In the group, so that it is on disk before it is answered.
    async readClaim(claim, at) {
      const before = await group.write(() => claims.find(claim, at));
      return before === null ? null : outcomeOfClaim(before);
    },

    checkQuota: (submission) =>
      reading(() => {
        const { tasks, bytes } = taskInserts.usageOf(submission);
        if (tasks === 0) return;
        // Each resolved key may make room for one task.
        const more = Math.max(0, tasks - (submission.resolves?.length ?? 0));
        const refusal = guard.refusal(owners.find(submission.ownerId), more, bytes);
        if (refusal !== null) throw refusal;
      }),

    change: async (ownerId, ids, rule) =>
      unlessRefused(
        await group.write(() => {
          const owner = owners.find(ownerId);
          if (owner === null) return [];
          return guard.grow(owner, ids.length, () => {
            const changes = ids.map((id) => {
              const row = lookup.find(owner, id);
              return row === undefined ? null : writer.change(row, rule);
            });
            return changes.filter((change) => change !== null);
          });
        }),
      ),

    get: (ownerId, id, now) =>
      readOf(ownerId, null, (owner) => {
        const row = lookup.find(owner, id);
        const task = row === undefined ? null : toTask(row, ownerId);
        return task !== null && isVisible(task, now) ? task : null;
      }),

    list: (query) => (isSearch(query) ? search.list(query) : reading(() => list(query))),

    facets: (query) => search.facets(query),

    listById: (range) => readOf(range.ownerId, [], (owner) => listById(owner, range)),

    statistics: (ownerId, now) =>
      readOf(ownerId, EMPTY_PAGE.statistics, (owner) => statisticsOf(owners, owner, now)),

    // Two counters: changes, and tasks that expired, swept or not. So a sweep does not change the revision.
    // And the tasks that sleep: until the next change they can only wake.
    revision: (ownerId, now) =>
      readOf(ownerId, '0.0.0', (owner) => {
        const counts = owners.read(owner);
        const [low, normal, high] = owners.overdue(owner, now);
        const { total: asleep } = owners.asleep(owner, counts, now);
        return `${counts.changes}.${counts.swept + low + normal + high}.${asleep}`;
      }),

    listRestorable: (ownerId, now, limit) =>
      readOf(ownerId, [], (owner) => {
        const since = now - UNDO_WINDOW_MS;
        const fitting = takeWithinBytes(restorableBytes.all(owner, since, limit), ([bytes]) => bytes);
        return restorableRows.all(owner, since, fitting.length).map((row) => toTask(row, ownerId));
      }),

    sweep: createTaskSweep({ db, group, owners, claims, events }),
  };
}

/** Throws a refusal after its group is committed, because it must not undo the other writes of the group. */
function unlessRefused<T>(outcome: T | QinboxError): T {
  if (outcome instanceof QinboxError) throw outcome;
  return outcome;
}
