// A small version of what escalations.long.ts does at full size.
import { describe, expect, it } from 'vitest';
import { describeSteps, escalateUnderKills, startWays, type Steps } from './escalations.ts';
import { startEmbedded, startProduction } from './webhooks-out.ts';

async function run(start: typeof startEmbedded | typeof startProduction): Promise<Steps> {
  const ways = await startWays();
  const stage = await start(ways.env);
  if ('missing' in stage) throw new Error(stage.missing);
  try {
    return await escalateUnderKills(stage, ways, { tasks: 40, kills: 2, minutes: 2 });
  } finally {
    await stage.stop();
    await ways.close();
  }
}

describe('the steps of escalations while the program is killed', () => {
  it(
    'are done for each task that nobody acknowledged, and for no other, in both sizes',
    { timeout: 1_800_000 },
    async () => {
      for (const steps of await Promise.all([run(startEmbedded), run(startProduction)])) {
        expect(steps.kills).toBe(2);
        for (const came of steps.came)
          expect(came, describeSteps(steps)).toMatchObject({ lost: [], needless: [], doubled: [] });
        // Of what has no name that repeats can be told by, only the one that was under way at a kill.
        for (const { way, marked } of steps.came)
          if (way.startsWith('chat')) expect(marked, way).toBeLessThanOrEqual(steps.kills);
      }
    },
  );
});
