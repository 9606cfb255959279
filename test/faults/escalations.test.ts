// A small version of what escalations.long.ts does at full size.
import { describe, expect, it } from 'vitest';
import { startRelay } from '#test/helpers/channels.ts';
import { describeSteps, escalateUnderKills, type Steps } from './escalations.ts';
import { startEmbedded, startProduction } from './webhooks-out.ts';

async function run(start: typeof startEmbedded | typeof startProduction): Promise<Steps> {
  const relay = await startRelay();
  const stage = await start(relay.env);
  if ('missing' in stage) throw new Error(stage.missing);
  try {
    return await escalateUnderKills(stage, relay, { tasks: 40, kills: 2, minutes: 1 });
  } finally {
    await stage.stop();
    await relay.close();
  }
}

describe('the steps of escalations while the program is killed', () => {
  it(
    'are done for each task that nobody acknowledged, and for no other, in both sizes',
    { timeout: 600_000 },
    async () => {
      for (const steps of await Promise.all([run(startEmbedded), run(startProduction)])) {
        expect(steps.kills).toBe(2);
        for (const came of steps.came)
          expect(came, describeSteps(steps)).toMatchObject({ lost: [], needless: [] });
        // Only the one that was under way at a kill comes twice to a chat, which has no ids.
        for (const { way, doubled } of steps.came)
          expect(doubled.length, way).toBeLessThanOrEqual(way.startsWith('chat') ? steps.kills : 0);
      }
    },
  );
});
