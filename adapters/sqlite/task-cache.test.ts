// What is kept is the very version that was asked for, and never more than was allowed.
import { describe, expect, it } from 'vitest';
import { draft, newTask } from '#core/domain/task.ts';
import { createTaskCache } from './task-cache.ts';

const task = (id: string) => newTask(draft({ content: id }), id, 'owner', 0);

describe('the task cache', () => {
  it('answers a task in the version it was kept in, and in no other', () => {
    const cache = createTaskCache();
    const kept = cache.keep(task('a'), 1);
    expect(cache.get('a', 1)).toBe(kept);
    expect(cache.get('a', 2)).toBeUndefined();
    expect(cache.get('b', 1)).toBeUndefined();
    const edited = cache.keep({ ...kept, version: 2 }, 1);
    expect([cache.get('a', 1), cache.get('a', 2)]).toEqual([undefined, edited]);
  });

  it('keeps what is asked for again, drops what is not, and weighs long texts', () => {
    const cache = createTaskCache(100_000);
    cache.keep(task('asked'), 100);
    cache.keep(task('forgotten'), 100);
    for (let count = 0; count < 300; count++) {
      cache.keep(task(`t${count}`), 100);
      expect(cache.get('asked', 1), `after ${count}`).toBeDefined();
    }
    expect(cache.get('forgotten', 1)).toBeUndefined();
    const remembered = Array.from({ length: 300 }, (_, count) => cache.get(`t${count}`, 1)).filter(Boolean);
    expect(remembered.length * 800).toBeLessThanOrEqual(100_000);
    cache.keep(task('huge'), 100_000);
    cache.keep(task('huge2'), 100_000);
    expect(cache.get('huge', 1)).toBeUndefined();
  });
});
