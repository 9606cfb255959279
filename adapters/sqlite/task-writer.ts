// The one place that inserts, updates and removes rows of tasks and keeps the owners' counts in step with them.
// Every function here runs inside a transaction of the group commit.
import type { DatabaseSync } from 'node:sqlite';
import { isVisible, newTask, type Task, type TaskDraft } from '#core/domain/task.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { TaskChange, TaskRule } from '#core/ports/task-store.ts';
import { prepareQuery, type Row } from './database.ts';
import type { Owners } from './owners.ts';
import {
  bytesOf,
  GONE,
  LIVE,
  metadataColumn,
  PRIORITY_NUMBER,
  purgeColumn,
  silentColumn,
  stateOf,
  tagsColumn,
  TASK_BYTES,
  TASK_COLUMNS,
  toTask,
} from './rows.ts';

export interface TaskWriter {
  /** Adds a task, or answers null when its id is taken already. */
  insert(owner: number, ownerId: string, id: string, draft: TaskDraft, at: number): Task | null;
  /** How many were added so far. */
  inserted(): number;
  /** The row of the owner's task, whatever its state. */
  find(owner: number, id: string): Row | undefined;
  /** The row of the live task with this dedupe key, past its time or not. */
  findLive(owner: number, dedupeKey: string): Row | undefined;
  /** The row of the acknowledged task that holds this dedupe key, past its time or not. */
  findSilent(owner: number, dedupeKey: string): Row | undefined;
  /** Applies the rule to the task in the row; null when it refuses. */
  change(owner: number, ownerId: string, row: Row, rule: TaskRule): TaskChange | null;
  /** Lets a live task that is past its time keep no one else from its dedupe key. */
  releaseDedupeKey(row: Row): void;
  /** Takes up to `limit` unpinned tasks that are past their time out of the live ones. */
  takeExpired(now: number, limit: number): Task[];
  /** Removes up to `limit` tasks that are past their `purgeAt`; how many there were. */
  purge(now: number, limit: number): number;
}

export function createTaskWriter(db: DatabaseSync, owners: Owners, clock: Clock): TaskWriter {
  const insert = db.prepare(
    'INSERT INTO tasks (id, owner, state, priority, created_at, updated_at, expires_at, last_occurred_at, pinned, ' +
      'version, occurrences, source, dedupe_key, tags, content, metadata, reopens) ' +
      'SELECT ?1, ?2, 1, ?3, ?4, ?4, ?5, ?4, 0, 1, 1, ?6, ?7, ?8, ?9, ?10, ?11 ' +
      'WHERE NOT EXISTS (SELECT 1 FROM tasks INDEXED BY tasks_by_id WHERE owner = ?2 AND id = ?1)',
  );
  const update = db.prepare(
    'UPDATE tasks SET state = ?, priority = ?, updated_at = ?, expires_at = ?, last_occurred_at = ?, ' +
      'acknowledged_at = ?, purge_at = ?, pinned = ?, version = ?, occurrences = ?, dedupe_key = ?, tags = ?, ' +
      'content = ?, metadata = ?, reopens = ?, silent_until = ? WHERE seq = ?',
  );
  const findOne = prepareQuery(
    db,
    `SELECT ${TASK_COLUMNS} FROM tasks INDEXED BY tasks_by_id WHERE id = ? AND owner = ?`,
  );
  const findByKey = prepareQuery(
    db,
    `SELECT ${TASK_COLUMNS} FROM tasks INDEXED BY tasks_dedupe ` +
      'WHERE owner = ? AND dedupe_key = ? AND dedupe_key IS NOT NULL AND state > 0',
  );
  const findSilent = prepareQuery(
    db,
    `SELECT ${TASK_COLUMNS} FROM tasks INDEXED BY tasks_silent ` +
      'WHERE owner = ? AND dedupe_key = ? AND silent_until IS NOT NULL',
  );
  const endSilence = db.prepare(
    'UPDATE tasks INDEXED BY tasks_silent SET silent_until = NULL ' +
      'WHERE owner = ? AND dedupe_key = ? AND silent_until IS NOT NULL',
  );
  const dropKey = db.prepare('UPDATE tasks SET dedupe_key = NULL WHERE seq = ?');
  const findExpired = prepareQuery(
    db,
    `SELECT ${TASK_COLUMNS}, owner FROM tasks INDEXED BY tasks_expiry ` +
      'WHERE state = 1 AND expires_at <= ? ORDER BY expires_at LIMIT ?',
  );
  const OWNER_COLUMN = TASK_COLUMNS.split(',').length;
  const sweepOne = db.prepare(`UPDATE tasks SET state = ${GONE}, purge_at = ? WHERE seq = ?`);
  const purgeRows = prepareQuery(
    db,
    'DELETE FROM tasks WHERE seq IN ' +
      '(SELECT seq FROM tasks INDEXED BY tasks_purge WHERE state = 0 AND purge_at <= ? ORDER BY purge_at LIMIT ?) ' +
      `RETURNING owner, ${TASK_BYTES}`,
  );

  let inserted = 0;

  /** The key that the task may keep when it becomes live again: none, when another live task uses it by now. */
  function keyToKeep(owner: number, task: Task): string | null {
    if (task.dedupeKey === null) return null;
    const other = findByKey.get(owner, task.dedupeKey);
    if (other === undefined) return task.dedupeKey;
    if (isVisible(toTask(other, task.ownerId), clock.now())) return null;
    dropKey.run(other[0] as number);
    return task.dedupeKey;
  }

  function save(owner: number, row: Row, before: Task, wanted: Task): Task {
    const stateBefore = row[1] as number;
    const wasSwept = stateBefore === GONE && before.acknowledgedAt === null;
    // A swept task stays swept, unless the rule gave it time or a pin.
    const state =
      wasSwept && !wanted.pinned && wanted.expiresAt === before.expiresAt ? GONE : stateOf(wanted);
    const returns = stateBefore === GONE && state !== GONE;
    const dedupeKey = returns ? keyToKeep(owner, wanted) : wanted.dedupeKey;
    const after = dedupeKey === wanted.dedupeKey ? wanted : { ...wanted, dedupeKey };
    const silentUntil = silentColumn(after);
    const [tags, metadata] = [tagsColumn(after.tags), metadataColumn(after.metadata)];
    // The last that had the key holds it: one that comes back takes it from one that is silent.
    if (after.dedupeKey !== null && (returns || silentUntil !== null)) endSilence.run(owner, after.dedupeKey);
    update.run(
      state,
      PRIORITY_NUMBER[after.priority],
      after.updatedAt,
      after.expiresAt,
      after.lastOccurredAt,
      after.acknowledgedAt,
      purgeColumn(after, state),
      after.pinned ? 1 : 0,
      after.version,
      after.occurrences,
      after.dedupeKey,
      tags,
      after.content,
      metadata,
      Number(after.reopens),
      silentUntil,
      row[0] as number,
    );
    const [contentBefore, tagsBefore, metadataBefore] = [row[3], row[6], row[7]] as [
      string,
      string | null,
      string | null,
    ];
    owners.weigh(
      owner,
      bytesOf(after.content, tags, metadata) - bytesOf(contentBefore, tagsBefore, metadataBefore),
    );
    // What is done to a hidden task shows nowhere.
    if (stateBefore === GONE && state === GONE) return after;
    if (stateBefore !== GONE) owners.count(owner, stateBefore, PRIORITY_NUMBER[before.priority], -1);
    if (state !== GONE) owners.count(owner, state, PRIORITY_NUMBER[after.priority], 1);
    owners.changed(owner);
    return after;
  }

  return {
    insert(owner, ownerId, id, draft, at) {
      const task = newTask(draft, id, ownerId, at);
      const priority = PRIORITY_NUMBER[task.priority];
      const [tags, metadata] = [tagsColumn(task.tags), metadataColumn(task.metadata)];
      const { changes } = insert.run(
        id,
        owner,
        priority,
        at,
        task.expiresAt,
        task.source,
        task.dedupeKey,
        tags,
        task.content,
        metadata,
        Number(task.reopens),
      );
      if (changes === 0) return null;
      inserted++;
      owners.count(owner, LIVE, priority, 1);
      owners.weigh(owner, bytesOf(task.content, tags, metadata));
      owners.changed(owner);
      return task;
    },
    inserted: () => inserted,
    find: (owner, id) => findOne.get(id, owner),
    findLive: (owner, dedupeKey) => findByKey.get(owner, dedupeKey),
    findSilent: (owner, dedupeKey) => findSilent.get(owner, dedupeKey),
    change(owner, ownerId, row, rule) {
      const before = toTask(row, ownerId);
      const wanted = rule(before);
      if (wanted === null) return null;
      return { before, after: wanted === before ? before : save(owner, row, before, wanted) };
    },
    releaseDedupeKey(row) {
      dropKey.run(row[0] as number);
    },
    takeExpired(now, limit) {
      return findExpired.all(now, limit).map((row) => {
        const owner = row[OWNER_COLUMN] as number;
        const task = toTask(row, owners.idOf(owner));
        sweepOne.run(purgeColumn(task, GONE), row[0] as number);
        owners.swept(owner, PRIORITY_NUMBER[task.priority]);
        return task;
      });
    },
    purge(now, limit) {
      const purged = purgeRows.all(now, limit) as [number, number][];
      for (const [owner, bytes] of purged) owners.weigh(owner, -bytes);
      return purged.length;
    },
  };
}
