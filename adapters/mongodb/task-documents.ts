// Tasks as documents and back. Besides the task itself a document has what its indexes need.
import { randomInt } from 'node:crypto';
import { Long } from 'mongodb';
import type { Priority } from '#core/contract/index.ts';
import { purgeAt, type Metadata, type Task } from '#core/domain/task.ts';
import type { Kept } from './documents.ts';

/** `state`: out of the live ones (acknowledged, or expired and told), live, live and pinned. */
export const GONE = 0;
export const LIVE = 1;
export const PINNED = 2;

export interface TaskDocument extends Kept {
  owner: string;
  state: number;
  content: string;
  priority: Priority;
  source: string;
  tags: string[];
  /** JSON, because a sender's keys may be what no document can have (a NUL, `$set`). Null when empty. */
  metadata: string | null;
  pinned: boolean;
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date;
  version: number;
  dedupeKey: string | null;
  occurrences: number;
  lastOccurredAt: Date;
  acknowledgedAt: Date | null;
  /** Absent means true. */
  reopens?: false;
  /** When it goes out of sight: `expiresAt`, never (pinned), or long ago (out of the live ones). */
  visibleUntil: Date;
  /** Twice the number of the priority, and one more when pinned: what statistics count by. */
  bucket: number;
  /** Drawn anew whenever the task changes; see the revision in task-list.ts. */
  salt: Long;
  /** What counts towards the owner's quota: see {@link documentBytes}. Absent in old ones. */
  bytes?: number;
  /** When the server may remove it; absent while it is pinned. */
  purgeAt?: Date;
  /** Orders that repeated the task and may not be noted as applied elsewhere yet. */
  applied?: string[];
}

const NEVER = new Date(Date.UTC(9999, 0));
const LONG_AGO = new Date(0);
const SALTS = 2 ** 47;
const PRIORITIES: readonly Priority[] = ['low', 'normal', 'high'];

/** The document of a task in its first version. */
export function newDocument(task: Task): TaskDocument {
  return { _id: task.id, v: 1, ...fieldsOf(task, LIVE, []) };
}

/** What a document says of a task that was changed. */
export function fieldsOf(
  task: Task,
  state: number,
  applied: readonly string[],
): Omit<TaskDocument, '_id' | 'v'> {
  const purge = purgeAt(task);
  const metadata = Object.keys(task.metadata).length === 0 ? null : JSON.stringify(task.metadata);
  return {
    owner: task.ownerId,
    state,
    content: task.content,
    priority: task.priority,
    source: task.source,
    tags: [...task.tags],
    metadata,
    pinned: task.pinned,
    createdAt: new Date(task.createdAt),
    updatedAt: new Date(task.updatedAt),
    expiresAt: new Date(task.expiresAt),
    version: task.version,
    dedupeKey: task.dedupeKey,
    occurrences: task.occurrences,
    lastOccurredAt: new Date(task.lastOccurredAt),
    acknowledgedAt: task.acknowledgedAt === null ? null : new Date(task.acknowledgedAt),
    ...(task.reopens ? {} : { reopens: false }),
    visibleUntil: state === GONE ? LONG_AGO : state === PINNED ? NEVER : new Date(task.expiresAt),
    bucket: PRIORITIES.indexOf(task.priority) * 2 + (task.pinned ? 1 : 0),
    salt: Long.fromNumber(randomInt(1, SALTS)),
    bytes: documentBytes({ content: task.content, tags: task.tags, metadata }),
    ...(purge === null ? {} : { purgeAt: new Date(purge) }),
    ...(applied.length === 0 ? {} : { applied: [...applied] }),
  };
}

/** As {@link documentBytes}, of a task or of what it is to be made of. */
export function bytesOfTask({
  content,
  tags,
  metadata,
}: Pick<Task, 'content' | 'tags' | 'metadata'>): number {
  const isEmpty = Object.keys(metadata).length === 0;
  return documentBytes({ content, tags, metadata: isEmpty ? null : JSON.stringify(metadata) });
}

/** What the bucket of a document stands for. */
export function bucketOf(bucket: number): { priority: Priority; pinned: boolean } {
  return { priority: PRIORITIES[bucket >> 1] as Priority, pinned: (bucket & 1) === 1 };
}

/** The state of a task that is not swept. */
export function stateOf(task: Task): number {
  if (task.acknowledgedAt !== null) return GONE;
  return task.pinned ? PINNED : LIVE;
}

interface Texts {
  content: string;
  tags: readonly string[];
  metadata: string | null;
}

/** Bytes of what may be long in a task. */
export function documentBytes({ content, tags, metadata }: Texts): number {
  const texts = [content, ...tags, metadata ?? ''];
  return texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);
}

/** The task in a document. */
export function toTask(document: TaskDocument): Task {
  return {
    id: document._id,
    ownerId: document.owner,
    content: document.content,
    priority: document.priority,
    source: document.source,
    tags: document.tags,
    metadata: document.metadata === null ? {} : (JSON.parse(document.metadata) as Metadata),
    pinned: document.pinned,
    createdAt: document.createdAt.getTime(),
    updatedAt: document.updatedAt.getTime(),
    expiresAt: document.expiresAt.getTime(),
    version: document.version,
    dedupeKey: document.dedupeKey,
    occurrences: document.occurrences,
    lastOccurredAt: document.lastOccurredAt.getTime(),
    acknowledgedAt: document.acknowledgedAt?.getTime() ?? null,
    reopens: document.reopens ?? true,
  };
}
