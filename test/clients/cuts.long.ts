// 100,000 messages through `ntfy subscribe`, where NTFY names its binary, and Gotify's stream, with 200 cut
// connections: none is lost, none comes twice. `npm run test:clients`.
import { expect, it } from 'vitest';
import { deliverUnderCuts, withProgram } from './cuts.ts';

const { NTFY: path = '' } = process.env;

it('tells 100,000 messages over 200 cut connections, each once', async () => {
  const all = { missing: [], twice: 0, seen: 100_000 };
  const plan = { messages: 100_000, cuts: 200, batch: 100, ntfy: path === '' ? null : path };
  const outcomes = await withProgram((server) => deliverUnderCuts(server, plan));
  expect(outcomes).toEqual({ ntfy: all, gotify: all });
}, 900_000);
