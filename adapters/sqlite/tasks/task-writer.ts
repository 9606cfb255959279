// Inserts and changes tasks with their owners' counts, inside a transaction of the group commit. Only this
// module, the sweep and the transfer write tasks.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { GONE, stateAfter, stateOf } from '#core/domain/task-state.ts';
import { isVisible, newTask, PRIORITY_RANK, type Task, type TaskDraft } from '#core/domain/task.ts';
import { eventOfChange } from '#core/domain/webhook.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { TaskChange, TaskRule } from '#core/ports/task-store.ts';
import type { Owners } from '../owners.ts';
import type { TaskEvents } from './task-events.ts';
import type { TaskLookup } from './task-lookup.ts';
import {
  bytesOf,
  bytesOfRow,
  COLUMN,
  intakeColumn,
  metadataColumn,
  tagsColumn,
  taskFields,
  toTask,
  type TaskRow,
} from './task-rows.ts';

export interface TaskWriter {
  /** Inserts a task, whose id the owner must not have yet. */
  insert(owner: number, ownerId: string, id: string, draft: TaskDraft, at: number): Task;
  /** How many tasks were inserted since the start. */
  insertedCount(): number;
  /** Applies the rule to the task in the row; null when it refuses. */
  change(row: TaskRow, rule: TaskRule): TaskChange | null;
  /** Takes the dedupe key from a live task that is expired. */
  releaseDedupeKey(row: TaskRow): void;
}

// Parameters by position: binding them by name costs as much as the statement. Most tasks have no intake.
const COLUMNS =
  'id, owner, state, priority, created_at, updated_at, expires_at, last_occurred_at, pinned, version, ' +
  'occurrences, source, dedupe_key, tags, content, metadata, reopens';
const VALUES = '?1, ?2, ?12, ?3, ?4, ?4, ?5, ?4, ?13, 1, 1, ?6, ?7, ?8, ?9, ?10, ?11';
const INSERT = `INSERT INTO tasks (${COLUMNS}) VALUES (${VALUES})`;
const INSERT_THROUGH_INTAKE = `INSERT INTO tasks (${COLUMNS}, intake) VALUES (${VALUES}, ?14)`;
const UPDATE =
  'UPDATE tasks SET state = ?, priority = ?, updated_at = ?, expires_at = ?, last_occurred_at = ?, ' +
  'acknowledged_at = ?, purge_at = ?, pinned = ?, version = ?, occurrences = ?, dedupe_key = ?, tags = ?, ' +
  'content = ?, metadata = ?, reopens = ?, silent_until = ?, intake = ?, snoozed_until = ?, wake_at = ? WHERE seq = ?';

interface Parts {
  db: DatabaseSync;
  lookup: TaskLookup;
  owners: Owners;
  events: TaskEvents;
  clock: Clock;
}

export function createTaskWriter({ db, lookup, owners, events, clock }: Parts): TaskWriter {
  const insert = prepareInsert(db);
  const update = db.prepare(UPDATE);
  const endSuppression = db.prepare(
    'UPDATE tasks INDEXED BY tasks_silent SET silent_until = NULL ' +
      'WHERE owner = ? AND dedupe_key = ? AND silent_until IS NOT NULL',
  );
  const dropKey = db.prepare('UPDATE tasks SET dedupe_key = NULL WHERE seq = ?');
  let insertedCount = 0;

  /** The dedupe key of a task that returns to the queue: null when another visible task has it by now. */
  function reclaimKey(owner: number, { dedupeKey, ownerId }: Task): string | null {
    const other = dedupeKey === null ? undefined : lookup.findLive(owner, dedupeKey);
    if (other === undefined) return dedupeKey;
    if (isVisible(toTask(other, ownerId), clock.now())) return null;
    dropKey.run(other[COLUMN.seq]);
    return dedupeKey;
  }

  function save(row: TaskRow, before: Task, wanted: Task): Task {
    const owner = row[COLUMN.owner];
    const stateBefore = row[COLUMN.state];
    const { state, returns } = stateAfter(stateBefore, before, wanted);
    const dedupeKey = returns ? reclaimKey(owner, wanted) : wanted.dedupeKey;
    const after = dedupeKey === wanted.dedupeKey ? wanted : { ...wanted, dedupeKey };
    const fields = taskFields(after, state, row[COLUMN.wake_at]);
    // The latest task with the key holds it: one that returns takes it from one that suppresses repeats.
    if (dedupeKey !== null && (returns || fields.silentUntil !== null)) endSuppression.run(owner, dedupeKey);
    update.run(
      state,
      fields.priority,
      fields.updatedAt,
      fields.expiresAt,
      fields.lastOccurredAt,
      fields.acknowledgedAt,
      fields.purgeAt,
      fields.pinned,
      fields.version,
      fields.occurrences,
      dedupeKey,
      fields.tags,
      fields.content,
      fields.metadata,
      fields.reopens,
      fields.silentUntil,
      fields.intake,
      ...[fields.snoozedUntil, fields.wakeAt, row[COLUMN.seq]],
    );
    owners.addBytes(owner, bytesOf(fields.content, fields.tags, fields.metadata) - bytesOfRow(row));
    // A change of a hidden task is not visible.
    if (stateBefore === GONE && state === GONE) return after;
    if (stateBefore !== GONE) owners.count(owner, stateBefore, row[COLUMN.priority], -1);
    if (state !== GONE) owners.count(owner, state, fields.priority, 1);
    owners.changed(owner);
    const event = eventOfChange(before, after, { before: stateBefore, after: state });
    if (event !== null) events.note({ type: event, before, task: after, at: after.updatedAt });
    return after;
  }

  return {
    insert(owner, ownerId, id, draft, at) {
      const task = newTask(draft, id, ownerId, at);
      const priority = PRIORITY_RANK[task.priority];
      const state = stateOf(task);
      const [tags, metadata] = [tagsColumn(task.tags), metadataColumn(task.metadata)];
      const keys = [id, owner, priority, at];
      insert(task.intake, [
        ...keys,
        task.expiresAt,
        task.source,
        task.dedupeKey,
        tags,
        task.content,
        metadata,
        Number(task.reopens),
        state,
        Number(task.pinned),
      ]);
      insertedCount++;
      owners.count(owner, state, priority, 1);
      owners.addBytes(owner, bytesOf(task.content, tags, metadata));
      owners.changed(owner);
      events.note({ type: 'task.created', before: null, task, at });
      return task;
    },
    insertedCount: () => insertedCount,
    change(row, rule) {
      const before = toTask(row, owners.idOf(row[COLUMN.owner]));
      const wanted = rule(before);
      if (wanted === null) return null;
      return { before, after: wanted === before ? before : save(row, before, wanted) };
    },
    releaseDedupeKey(row) {
      dropKey.run(row[COLUMN.seq]);
    },
  };
}

/** Inserts a row of the {@link VALUES} and the intake. */
function prepareInsert(db: DatabaseSync): (intake: Task['intake'], values: SQLInputValue[]) => void {
  const plain = db.prepare(INSERT);
  const throughIntake = db.prepare(INSERT_THROUGH_INTAKE);
  return (intake, values) => {
    if (intake === null) plain.run(...values);
    else throughIntake.run(...values, intakeColumn(intake));
  };
}
