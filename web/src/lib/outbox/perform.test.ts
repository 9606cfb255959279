import { expect, test } from 'vitest';
import { aTask } from '../../../test/tasks.ts';
import { ApiError } from '../api/api-error.ts';
import type { Api } from '../api/calls.ts';
import type { Entry, Operation } from './entry.ts';
import { createPerform } from './perform.ts';

const HOUR = 60 * 60_000;

function entryOf(operation: Operation): Entry {
  return { id: 'e', owner: 'user:1', at: 0, operation, attempts: 1, confirmedAt: null, refusal: null };
}

/** The bodies sent for a task that is to sleep until then. */
async function sentUntil(snoozedUntil: string, serverNow: number): Promise<unknown> {
  const task = aTask();
  const bodies: unknown[] = [];
  const api = ((_name: string, { body }: { body: unknown }) => {
    bodies.push(body);
    return Promise.resolve({ tasks: [task], changed: [task.id] });
  }) as unknown as Api;
  await createPerform(
    api,
    () => true,
    () => serverNow,
  )(entryOf({ kind: 'change', changes: [{ task, to: { snoozedUntil } }] }));
  return bodies;
}

test("whether a time to sleep until has passed is told by the server's clock, not by the browser's", async () => {
  // The browser's clock is five hours ahead.
  const serverNow = Date.now() - 5 * HOUR;
  const until = new Date(serverNow + 3 * HOUR).toISOString();
  expect(await sentUntil(until, serverNow)).toMatchObject([{ tasks: [{ snoozedUntil: until }] }]);
  expect(await sentUntil(until, serverNow + 4 * HOUR)).toMatchObject([{ tasks: [{ snoozedUntil: null }] }]);
});

test('a task that another tab has brought back is back; one that is gone is not', async () => {
  const task = aTask();
  const gone = new ApiError('There is no such task.', 'NOT_FOUND', 404);
  const restored = (isThere: boolean) => {
    const api = ((name: string) =>
      name === 'GET /tasks/:id' && isThere ? Promise.resolve({ task }) : Promise.reject(gone)) as Api;
    return createPerform(api, () => true, Date.now)(entryOf({ kind: 'restore', tasks: [task] }));
  };
  expect(await restored(true)).toEqual([task]);
  await expect(restored(false)).rejects.toBe(gone);
});
