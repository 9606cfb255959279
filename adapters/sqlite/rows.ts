// Tasks as rows and back. Empty tags and metadata are NULL, so that most rows cost no JSON at all.
import type { Priority } from '#core/contract/index.ts';
import { suppressesRepeats, purgeAt, type Metadata, type Task } from '#core/domain/task.ts';
import type { Row } from './database.ts';

/** The priority's number in the file; greater is more urgent. */
export const PRIORITY_NUMBER: Record<Priority, number> = { low: 0, normal: 1, high: 2 };
const PRIORITY_NAME: readonly Priority[] = ['low', 'normal', 'high'];

/** Column `state`: out of the live ones (acknowledged, or expired and swept), live, live and pinned. */
export const GONE = 0;
export const LIVE = 1;
export const PINNED = 2;

/** What {@link toTask} reads, in its order; the first two are the row's own affair. */
export const TASK_COLUMNS =
  'seq, state, id, content, priority, source, tags, metadata, pinned, created_at, updated_at, expires_at, ' +
  'version, dedupe_key, occurrences, last_occurred_at, acknowledged_at, reopens';

/** Bytes of what may be long in a task. Read from the row's header, without the pages that the texts are on. */
export const TASK_BYTES =
  'octet_length(content) + ifnull(octet_length(tags), 0) + ifnull(octet_length(metadata), 0)';

/** The task in a row of {@link TASK_COLUMNS}. */
export function toTask(row: Row, ownerId: string): Task {
  return {
    id: row[2] as string,
    ownerId,
    content: row[3] as string,
    priority: PRIORITY_NAME[row[4] as number] as Priority,
    source: row[5] as string,
    tags: row[6] === null ? [] : (JSON.parse(row[6] as string) as string[]),
    metadata: row[7] === null ? {} : (JSON.parse(row[7] as string) as Metadata),
    pinned: row[8] === 1,
    createdAt: row[9] as number,
    updatedAt: row[10] as number,
    expiresAt: row[11] as number,
    version: row[12] as number,
    dedupeKey: row[13] as string | null,
    occurrences: row[14] as number,
    lastOccurredAt: row[15] as number,
    acknowledgedAt: row[16] as number | null,
    reopens: row[17] === 1,
  };
}

/** Tags as kept. */
export function tagsColumn(tags: readonly string[]): string | null {
  return tags.length === 0 ? null : JSON.stringify(tags);
}

/** Metadata as kept. */
export function metadataColumn(metadata: Metadata): string | null {
  for (const _ in metadata) return JSON.stringify(metadata);
  return null;
}

/** As {@link TASK_BYTES}, of texts as they are kept. */
export function bytesOf(content: string, tags: string | null, metadata: string | null): number {
  return (
    Buffer.byteLength(content) +
    (tags === null ? 0 : Buffer.byteLength(tags)) +
    (metadata === null ? 0 : Buffer.byteLength(metadata))
  );
}

/** The state of a task that is not swept. */
export function stateOf(task: Task): number {
  if (task.acknowledgedAt !== null) return GONE;
  return task.pinned ? PINNED : LIVE;
}

/** Column `purge_at`: set exactly while the task is out of the live ones. */
export function purgeColumn(task: Task, state: number): number | null {
  return state === GONE ? purgeAt(task) : null;
}

/** Column `silent_until`: set exactly while the task, acknowledged, holds its dedupe key. */
export function silentColumn(task: Task): number | null {
  return task.acknowledgedAt !== null && suppressesRepeats(task, task.acknowledgedAt) ? task.expiresAt : null;
}
