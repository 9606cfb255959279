// The port of tasks over SQLite: writes go through the group commit, reads run at once on the same connection, between
// transactions, so that they see what was committed and nothing else.
import type { DatabaseSync } from 'node:sqlite';
import { QinboxError } from '#core/errors.ts';
import { UNDO_WINDOW_MS } from '#core/contract/index.ts';
import { takeWithinBytes } from '#core/domain/page.ts';
import {
  resolveTask,
  isVisible,
  suppressRepeat,
  repeatTask,
  type Task,
  type TaskDraft,
} from '#core/domain/task.ts';
import type { Clock } from '#core/ports/clock.ts';
import { isSearch, type Quota, type TaskChange, type TaskStore } from '#core/ports/task-store.ts';
import type { SubmissionOutcome, TaskOutcome } from '#core/domain/submission-outcome.ts';
import type { Submission, TaskInsert } from '#core/domain/submission.ts';
import { createClaims } from './claims.ts';
import { prepareQuery } from './database.ts';
import { reading } from './faults.ts';
import type { GroupCommit } from './group-commit.ts';
import { toStatistics, type Owners } from './owners.ts';
import { bytesOf, metadataColumn, tagsColumn, TASK_BYTES, TASK_COLUMNS, toTask } from './rows.ts';
import { createRoom } from './room.ts';
import type { ScanThread } from './scan-thread.ts';
import { createTaskCache } from './task-cache.ts';
import { createTaskList, EMPTY_PAGE } from './task-list.ts';
import { createTaskSearch } from './task-search.ts';
import { createTaskWriter } from './task-writer.ts';

/** Most rows that one sweep touches, so that its transaction stays short. */
const MAX_SWEEP_ROWS = 500;

/** A refusal is told after the group, whose other writes it must not undo. */
function granted<T>(done: T | QinboxError): T {
  if (done instanceof QinboxError) throw done;
  return done;
}

interface Parts {
  db: DatabaseSync;
  group: GroupCommit;
  owners: Owners;
  clock: Clock;
  thread: ScanThread;
  searchHereMs: number | undefined;
  quota: Quota;
}

export function createSqliteTaskStore({
  db,
  group,
  owners,
  clock,
  thread,
  searchHereMs,
  quota,
}: Parts): TaskStore {
  const writer = createTaskWriter(db, owners, clock);
  const claims = createClaims(db);
  const room = createRoom(db, owners, clock, quota);
  const cache = createTaskCache();
  const list = createTaskList(db, owners, cache);
  const search = createTaskSearch({ db, owners, cache, thread, hereMs: searchHereMs });
  const findOne = prepareQuery(
    db,
    `SELECT ${TASK_COLUMNS} FROM tasks INDEXED BY tasks_by_id WHERE id = ? AND owner = ?`,
  );
  const restorable = (columns: string) =>
    prepareQuery(
      db,
      `SELECT ${columns} FROM tasks INDEXED BY tasks_restorable ` +
        'WHERE owner = ? AND acknowledged_at IS NOT NULL AND acknowledged_at > ? ' +
        'ORDER BY acknowledged_at DESC, id DESC LIMIT ?',
    );
  const restorableBytes = restorable(TASK_BYTES);
  const findRestorable = restorable(TASK_COLUMNS);

  function apply(owner: number, ownerId: string, { id, draft }: TaskInsert, at: number): TaskOutcome {
    if (draft.dedupeKey !== null) {
      const done = appliedBefore(owner, ownerId, id) ?? claims.repeated(id);
      if (done !== null) return done;
      const task = repeat(owner, ownerId, draft.dedupeKey, draft, at);
      if (task !== null) {
        const outcome = { task, created: false };
        claims.keepRepeated(id, outcome, at);
        return outcome;
      }
    }
    const task = writer.insert(owner, ownerId, id, draft, at);
    if (task !== null) return { task, created: true };
    const made = appliedBefore(owner, ownerId, id);
    if (made === null) throw new QinboxError('CONFLICT', 'This task id is in use.');
    return made;
  }

  /** Counts the report on the task that has the key, live or silent. Null when there is none. */
  function repeat(
    owner: number,
    ownerId: string,
    dedupeKey: string,
    draft: TaskDraft,
    at: number,
  ): Task | null {
    const live = writer.findLive(owner, dedupeKey);
    if (live !== undefined) {
      const change = writer.change(owner, ownerId, live, (task) => repeatTask(task, draft, at));
      if (change !== null) return change.after;
      // Past its time and not yet swept: it stays to be swept, but gives up its key.
      writer.releaseDedupeKey(live);
    }
    const silent = writer.findSilent(owner, dedupeKey);
    if (silent === undefined) return null;
    const change = writer.change(owner, ownerId, silent, (task) => suppressRepeat(task, draft, at));
    return change?.after ?? null;
  }

  /** Closes the task that has the key; it is answered if it was visible. */
  function close(owner: number, ownerId: string, dedupeKey: string, at: number): Task | null {
    const row = writer.findLive(owner, dedupeKey) ?? writer.findSilent(owner, dedupeKey);
    const change =
      row === undefined ? null : writer.change(owner, ownerId, row, (task) => resolveTask(task, at));
    return change !== null && change.before.acknowledgedAt === null ? change.after : null;
  }

  function closeAll(owner: number, { ownerId, inserts, resolves = [], at }: Submission): Task[] {
    if (resolves.length === 0) return [];
    // Keys and inserts become durable together: after the inserts of an earlier attempt, closing would be out of order.
    const isRetry = inserts.some(
      ({ id }) => appliedBefore(owner, ownerId, id) !== null || claims.repeated(id) !== null,
    );
    if (isRetry) return [];
    return resolves.map((key) => close(owner, ownerId, key, at)).filter((task) => task !== null);
  }

  function appliedBefore(owner: number, ownerId: string, id: string): TaskOutcome | null {
    const row = writer.find(owner, id);
    return row === undefined ? null : { task: toTask(row, ownerId), created: true };
  }

  function create(command: Submission): SubmissionOutcome | QinboxError {
    const { ownerId, inserts, claim, at } = command;
    if (claim !== undefined) {
      const answer = claims.answered(claim, at);
      if (answer !== null) return answer;
    }
    const owner = owners.enrol(ownerId);
    const done = room.make(owner, inserts.length, () => {
      const before = writer.inserted();
      const closed = closeAll(owner, command);
      const outcomes = inserts.map((order) => apply(owner, ownerId, order, at));
      if (claim !== undefined) claims.keep(claim, outcomes, at);
      return { made: writer.inserted() - before, closed, outcomes };
    });
    return done instanceof QinboxError
      ? done
      : { kind: 'done', outcomes: done.outcomes, resolved: done.closed };
  }

  /** How many tasks the inserts would make, and of what size, as it stands. */
  function newOf({ ownerId, inserts }: Submission): { tasks: number; bytes: number } {
    const owner = owners.find(ownerId);
    const seen = new Set<string>();
    let tasks = 0;
    let bytes = 0;
    for (const { id, draft } of inserts) {
      const { dedupeKey, content } = draft;
      if (dedupeKey !== null && seen.has(dedupeKey)) continue;
      if (dedupeKey !== null) seen.add(dedupeKey);
      if (owner !== null && isThere(owner, id, dedupeKey)) continue;
      tasks++;
      bytes += bytesOf(content, tagsColumn(draft.tags), metadataColumn(draft.metadata));
    }
    return { tasks, bytes };
  }

  function isThere(owner: number, id: string, dedupeKey: string | null): boolean {
    if (writer.find(owner, id) !== undefined || claims.repeated(id) !== null) return true;
    return (
      dedupeKey !== null &&
      (writer.findLive(owner, dedupeKey) ?? writer.findSilent(owner, dedupeKey)) !== undefined
    );
  }

  return {
    create: async (command) => granted(await group.write(() => create(command))),

    checkQuota: (command) =>
      reading(() => {
        const { tasks, bytes } = newOf(command);
        if (tasks === 0) return;
        // Each key that is closed may make room for one.
        const more = Math.max(0, tasks - (command.resolves?.length ?? 0));
        const owner = owners.find(command.ownerId);
        const refusal = room.refusal(owner, more, bytes);
        if (refusal !== null) throw refusal;
      }),

    change: async (ownerId, ids, rule) =>
      granted(
        await group.write(() => {
          const owner = owners.find(ownerId);
          if (owner === null) return [];
          return room.grow(owner, ids.length, () => {
            const changes: TaskChange[] = [];
            for (const id of ids) {
              const row = writer.find(owner, id);
              const change = row === undefined ? null : writer.change(owner, ownerId, row, rule);
              if (change !== null) changes.push(change);
            }
            return changes;
          });
        }),
      ),

    get: (ownerId, id, now) =>
      reading(() => {
        const owner = owners.find(ownerId);
        const row = owner === null ? undefined : findOne.get(id, owner);
        if (row === undefined) return null;
        const task = toTask(row, ownerId);
        return isVisible(task, now) ? task : null;
      }),

    list: (query) => (isSearch(query.filter) ? search(query) : reading(() => list(query))),

    statistics: (ownerId, now) =>
      reading(() => {
        const owner = owners.find(ownerId);
        if (owner === null) return EMPTY_PAGE.statistics;
        return toStatistics(owners.read(owner), owners.overdue(owner, now));
      }),

    // Two counters: changes, and tasks that are out of sight because of their time, swept or not. A sweep moves tasks
    // from one part of the second sum to the other and so leaves the text, and every client's ETag, as it was.
    revision: (ownerId, now) =>
      reading(() => {
        const owner = owners.find(ownerId);
        if (owner === null) return '0.0';
        const { changes, swept } = owners.read(owner);
        const [low, normal, high] = owners.overdue(owner, now);
        return `${changes}.${swept + low + normal + high}`;
      }),

    listRestorable: (ownerId, now, limit) =>
      reading(() => {
        const owner = owners.find(ownerId);
        if (owner === null) return [];
        const since = now - UNDO_WINDOW_MS;
        const sizes = restorableBytes.all(owner, since, limit);
        const fitting = takeWithinBytes(sizes, ([bytes]) => bytes as number);
        return findRestorable.all(owner, since, fitting.length).map((row) => toTask(row, ownerId));
      }),

    sweep: (now, limit) =>
      group.write(() => {
        const most = Math.min(limit, MAX_SWEEP_ROWS);
        const expired = writer.takeExpired(now, most);
        let left = most - expired.length;
        if (left > 0) left -= writer.purge(now, left);
        if (left > 0) left -= claims.purge(now, left);
        return { expired, more: left === 0 };
      }),
  };
}
