// 100,000 submissions (or $SUBMISSIONS), 30 % of them delivered twice, while the workers are killed at random moments.
import { expect, test } from 'vitest';
import { killWorkersUnderLoad } from './queue-kill.ts';

const submissions = Number(process.env['SUBMISSIONS'] ?? 100_000);

test(`of ${submissions} submissions, 30 % delivered again, exactly the distinct ones exist`, async () => {
  const fates = await killWorkersUnderLoad(submissions, 0.3, 4000);
  process.stdout.write(
    `${fates.distinct} submissions, ${fates.redelivered} redeliveries, ${fates.kills} kills: ${fates.lost.length} lost, ${fates.doubled.length} doubled, ${fates.rejected} rejected\n`,
  );
  expect(fates).toMatchObject({ lost: [], doubled: [], rejected: 0 });
  expect(fates.kills).toBeGreaterThan(2);
});
