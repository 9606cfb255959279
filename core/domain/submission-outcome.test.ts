// What is stored of an insert that repeated a task, and of a claim.
import { expect, it } from 'vitest';
import { draft } from '#test/helpers/records.ts';
import {
  outcomeOfRepeat,
  readAnswer,
  repeatedIds,
  repeatedTaskId,
  replayOf,
  storedAnswer,
  storedRepeat,
  type TaskOutcome,
} from './submission-outcome.ts';
import { newTask } from './task.ts';

const large = draft({
  content: '🛟'.repeat(10_000),
  source: 's'.repeat(50),
  tags: Array.from({ length: 20 }, (_, index) => `${index} `.padEnd(50, 't')),
  metadata: { log: 'x'.repeat(64_000) },
  dedupeKey: 'k'.repeat(255),
  intake: { id: 'int_1', name: 'n'.repeat(100), deliveryId: 'dlv_1' },
});
const task = newTask(large, 'task_1', 'user_1', 1);

it('is small, has the task id, and is a whole outcome to older versions, which publish it to nobody', () => {
  const stored = storedRepeat(task);
  expect(stored.length).toBeLessThan(1000);
  expect(repeatedTaskId(stored)).toBe(task.id);
  const read = JSON.parse(stored) as TaskOutcome;
  expect(read).toMatchObject({ created: false, task: { id: task.id, ownerId: task.ownerId } });
  expect(Object.keys(read.task).toSorted()).toEqual(Object.keys(task).toSorted());
  expect(read.task.acknowledgedAt).toBe(task.updatedAt);
});

it('is read also as older versions stored it', () => {
  expect(repeatedTaskId(JSON.stringify({ task, created: false }))).toBe(task.id);
});

it('answers the task as it is now or, once that is gone, what the insert says as acknowledged', () => {
  const gone = { id: task.id, ownerId: task.ownerId, draft: draft({ content: 'again' }), at: 7 };
  const now = { ...task, occurrences: 3 };
  expect(outcomeOfRepeat(now, gone)).toEqual({ task: now, created: false });
  expect(outcomeOfRepeat(null, gone)).toMatchObject({
    task: { id: task.id, ownerId: task.ownerId, content: 'again', acknowledgedAt: 7 },
    created: false,
  });
});

const claim = { scope: 'key:1', key: 'nightly', fingerprint: 'f1' };
const inserts = [{ id: task.id, draft: large }];

it('is small for each task of a claim too, whole to older versions, and answered as the first time', () => {
  for (const outcome of [
    { task, created: true },
    { task: { ...task, occurrences: 2, version: 2 }, created: false },
  ]) {
    const stored = storedAnswer(claim, [outcome]);
    expect(stored.length).toBeLessThan(1000);
    const [read] = JSON.parse(stored) as [TaskOutcome];
    expect(Object.keys(read.task).toSorted()).toEqual(Object.keys(task).toSorted());
    const answer = readAnswer(stored);
    expect(repeatedIds(answer)).toEqual(outcome.created ? [] : [task.id]);
    const outcomes = JSON.stringify([outcome]);
    expect(JSON.stringify(replayOf(answer, inserts, new Map([[task.id, task]])).outcomes)).toBe(outcomes);
  }
});

it('of a claim is read also as older versions stored it', () => {
  const outcomes = [{ task, created: false }];
  const answer = readAnswer(JSON.stringify(outcomes));
  expect(repeatedIds(answer)).toEqual([]);
  const other = [{ id: task.id, draft: draft({ content: 'other' }) }];
  expect(replayOf(answer, other, new Map())).toEqual({ kind: 'replayed', taskIds: [task.id], outcomes });
});
