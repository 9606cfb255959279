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
const PATIENCE_MS = 90_000;

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
  const waitedFor = new Set(['fifty at once', 'slow', 'four hundred at once']);
  const common = (name: string) => ({ url, over: abuse.signal, onClosed: () => waitedFor.delete(name) });
  const reports = Promise.all([
    leaveUnread({ ...common('one each'), path, headers, connections: 100 }),
    leaveUnread({ ...common('fifty at once'), path, headers, connections: 5, pipelined: 50 }),
    leaveUnread({ ...common('slow'), path, connections: 10, pipelined: 20, readPerSecond: 1 }),
    leaveUnread({ ...common('half closed'), path, connections: 10, halfClosed: true }),
    leaveUnread({
      ...common('four hundred at once'),
      path: '/api/v1/openapi.json',
      connections: 20,
      pipelined: 400,
    }),
    leaveUnread({
      ...common('pages'),
      path: '/api-docs',
      headers: { accept: 'text/html' },
      connections: 20,
      pipelined: 90,
    }),
  ]);
  const statuses = new Set<number>();
  const since = performance.now();
  for (let ms = 0; ms < DURATION_MS || (waitedFor.size > 0 && ms < PATIENCE_MS);) {
    const response = await fetch(`${url}/api/v1/tasks?limit=20`, { headers: { 'x-api-key': other } });
    await response.text();
    statuses.add(response.status);
    ms = performance.now() - since;
  }
  abuse.abort();
  const [, stalled, slow, , many] = await reports;
  expect([...statuses]).toEqual([200]);
  expect(stalled.closed).toBeGreaterThan(0);
  expect(slow.closed).toBeGreaterThan(0);
  expect(many.closed).toBeGreaterThan(0);
  expect(peakMiB(program.pid) - before).toBeLessThan(BOUND_MIB);
});
