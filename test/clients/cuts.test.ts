// The small version of cuts.long.ts.
import { expect, it, onTestFinished } from 'vitest';
import type { Program } from '#test/program/program.ts';
import { startStack } from '#test/faults/stack.ts';
import { deliverUnderCuts, withProgram } from './cuts.ts';

const plan = { messages: 3000, cuts: 15, batch: 20, ntfy: null };
const all = { missing: [], twice: 0, seen: 3000 };

it('tells 3,000 messages over 15 cut connections, each once', async () => {
  const outcomes = await withProgram((server) => deliverUnderCuts(server, plan));
  expect(outcomes).toEqual({ ntfy: all, gotify: all });
});

it('does so where two processes make them, on MongoDB and Redis', async ({ skip }) => {
  const stack = await startStack();
  if ('missing' in stack) return skip(stack.missing);
  onTestFinished(() => stack.stop());
  const [{ port, url }, other] = stack.apis as [Program, Program];
  const server = { makeAt: [url, other.url], port, key: stack.key };
  // The app of Gotify asks for greater ids, and two processes do not make them in one order.
  expect(await deliverUnderCuts(server, plan)).toMatchObject({ ntfy: all });
}, 900_000);
