// A short version of mail.long.ts (`npm run test:kill`), for every run.
import { expect, test } from 'vitest';
import { killUnderMail } from './mail-under-kill.ts';

test('each mail that was answered 250 is a task exactly once after kill -9', async () => {
  const fates = await killUnderMail({ messages: 200, sessions: 20, kills: 1 });
  expect(fates).toMatchObject({ answered: 200, lost: [], doubled: [], unknown: [] });
  expect(fates.interrupted).toBeGreaterThan(0);
});
