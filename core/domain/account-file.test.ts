// What becomes of the tasks of a file.
import { expect, it } from 'vitest';
import { insertOf, newOwner } from '#test/helpers/records.ts';
import { fromFileTask, toFileTask } from './account-file.ts';
import { newTask, pinTask, snoozeTask, type Task } from './task.ts';

const NOW = Date.UTC(2026, 10, 21, 9);
const HOUR = 60 * 60_000;
const ownerId = newOwner();

const { id, draft } = insertOf();
const task = newTask(draft, id, ownerId, NOW);
const asleep = snoozeTask(task, NOW + 2 * HOUR, NOW) as Task;
const read = (one: Task, fields: { expiresAt?: string } = {}, now = NOW) =>
  fromFileTask({ ...toFileTask(one), ...fields }, { ownerId, now, idOf: (intake) => intake });

it('are as they were, awake, asleep or pinned', () => {
  for (const one of [task, asleep, pinTask(asleep, true, NOW) as Task]) expect(read(one)).toEqual(one);
});

it('have time left when they wake, whatever a file says that somebody has changed', () => {
  const expiresAt = new Date(NOW + HOUR).toISOString();
  expect(read(asleep, { expiresAt })).toEqual({ ...asleep, expiresAt: NOW + 3 * HOUR });
  // What woke meanwhile has as long as it says.
  expect(read(asleep, {}, NOW + 3 * HOUR)?.expiresAt).toBe(asleep.expiresAt);
});

it('are left out when their time is up', () => {
  expect(read(asleep, { expiresAt: new Date(NOW).toISOString() })).toBeNull();
  expect(read(task, {}, task.expiresAt)).toBeNull();
});
