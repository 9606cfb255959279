// Tasks and rejected submissions as the API shows them.
import type { Rejected, Task as TaskBody, TaskReceipt } from '#core/contract/index.ts';
import type { Task } from '#core/domain/task.ts';
import type { RejectedSubmission } from '#core/domain/submission.ts';
import { isoTime } from './time.ts';

const written = new WeakMap<Task, string>();

/** {@link presentTask} as JSON. A version of a task never changes, so its text is made once. */
export function taskJson(task: Task): string {
  let json = written.get(task);
  if (json === undefined) {
    json = JSON.stringify(presentTask(task));
    written.set(task, json);
  }
  return json;
}

/** A task without its owner and the time of its acknowledgement. */
export function presentTask(task: Task): TaskBody {
  return {
    id: task.id,
    content: task.content,
    priority: task.priority,
    source: task.source,
    createdAt: isoTime(task.createdAt),
    updatedAt: isoTime(task.updatedAt),
    expiresAt: isoTime(task.expiresAt),
    // Processes of an older version publish tasks that have no such field.
    snoozedUntil: typeof task.snoozedUntil === 'number' ? isoTime(task.snoozedUntil) : null,
    pinned: task.pinned,
    metadata: task.metadata,
    tags: task.tags as string[],
    version: task.version,
    occurrences: task.occurrences,
    lastOccurredAt: isoTime(task.lastOccurredAt),
    ...(task.dedupeKey === null ? {} : { dedupeKey: task.dedupeKey }),
    // Processes of an older version publish tasks that have no such field.
    ...(task.intake ? { intake: task.intake } : {}),
  };
}

/** A task for a caller who may not read it. */
export function presentReceipt({ id, version, occurrences }: Task): TaskReceipt {
  return { id, version, occurrences };
}

/** `emails`: of owners, by their ids. */
export function presentRejected(
  { id, submission, code, reason, attempts, rejectedAt }: RejectedSubmission,
  emails: ReadonlyMap<string, string>,
): Rejected {
  const { adapter, ownerId, inserts, at, requestId } = submission;
  return {
    id,
    adapter,
    owner: emails.get(ownerId) ?? null,
    content: inserts[0]?.draft.content ?? '',
    tasks: inserts.length,
    code,
    reason,
    attempts,
    submittedAt: isoTime(at),
    rejectedAt: isoTime(rejectedAt),
    requestId,
  };
}
