import { describe, expect, it } from 'vitest';
import { GONE, LIVE, PINNED, stateAfter, stateOf } from './task-state.ts';
import {
  acknowledgeTask,
  extendTask,
  newTask,
  pinTask,
  resolveTask,
  restoreTask,
  suppressRepeat,
  type Task,
} from './task.ts';
import { draft } from '#test/helpers/records.ts';

const NOW = Date.UTC(2026, 10, 22);
const again = draft({ content: 'backup failed', dedupeKey: 'k', reopens: false });
const task = newTask(again, 'task_1', 'ada', NOW);
const acknowledged = acknowledgeTask(task, NOW) as Task;

describe('the state of a stored task', () => {
  it('is gone when it is acknowledged, and else says whether it is pinned', () => {
    expect(stateOf(task)).toBe(LIVE);
    expect(stateOf({ ...task, pinned: true })).toBe(PINNED);
    expect(stateOf(acknowledged)).toBe(GONE);
    expect(stateOf({ ...acknowledged, pinned: true })).toBe(GONE);
  });

  it.each([
    ['pinned', LIVE, task, pinTask(task, true, NOW), PINNED, false],
    ['acknowledged', LIVE, task, acknowledged, GONE, false],
    ['restored', GONE, acknowledged, restoreTask(acknowledged, NOW), LIVE, true],
    [
      'counted while it suppresses repeats',
      GONE,
      acknowledged,
      suppressRepeat(acknowledged, again, NOW),
      GONE,
      false,
    ],
    ['resolved', LIVE, task, resolveTask(task, NOW), GONE, false],
    ['swept and edited', GONE, task, { ...task, content: 'late' }, GONE, false],
    ['swept and given more time', GONE, task, extendTask(task, 60, NOW), LIVE, true],
    ['swept and pinned', GONE, task, pinTask(task, true, NOW), PINNED, true],
  ] as const)('after it was %s', (_, state, before, after, next, returns) => {
    expect(stateAfter(state, before, after as Task)).toEqual({ state: next, returns });
  });
});
