import { expect, test } from 'vitest';
import { aTask } from '../../../test/tasks.ts';
import type { Api } from '../api/calls.ts';
import type { Entry } from './entry.ts';
import { createPerform } from './perform.ts';

const HOUR = 60 * 60_000;

/** The bodies sent for a task that is to sleep until then. */
async function sentUntil(snoozedUntil: string, serverNow: number): Promise<unknown> {
  const task = aTask();
  const bodies: unknown[] = [];
  const api = ((_name: string, { body }: { body: unknown }) => {
    bodies.push(body);
    return Promise.resolve({ tasks: [task], changed: [task.id] });
  }) as unknown as Api;
  const entry: Entry = {
    id: 'e',
    owner: 'user:1',
    at: 0,
    operation: { kind: 'change', changes: [{ task, to: { snoozedUntil } }] },
    attempts: 1,
    confirmedAt: null,
    refusal: null,
  };
  await createPerform(
    api,
    () => true,
    () => serverNow,
  )(entry);
  return bodies;
}

test("whether a time to sleep until has passed is told by the server's clock, not by the browser's", async () => {
  // The browser's clock is five hours ahead.
  const serverNow = Date.now() - 5 * HOUR;
  const until = new Date(serverNow + 3 * HOUR).toISOString();
  expect(await sentUntil(until, serverNow)).toMatchObject([{ tasks: [{ snoozedUntil: until }] }]);
  expect(await sentUntil(until, serverNow + 4 * HOUR)).toMatchObject([{ tasks: [{ snoozedUntil: null }] }]);
});
