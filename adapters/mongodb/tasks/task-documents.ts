// Tasks as documents and back. Besides the task itself a document has what its indexes need.
import { randomInt } from 'node:crypto';
import { Long } from 'mongodb';
import type { Priority, TaskIntake } from '#core/contract/index.ts';
import { GONE, PINNED, PRIORITIES, stateOf, wakeAtAfter } from '#core/domain/task-state.ts';
import { PRIORITY_RANK, purgeAt, type Metadata, type Task } from '#core/domain/task.ts';
import { withMoreWork, type NewWork } from '#core/domain/work.ts';
import type { CollectionOptions, Database, Fields, Versioned } from '../server/collection.ts';

export interface TaskDocument extends Versioned {
  owner: string;
  state: number;
  content: string;
  priority: Priority;
  source: string;
  tags: string[];
  /** JSON, because a document cannot have every key of a sender (a NUL, `$set`). Null when empty. */
  metadata: string | null;
  pinned: boolean;
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date;
  /** Absent means null. */
  snoozedUntil?: Date;
  version: number;
  dedupeKey: string | null;
  occurrences: number;
  lastOccurredAt: Date;
  acknowledgedAt: Date | null;
  /** Absent means true. */
  reopens?: false;
  /** Absent in tasks that came another way, and in documents of old versions. */
  intake?: TaskIntake;
  /** When it leaves the queue: `expiresAt`, never (pinned), or long ago (gone). */
  visibleUntil: Date;
  /** Twice the rank of the priority, plus one when pinned: statistics count by it. */
  bucket: number;
  /** A new random number with each change; see the revision in task-list.ts. */
  salt: Long;
  /** When it wakes; absent when it does not sleep, or its waking was told: see `wakeAtAfter`. */
  wakeAt?: Date;
  /** Counts towards the owner's quota, see {@link documentBytes}. Absent in documents of old versions. */
  bytes?: number;
  /** When the server may remove it; absent while it is pinned. */
  purgeAt?: Date;
  /** Ids of inserts that repeated the task and may not be completed in `applied_orders` yet: a few. */
  applied?: string[];
  /** The submission that resolved it with its last change: a further attempt of that one says so again. */
  resolvedBy?: string;
  /** Of older versions. */
  sweptBy?: string;
  /** Work that its changes made and that is not moved to its lanes yet, each as JSON, in order. */
  outbox?: string[];
  /** Since when there is any. */
  outboxSince?: Date;
}

/** All fields that a document may not have, and what the collection is sharded by. */
const TASKS: CollectionOptions<TaskDocument> = {
  optional: {
    snoozedUntil: true,
    reopens: true,
    intake: true,
    wakeAt: true,
    bytes: true,
    purgeAt: true,
    applied: true,
    resolvedBy: true,
    sweptBy: true,
    outbox: true,
    outboxSince: true,
  },
  shardKey: 'owner',
};

export const tasksOf = (database: Database) => database.collection<TaskDocument>('tasks', TASKS);

const NEVER = new Date(Date.UTC(9999, 0));
const LONG_AGO = new Date(0);
const SALTS = 2 ** 47;

/** What a sweep changes in a task that is past its time. Nothing visible, so the salt stays. */
export const SWEPT = { state: GONE, visibleUntil: LONG_AGO };

/** The document of a task in its first version. */
export function newDocument(task: Task, work: readonly NewWork[] = []): TaskDocument {
  return { _id: task.id, v: 1, ...fieldsOf(task, stateOf(task), {}, work) };
}

/**
 * The document of a changed task. `before`: what is taken over from the document as it was. `work`: what the
 * change makes.
 */
export function fieldsOf(
  task: Task,
  state: number,
  before: Partial<Pick<TaskDocument, 'applied' | 'wakeAt' | 'outbox' | 'outboxSince'>>,
  work: readonly NewWork[] = [],
): Fields<TaskDocument> {
  const { applied = [] } = before;
  const wakeAt = wakeAtAfter(state, task, before.wakeAt?.getTime() ?? null);
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
    ...(task.snoozedUntil === null ? {} : { snoozedUntil: new Date(task.snoozedUntil) }),
    version: task.version,
    dedupeKey: task.dedupeKey,
    occurrences: task.occurrences,
    lastOccurredAt: new Date(task.lastOccurredAt),
    acknowledgedAt: task.acknowledgedAt === null ? null : new Date(task.acknowledgedAt),
    ...(task.reopens ? {} : { reopens: false }),
    ...(task.intake ? { intake: { ...task.intake } } : {}),
    visibleUntil: state === GONE ? LONG_AGO : state === PINNED ? NEVER : new Date(task.expiresAt),
    bucket: PRIORITY_RANK[task.priority] * 2 + (task.pinned ? 1 : 0),
    salt: Long.fromNumber(randomInt(1, SALTS)),
    bytes: documentBytes({ content: task.content, tags: task.tags, metadata }),
    ...(wakeAt === null ? {} : { wakeAt: new Date(wakeAt) }),
    ...(purge === null ? {} : { purgeAt: new Date(purge) }),
    ...(applied.length === 0 ? {} : { applied: [...applied] }),
    ...outboxFields(before, work),
  };
}

/** The outbox with more work; nothing when it is empty. */
export function outboxFields(
  { outbox, outboxSince }: Partial<Pick<TaskDocument, 'outbox' | 'outboxSince'>>,
  work: readonly NewWork[],
): Pick<TaskDocument, 'outbox' | 'outboxSince'> {
  const [first] = work;
  if (first === undefined)
    return outbox === undefined || outboxSince === undefined ? {} : { outbox, outboxSince };
  const before = (outbox ?? []).map((json) => JSON.parse(json) as NewWork);
  return {
    outbox: withMoreWork(before, work).map((one) => JSON.stringify(one)),
    outboxSince: outboxSince ?? new Date(first.createdAt),
  };
}

/** As {@link documentBytes}, of a task or a draft. */
export function bytesOfTask(task: Pick<Task, 'content' | 'tags' | 'metadata'>): number {
  const { content, tags, metadata } = task;
  const isEmpty = Object.keys(metadata).length === 0;
  return documentBytes({ content, tags, metadata: isEmpty ? null : JSON.stringify(metadata) });
}

/** The priority and pin that a bucket stands for. */
export function bucketOf(bucket: number): { priority: Priority; pinned: boolean } {
  return { priority: PRIORITIES[bucket >> 1] as Priority, pinned: (bucket & 1) === 1 };
}

interface Texts {
  content: string;
  tags: readonly string[];
  metadata: string | null;
}

/** Bytes of the texts of a task that may be long. */
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
    snoozedUntil: document.snoozedUntil?.getTime() ?? null,
    version: document.version,
    dedupeKey: document.dedupeKey,
    occurrences: document.occurrences,
    lastOccurredAt: document.lastOccurredAt.getTime(),
    acknowledgedAt: document.acknowledgedAt?.getTime() ?? null,
    reopens: document.reopens ?? true,
    intake: document.intake ?? null,
  };
}
