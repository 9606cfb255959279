// A short version of account.long.ts (`npm run test:kill`), for every run.
import { expect, test } from 'vitest';
import { describeAccount, expectedOf, startAccount, type Size } from './account-under-kill.ts';

const SIZES: readonly Size[] = [
  { name: 'embedded', tasks: 6000, kills: 1 },
  { name: 'production', tasks: 1200, kills: 1 },
];

test(
  'an account is whole after kill -9 in its import, and gone after kill -9 in its deletion, in both sizes',
  { timeout: 1_800_000 },
  async () => {
    const started = [];
    for (const size of SIZES) started.push(await startAccount(size));
    for (const fates of await Promise.all(started.map((rest) => rest()))) {
      expect(fates).toMatchObject(expectedOf(fates));
      expect(Math.min(...Object.values(fates.interrupted)), describeAccount(fates)).toBeGreaterThan(0);
    }
  },
);
