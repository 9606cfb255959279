// What repeats itself is logged once a minute.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createThrottledLog } from './throttled-log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('logs the first at once, the others of a minute as one line with their number, and then anew', () => {
  const lines: [object, string][] = [];
  const log = createThrottledLog({ warn: (fields, message) => void lines.push([fields, message]) });
  for (let index = 0; index < 100; index++) log.warn({ index }, 'away');
  log.warn({ adapter: 'smtp' }, 'away');
  expect(lines).toEqual([
    [{ index: 0 }, 'away'],
    [{ adapter: 'smtp' }, 'away'],
  ]);
  vi.advanceTimersByTime(60_000);
  expect(lines.splice(2)).toEqual([[{ index: 99, times: 99 }, 'away']]);
  vi.advanceTimersByTime(120_000);
  log.warn({ index: 100 }, 'away');
  expect(lines.splice(2)).toEqual([[{ index: 100 }, 'away']]);
});
