// The cache answers the version that was asked for, and never holds more than it may.
import { describe, expect, it } from 'vitest';
import { newTask } from '#core/domain/task.ts';
import { createTaskCache } from './task-cache.ts';
import { draft } from '#test/helpers/records.ts';

const task = (id: string) => newTask(draft({ content: id }), id, 'owner', 0);

describe('the task cache', () => {
  it('answers a task in the version that was added, and in no other', () => {
    const cache = createTaskCache();
    const cached = cache.add(task('a'), 1);
    expect(cache.get('owner', 'a', 1)).toBe(cached);
    expect(cache.get('owner', 'a', 2)).toBeUndefined();
    expect(cache.get('owner', 'b', 1)).toBeUndefined();
    const edited = cache.add({ ...cached, version: 2 }, 1);
    expect([cache.get('owner', 'a', 1), cache.get('owner', 'a', 2)]).toEqual([undefined, edited]);
  });

  it('answers no task of another owner, and none that was forgotten', () => {
    const cache = createTaskCache();
    cache.add(task('a'), 1);
    expect(cache.get('other', 'a', 1)).toBeUndefined();
    expect(cache.get('owner', 'a', 1)).toBeDefined();
    cache.forget('a');
    expect(cache.get('owner', 'a', 1)).toBeUndefined();
  });

  it('evicts what is not asked for again, and counts long texts', () => {
    const cache = createTaskCache(100_000);
    cache.add(task('asked'), 100);
    cache.add(task('unused'), 100);
    for (let count = 0; count < 300; count++) {
      cache.add(task(`t${count}`), 100);
      expect(cache.get('owner', 'asked', 1), `after ${count}`).toBeDefined();
    }
    expect(cache.get('owner', 'unused', 1)).toBeUndefined();
    const cached = Array.from({ length: 300 }, (_, count) => cache.get('owner', `t${count}`, 1)).filter(
      Boolean,
    );
    expect(cached.length * 800).toBeLessThanOrEqual(100_000);
    cache.add(task('huge'), 100_000);
    cache.add(task('huge2'), 100_000);
    expect(cache.get('owner', 'huge', 1)).toBeUndefined();
  });
});
