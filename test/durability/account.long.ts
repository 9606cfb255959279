// `npm run test:kill`: the import of an account and its deletion through 10 kills each ($KILLS).
import { expect, test } from 'vitest';
import { describeAccount, expectedOf, startAccount, type Size } from './account-under-kill.ts';

const kills = Number(process.env['KILLS'] ?? 10);
const SIZES: readonly Size[] = [
  { name: 'embedded', tasks: 30_000, kills },
  { name: 'production', tasks: 10_000, kills },
];

test.each(SIZES)(
  'an account is whole after kill -9 in its import, and gone after kill -9 in its deletion: $name',
  { timeout: 3_600_000 },
  async (size) => {
    const fates = await (await startAccount(size))();
    process.stdout.write(describeAccount(fates));
    expect(fates).toMatchObject(expectedOf(fates));
    expect(Math.min(...Object.values(fates.interrupted))).toBeGreaterThan(0);
  },
);
