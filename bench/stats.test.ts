import { describe, expect, test } from 'vitest';
import { judge, summarise } from './measure/stats.ts';

describe('a measured ratio', () => {
  test('is the median with its quartiles', () => {
    expect(summarise([4, 1, 3, 2, 5])).toEqual({ median: 3, q1: 2, q3: 4 });
    expect(summarise([1, 2])).toEqual({ median: 1.5, q1: 1.25, q3: 1.75 });
  });

  test('of nothing is an error, not a pass', () => {
    expect(() => summarise([])).toThrow('nothing was measured');
  });

  test('meets or misses its goal', () => {
    expect(judge(summarise([0.7, 0.71, 0.72]), { atLeast: 0.7 })).toBe('met');
    expect(judge(summarise([0.66, 0.67, 0.68]), { atLeast: 0.7 })).toBe('missed');
    expect(judge(summarise([24]), { atMost: 25 })).toBe('met');
    expect(judge(summarise([26]), { atMost: 25 })).toBe('missed');
  });

  test('is not judged when the quartiles lie more than 0.3 of the median apart, with the goal between them', () => {
    expect(judge(summarise([0.5, 0.8, 1.2]), { atLeast: 0.9 })).toBe('not judged');
    expect(judge(summarise([0.5, 0.8, 1.2]), { atLeast: 0.7 })).toBe('not judged');
    expect(judge(summarise([0.5, 0.8, 1.2]), { atLeast: 0.1 })).toBe('met');
    expect(judge(summarise([0.5, 0.8, 1.2]), { atMost: 0.1 })).toBe('missed');
    expect(judge(summarise([Number.NaN]), { atLeast: 0.1 })).toBe('not judged');
    expect(judge(summarise([Infinity]), { atLeast: 0.1 })).toBe('not judged');
  });
});
