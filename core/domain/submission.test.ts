// What first versions stored is read as what this one stores.
import { expect, it } from 'vitest';
import { submissionOf } from './submission.ts';
import { draft } from '#test/helpers/records.ts';

const common = { ownerId: 'usr_1', adapter: 'webhook', at: 1, requestId: 'r' };
const inserts = [{ id: 'task_1', draft: draft({ content: 'disk full' }) }];

it('reads what the first versions left in a queue or a store, and what this one does', () => {
  const submission = { ...common, inserts, resolves: ['disk'] };
  expect(submissionOf({ ...common, orders: inserts, closes: ['disk'] })).toEqual(submission);
  expect(submissionOf(submission)).toEqual(submission);
  expect(submissionOf({ ...common, orders: inserts })).toEqual({ ...common, inserts });
});
