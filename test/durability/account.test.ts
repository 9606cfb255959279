// A short version of account.long.ts (`npm run test:kill`), for every run.
import { expect, test } from 'vitest';
import {
  describeAccount,
  expectedOf,
  startAccount,
  type AccountFates,
  type Size,
} from './account-under-kill.ts';

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
    const first = await Promise.all(started.map((rest) => rest()));
    for (const [index, size] of SIZES.entries()) {
      let fates = first[index] as AccountFates;
      // An import or a removal may be through before it is killed; alone, that is rare.
      for (let again = 0; again < 4 && killedInAll(fates) === 0; again++) {
        expect(fates).toMatchObject(expectedOf(fates));
        fates = await (await startAccount(size))();
      }
      expect(fates).toMatchObject(expectedOf(fates));
      expect(killedInAll(fates), describeAccount(fates)).toBeGreaterThan(0);
    }
  },
);

/** How often the one was killed in the middle that was killed least often. */
function killedInAll({ interrupted }: AccountFates): number {
  return Math.min(...Object.values(interrupted));
}
