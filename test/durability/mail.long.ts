// `npm run test:kill`: 10,000 mails ($MAILS) over 100 sessions through 20 kills ($KILLS).
import { expect, test } from 'vitest';
import { killUnderMail } from './mail-under-kill.ts';

const messages = Number(process.env['MAILS'] ?? 10_000);
const kills = Number(process.env['KILLS'] ?? 20);

test(`each of ${messages} mails that was answered 250 is a task exactly once after ${kills} × kill -9`, async () => {
  const fates = await killUnderMail({ messages, kills, sessions: 100 });
  process.stdout.write(
    `${kills} kills: ${fates.answered} answered, ${fates.interrupted} under way at a kill, ${fates.lost.length} lost, ${fates.doubled.length} doubled\n`,
  );
  expect(fates).toMatchObject({ answered: messages, lost: [], doubled: [], unknown: [] });
  expect(fates.interrupted).toBeGreaterThan(0);
});
