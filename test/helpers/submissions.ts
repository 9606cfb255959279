// Builders of submissions: valid, unique, and different only where the test says so.
import { randomUUID } from 'node:crypto';
import type { Submission } from '#core/domain/submission.ts';
import { newOwner, insertOf } from './records.ts';

/** A submission of `tasks` tasks, of an owner of its own. */
export function submissionOf(fields: Partial<Submission> = {}, tasks = 1): Submission {
  return {
    ownerId: newOwner(),
    adapter: 'webhook',
    inserts: Array.from({ length: tasks }, () => insertOf()),
    at: Date.UTC(2026, 10, 21, 9),
    requestId: randomUUID(),
    ...fields,
  };
}
