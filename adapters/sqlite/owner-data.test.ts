// That the deletion of an account holds nobody up, however much others have.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { createFakeClock } from '#test/helpers/clock.ts';
import { userOf } from '#test/helpers/records.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { openSqliteStorage } from './storage.ts';

it('looks through what others have a little at a time, and lets everybody in between', async () => {
  const file = join(createTempDir(), 'qinbox.db');
  const storage = openSqliteStorage({ file, clock: createFakeClock() });
  onTestFinished(() => storage.close());
  const { user } = await storage.accounts.ensureUser(userOf());
  const turnsOfErase = async () => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await storage.ownerData.erase(user.id);
    isOver = true;
    return turns;
  };
  const before = await turnsOfErase();

  const db = new DatabaseSync(file);
  onTestFinished(() => db.close());
  const claim = db.prepare("INSERT INTO claims VALUES ('link:somebody else', ?, NULL, '[]', 9e15)");
  const rejected = db.prepare("INSERT INTO rejected VALUES (?, '{}', 'x', 'x', 1, 0)");
  db.exec('BEGIN');
  for (let n = 0; n < 50_000; n++) claim.run(String(n));
  for (let n = 0; n < 1000; n++) rejected.run(String(n));
  db.exec('COMMIT');
  // A claim takes microseconds, a submission has up to a MiB.
  expect((await turnsOfErase()) - before).toBeGreaterThan(50_000 / 500 + 1000 / 10 - 20);
});
