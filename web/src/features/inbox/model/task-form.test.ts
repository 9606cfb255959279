import { expect, test } from 'vitest';
import { aTask } from '../../../../test/tasks.ts';
import { changedFields } from './task-form.ts';

test('an edit says only what differs from the task', () => {
  const task = aTask({ content: 'one', priority: 'low', tags: ['a', 'b'] });
  const { content, priority, tags } = task;
  expect(changedFields(task, { content, priority, tags })).toEqual({});
  expect(changedFields(task, { content: 'two', priority, tags })).toEqual({ content: 'two' });
  expect(changedFields(task, { content, priority: 'high', tags: ['b'] })).toEqual({
    priority: 'high',
    tags: ['b'],
  });
});

test('a tag with a comma stays one tag where the tags are left alone', () => {
  const task = aTask({ content: 'one', tags: ['a,b'] });
  const { priority } = task;
  expect(changedFields(task, { content: 'two', priority, tags: ['a', 'b'] })).toEqual({ content: 'two' });
});
