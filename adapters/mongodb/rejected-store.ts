// Rejected submissions, stored as JSON, because a document cannot have every key of a sender's metadata.
import { createByteBudget } from '#core/domain/page.ts';
import { REJECTED_TTL_MS, type RejectedSubmission, submissionOf } from '#core/domain/submission.ts';
import type { RejectedStore } from '#core/ports/rejected-store.ts';
import type { Database, Query, Versioned } from './server/collection.ts';

export interface RejectedDocument extends Versioned {
  /** Absent in documents of old versions, which are gone after a day. */
  owner?: string;
  submission: string;
  code: RejectedSubmission['code'];
  reason: string;
  attempts: number;
  rejectedAt: Date;
  purgeAt: Date;
}

export function createMongoRejectedStore(database: Database): RejectedStore {
  const rejected = database.collection<RejectedDocument>('rejected');
  const since = (now: number): Query => ({ rejectedAt: { $gt: new Date(now - REJECTED_TTL_MS) } });
  const bytesOf = ({ submission }: RejectedDocument) => Buffer.byteLength(submission);

  return {
    add: (record) => rejected.upsert(rejectedDocument(record)),
    async list(now, limit) {
      const within = { budget: createByteBudget(), bytesOf };
      const sort = { rejectedAt: -1, _id: -1 } as const;
      return (await rejected.find(since(now), { sort, limit, hint: 'latest', within })).map(toRejected);
    },
    async get(id, now) {
      const found = await rejected.read(id);
      return found === null || found.purgeAt.getTime() <= now ? null : toRejected(found);
    },
    count: (now) => rejected.count(since(now)),
    remove: async (id) => (await rejected.removeMany({ _id: id })) === 1,
    async purge(now) {
      await rejected.removeMany({ purgeAt: { $lte: new Date(now) } });
    },
  };
}

export function rejectedDocument({ id, submission, ...record }: RejectedSubmission): RejectedDocument {
  return {
    _id: id,
    v: 1,
    owner: submission.ownerId,
    ...record,
    submission: JSON.stringify(submission),
    rejectedAt: new Date(record.rejectedAt),
    purgeAt: new Date(record.rejectedAt + REJECTED_TTL_MS),
  };
}

export function toRejected(document: RejectedDocument): RejectedSubmission {
  const { _id, v: _v, owner: _owner, purgeAt: _purgeAt, submission, rejectedAt, ...record } = document;
  return {
    id: _id,
    submission: submissionOf(JSON.parse(submission) as object),
    ...record,
    rejectedAt: rejectedAt.getTime(),
  };
}
