// `npm run test:kill`: 25 kills (or $KILLS) at random moments under 64 writers.
import { expect, test } from 'vitest';
import { killUnderLoad } from './kill-under-load.ts';

const kills = Number(process.env['KILLS'] ?? 25);

test(`every task answered 201 is there after ${kills} × kill -9 under 64 writers, none twice`, async () => {
  const fates = await killUnderLoad(kills);
  process.stdout.write(
    `${kills} kills: ${fates.answered} answered, ${fates.interrupted} under way at a kill, ${fates.lost.length} lost, ${fates.doubled.length} doubled\n`,
  );
  expect(fates).toMatchObject({ lost: [], doubled: [], unknown: [] });
  expect(fates.interrupted).toBeGreaterThan(0);
});
