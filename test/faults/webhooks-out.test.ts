// A small version of what webhooks-out.long.ts does at full size.
import { describe, expect, it } from 'vitest';
import { describeFates, startEmbedded, startProduction, tellUnderKills } from './webhooks-out.ts';

describe('what webhooks are told while the program is killed', () => {
  it.each([
    ['embedded', startEmbedded],
    ['production', startProduction],
  ] as const)(
    'is all that happened, in the order of each task, whatever the receivers do: %s',
    { timeout: 1_800_000 },
    async (_, start) => {
      const stage = await start();
      if ('missing' in stage) throw new Error(stage.missing);
      try {
        const fates = await tellUnderKills(stage, 800, 2);
        for (const told of fates.told)
          expect(told, describeFates(fates)).toMatchObject({ lost: [], outOfOrder: [] });
        expect(fates.events).toBe(800);
      } finally {
        await stage.stop();
      }
    },
  );
});
