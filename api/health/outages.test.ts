// What the log of connections says of a state that lasts: once that it began, and once that it is over.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createOutages, onceAState } from './outages.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function createLog() {
  const lines: { fields: object; message: string }[] = [];
  const write = (fields: object, message: string) => void lines.push({ fields, message });
  const log = { debug: write, info: write, warn: write, error: write };
  return { lines, log: onceAState(log, createOutages(log)) };
}

it('tells of what comes again and again once, and that it is over once it has stopped', async () => {
  const { lines, log } = createLog();
  for (let second = 0; second < 10; second++) {
    log.warn({}, 'it cannot be reached');
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(lines).toEqual([{ fields: {}, message: 'it cannot be reached' }]);
  await vi.advanceTimersByTimeAsync(6000);
  expect(lines[1]).toMatchObject({
    fields: { part: 'it cannot be reached', failures: 10 },
    message: 'it is over',
  });
});

it('does not say of a state that is told of once that it is over, before it is', async () => {
  const { lines, log } = createLog();
  let over = false;
  log.warn({ host: 'a', isOver: () => over }, 'it was lost');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lines).toEqual([{ fields: { host: 'a' }, message: 'it was lost' }]);
  over = true;
  await vi.advanceTimersByTimeAsync(2000);
  expect(lines[1]).toMatchObject({ fields: { part: 'it was lost' }, message: 'it is over' });
});
