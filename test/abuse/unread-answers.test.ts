// Answers that nobody reads: the program's memory keeps within a bound that is named here, connections that
// stand still are closed, and somebody who reads is answered all the while.
import { expect, it, onTestFinished } from 'vitest';
import { createKey, startProgram, temporaryFolder } from '#test/program/program.ts';
import { peakMiB } from './memory.ts';
import { leaveUnread } from './unread-answers.ts';

/**
 * What all of it together may take, in MiB, beside what the program takes anyway: the 256 that all large
 * answers together may hold (docs/security.md), and 64 for what is being made and not yet collected. It was
 * 2100 for one connection alone.
 */
const BOUND_MIB = 320;
const DURATION_MS = 14_000;
/** On a busy machine it goes on until the server has closed some of each kind, at most for this. */
const PATIENCE_MS = 300_000;

it('takes a bounded amount of memory, whatever is asked for and how', async () => {
  const folder = temporaryFolder('unread');
  onTestFinished(folder.remove);
  const env = {
    GUEST_QUEUE: 'me@example.com',
    RATE_LIMIT_PER_MINUTE: '100000',
    RATE_LIMIT_PER_HOUR: '100000',
  };
  const program = await startProgram({ dataDir: folder.path, env });
  onTestFinished(() => program.kill());
  const key = createKey(folder.path);
  const other = createKey(folder.path, 'other@example.com');
  const headers = { 'x-api-key': key };
  const task = { content: 'x'.repeat(9999), metadata: { payload: 'y'.repeat(16_000) } };
  for (let batch = 0; batch < 20; batch++) {
    const body = JSON.stringify({ tasks: Array.from({ length: 38 }, () => task) });
    const made = await fetch(`${program.url}/api/v1/tasks/batch`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    expect(made.status).toBe(201);
  }

  const before = peakMiB(program.pid);
  const { url } = program;
  const path = '/api/v1/tasks?limit=1000';
  const abuse = new AbortController();
  const over = abuse.signal;
  const abusers = [
    leaveUnread({ url, path, headers, connections: 100, over }),
    leaveUnread({ url, path, headers, connections: 5, pipelined: 50, over }),
    leaveUnread({ url, path, connections: 10, pipelined: 20, readPerSecond: 1, over }),
    leaveUnread({ url, path, connections: 10, halfClosed: true, over }),
    leaveUnread({ url, path: '/api/v1/openapi.json', connections: 20, pipelined: 400, over }),
    leaveUnread({
      url,
      path: '/api-docs',
      headers: { accept: 'text/html' },
      connections: 20,
      pipelined: 90,
      over,
    }),
  ] as const;
  const [stalled, slow, many] = [abusers[1].report, abusers[2].report, abusers[4].report];
  const someWait = () => [stalled, slow, many].some(({ closed }) => closed === 0);
  const statuses = new Set<number>();
  const since = performance.now();
  for (let ms = 0; ms < DURATION_MS || (someWait() && ms < PATIENCE_MS);) {
    const response = await fetch(`${url}/api/v1/tasks?limit=20`, { headers: { 'x-api-key': other } });
    await response.text();
    statuses.add(response.status);
    ms = performance.now() - since;
  }
  abuse.abort();
  await Promise.all(abusers.map(({ ended }) => ended));
  expect([...statuses]).toEqual([200]);
  expect(stalled.closed).toBeGreaterThan(0);
  expect(slow.closed).toBeGreaterThan(0);
  expect(many.closed).toBeGreaterThan(0);
  expect(peakMiB(program.pid) - before).toBeLessThan(BOUND_MIB);
});
