// Tasks as rows and back. Rows are arrays, because lists read thousands. Empty tags and metadata are NULL.
import { GONE, PRIORITIES, stateOf, wakeAtAfter } from '#core/domain/task-state.ts';
import { PRIORITY_RANK, purgeAt, suppressesRepeats, type Metadata, type Task } from '#core/domain/task.ts';
import type { Priority, TaskIntake } from '#core/contract/index.ts';
import { tableOf } from '../table-sql.ts';

/** The place of each column in a {@link TaskRow}. */
export const COLUMN = {
  seq: 0,
  state: 1,
  id: 2,
  content: 3,
  priority: 4,
  source: 5,
  tags: 6,
  metadata: 7,
  pinned: 8,
  created_at: 9,
  updated_at: 10,
  expires_at: 11,
  version: 12,
  dedupe_key: 13,
  occurrences: 14,
  last_occurred_at: 15,
  acknowledged_at: 16,
  reopens: 17,
  owner: 18,
  intake: 19,
  snoozed_until: 20,
  wake_at: 21,
} as const;

export const TASK_COLUMNS = Object.keys(COLUMN).join(', ');

export type TaskRow = readonly [
  seq: number,
  state: number,
  id: string,
  content: string,
  priority: number,
  source: string,
  tags: string | null,
  metadata: string | null,
  pinned: number,
  createdAt: number,
  updatedAt: number,
  expiresAt: number,
  version: number,
  dedupeKey: string | null,
  occurrences: number,
  lastOccurredAt: number,
  acknowledgedAt: number | null,
  reopens: number,
  owner: number,
  intake: string | null,
  snoozedUntil: number | null,
  wakeAt: number | null,
];

/** Bytes of the texts of a task, read from the row's header and not from the pages of the texts. */
export const TASK_BYTES =
  'octet_length(content) + ifnull(octet_length(tags), 0) + ifnull(octet_length(metadata), 0)';

export function readTags(column: string | null): string[] {
  return column === null ? [] : (JSON.parse(column) as string[]);
}

export function readMetadata(column: string | null): Metadata {
  return column === null ? {} : (JSON.parse(column) as Metadata);
}

export function readIntake(column: string | null): TaskIntake | null {
  return column === null ? null : (JSON.parse(column) as TaskIntake);
}

export function toTask(row: TaskRow, ownerId: string): Task {
  return {
    id: row[COLUMN.id],
    ownerId,
    content: row[COLUMN.content],
    priority: PRIORITIES[row[COLUMN.priority]] as Priority,
    source: row[COLUMN.source],
    tags: readTags(row[COLUMN.tags]),
    metadata: readMetadata(row[COLUMN.metadata]),
    pinned: row[COLUMN.pinned] === 1,
    createdAt: row[COLUMN.created_at],
    updatedAt: row[COLUMN.updated_at],
    expiresAt: row[COLUMN.expires_at],
    snoozedUntil: row[COLUMN.snoozed_until],
    version: row[COLUMN.version],
    dedupeKey: row[COLUMN.dedupe_key],
    occurrences: row[COLUMN.occurrences],
    lastOccurredAt: row[COLUMN.last_occurred_at],
    acknowledgedAt: row[COLUMN.acknowledged_at],
    reopens: row[COLUMN.reopens] === 1,
    intake: readIntake(row[COLUMN.intake]),
  };
}

/** What is written of a task; without its owner. `wakeAt`: of the row before, null for a new one. */
export function taskFields(task: Task, state: number = stateOf(task), wakeAt: number | null = null) {
  return {
    id: task.id,
    state,
    content: task.content,
    priority: PRIORITY_RANK[task.priority],
    source: task.source,
    tags: tagsColumn(task.tags),
    metadata: metadataColumn(task.metadata),
    pinned: Number(task.pinned),
    createdAt: task.createdAt,
    updatedAt: task.updatedAt,
    expiresAt: task.expiresAt,
    version: task.version,
    dedupeKey: task.dedupeKey,
    occurrences: task.occurrences,
    lastOccurredAt: task.lastOccurredAt,
    acknowledgedAt: task.acknowledgedAt,
    reopens: Number(task.reopens),
    purgeAt: purgeColumn(task, state),
    silentUntil: silentColumn(task),
    intake: intakeColumn(task.intake),
    snoozedUntil: task.snoozedUntil,
    wakeAt: wakeAtAfter(state, task, wakeAt),
  };
}

export type TaskFields = ReturnType<typeof taskFields> & { owner: number };

export const TASKS = tableOf<TaskFields>('tasks', [
  'owner',
  'id',
  'state',
  'content',
  'priority',
  'source',
  'tags',
  'metadata',
  'pinned',
  'createdAt',
  'updatedAt',
  'expiresAt',
  'version',
  'dedupeKey',
  'occurrences',
  'lastOccurredAt',
  'acknowledgedAt',
  'reopens',
  'purgeAt',
  'silentUntil',
  'intake',
  'snoozedUntil',
  'wakeAt',
]);

export function tagsColumn(tags: readonly string[]): string | null {
  return tags.length === 0 ? null : JSON.stringify(tags);
}

export function metadataColumn(metadata: Metadata): string | null {
  for (const _ in metadata) return JSON.stringify(metadata);
  return null;
}

export function intakeColumn(intake: Task['intake']): string | null {
  return intake ? JSON.stringify(intake) : null;
}

/** As {@link TASK_BYTES}, of texts as they are stored. */
export function bytesOf(content: string, tags: string | null, metadata: string | null): number {
  return (
    Buffer.byteLength(content) +
    (tags === null ? 0 : Buffer.byteLength(tags)) +
    (metadata === null ? 0 : Buffer.byteLength(metadata))
  );
}

/** As {@link TASK_BYTES}, of a stored row. */
export function bytesOfRow(row: TaskRow): number {
  return bytesOf(row[COLUMN.content], row[COLUMN.tags], row[COLUMN.metadata]);
}

/** Column `purge_at`: set exactly while the task is out of the queue. */
export function purgeColumn(task: Task, state: number): number | null {
  return state === GONE ? purgeAt(task) : null;
}

/** Column `silent_until`: set exactly while the task is acknowledged and suppresses repeats. */
function silentColumn(task: Task): number | null {
  return task.acknowledgedAt !== null && suppressesRepeats(task, task.acknowledgedAt) ? task.expiresAt : null;
}
