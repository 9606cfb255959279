import { describe, expect, test } from 'vitest';
import { aTask } from '../../../../test/tasks.ts';
import { NewRows } from './new-rows.ts';

describe('arrivals', () => {
  const [newest, middle, oldest] = [aTask(), aTask(), aTask()];

  test('wait while someone reads, and come when they stop', () => {
    const arrivals = new NewRows();
    arrivals.split([middle, oldest], true, '');
    expect(arrivals.split([newest, middle, oldest], true, '')).toEqual({ shown: [middle, oldest], held: 1 });
    expect(arrivals.split([newest, middle, oldest], false, '').held).toBe(0);
    expect(arrivals.split([newest, middle, oldest], true, '').held).toBe(0);
  });

  test('below the last row, or of their own making, do not wait', () => {
    const arrivals = new NewRows();
    arrivals.split([middle], true, '');
    expect(arrivals.split([middle, oldest], true, '').held).toBe(0);
    arrivals.include(newest.id);
    expect(arrivals.split([newest, middle, oldest], true, '').held).toBe(0);
  });

  test('are known while they are listed or were lately: what left the list long ago takes no memory', () => {
    const arrivals = new NewRows();
    arrivals.split([newest, oldest], false, '');
    arrivals.split([oldest], false, '');
    for (let index = 0; index < 2000; index++)
      arrivals.split([aTask({ id: `passing-${index}` }), oldest], false, '');
    arrivals.include(middle.id);
    expect(arrivals.split([aTask({ id: 'passing-1999' }), middle, oldest], true, '').held).toBe(0);
    expect(arrivals.split([newest, middle, oldest], true, '').held).toBe(1);
  });

  test('of another filter are a list of their own', () => {
    const arrivals = new NewRows();
    arrivals.split([oldest], true, 'all');
    expect(arrivals.split([newest, oldest], true, 'high').held).toBe(0);
  });
});
