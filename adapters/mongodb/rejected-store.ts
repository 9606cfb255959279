// Submissions that could not become tasks, in MongoDB. The submission itself is kept as JSON, because a sender's metadata may
// have keys that no document can have.
import { createByteBudget } from '#core/domain/page.ts';
import { submissionOf } from '#core/domain/submission.ts';
import { REJECTED_TTL_MS, type RejectedStore, type RejectedSubmission } from '#core/ports/rejected-store.ts';
import type { Calls } from './deadline.ts';
import type { Documents, Filter, Kept } from './documents.ts';
import { purge } from './sweeper.ts';

export interface RejectedDocument extends Kept {
  submission: string;
  code: RejectedSubmission['code'];
  reason: string;
  attempts: number;
  rejectedAt: Date;
  purgeAt: Date;
}

const PURGE_BATCH = 500;

export function createMongoRejectedStore(documents: Documents, calls: Calls): RejectedStore {
  const table = documents.table<RejectedDocument>('rejected');
  const since = (now: number): Filter => ({ rejectedAt: { $gt: new Date(now - REJECTED_TTL_MS) } });

  return {
    add: (rejected) => calls.run(() => table.put(rejectedDocument(rejected))),
    list: (now, limit) =>
      calls.run(async () => {
        const found = await table.find(since(now), {
          sort: { rejectedAt: -1, _id: -1 },
          limit,
          index: 'latest',
          filling: { into: createByteBudget(), bytesOf: ({ submission }) => Buffer.byteLength(submission) },
        });
        return found.map(toRejected);
      }),
    get: (id, now) =>
      calls.run(async () => {
        const document = await table.read(id);
        if (document === null || document.purgeAt.getTime() <= now) return null;
        return toRejected(document);
      }),
    count: (now) => calls.run(() => table.count(since(now))),
    remove: (id) => calls.run(() => table.take(id)),
    purge: (now) =>
      calls.run(async () => {
        while ((await purge(table, {}, now, PURGE_BATCH)) === PURGE_BATCH);
      }),
  };
}

/** The document of a submission. */
export function rejectedDocument(rejected: RejectedSubmission): RejectedDocument {
  const { id, submission, code, reason, attempts, rejectedAt } = rejected;
  return {
    _id: id,
    v: 1,
    submission: JSON.stringify(submission),
    code,
    reason,
    attempts,
    rejectedAt: new Date(rejectedAt),
    purgeAt: new Date(rejectedAt + REJECTED_TTL_MS),
  };
}

/** The submission in a document. */
export function toRejected(document: RejectedDocument): RejectedSubmission {
  return {
    id: document._id,
    submission: submissionOf(JSON.parse(document.submission) as object),
    code: document.code,
    reason: document.reason,
    attempts: document.attempts,
    rejectedAt: document.rejectedAt.getTime(),
  };
}
