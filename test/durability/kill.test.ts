// A short version of kill.long.ts (`npm run test:kill`), for every run.
import { expect, test } from 'vitest';
import { killUnderLoad } from './kill-under-load.ts';

test('every task answered 201 is there after kill -9 under 64 writers, none twice', async () => {
  const fates = await killUnderLoad(3);
  expect(fates).toMatchObject({ lost: [], doubled: [], unknown: [] });
  expect(fates.interrupted).toBeGreaterThan(0);
  expect(fates.answered).toBeGreaterThan(3);
});
