// The small version of cuts.long.ts.
import { expect, it } from 'vitest';
import { deliverUnderCuts } from './cuts.ts';

it('tells 3,000 messages over 15 cut connections, each once', async () => {
  const all = { missing: [], twice: 0, seen: 3000 };
  expect(await deliverUnderCuts({ messages: 3000, cuts: 15, batch: 20, ntfy: null })).toEqual({
    ntfy: all,
    gotify: all,
  });
});
