// A data folder has one server at a time; the command line needs no lock.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createFakeClock } from '#test/helpers/clock.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { openSqliteStorage } from './storage.ts';

const clock = createFakeClock();

function open(folder: string, server: boolean, warned: string[] = []) {
  const log = { warn: (_fields: object, message: string) => void warned.push(message), error() {} };
  const storage = openSqliteStorage({ file: join(folder, 'qinbox.db'), clock, log, server });
  onTestFinished(() => storage.close());
  return storage;
}

it('lets one server in at a time, and the command line beside it', async () => {
  const folder = createTempDir();
  const first = open(folder, true);
  expect(() => open(folder, true)).toThrow(
    `Another Qinbox server is running on the folder ${folder}. Stop that one first, or choose another DATA_DIR.`,
  );
  await open(folder, false).check();
  await first.check();
  await first.close();
  await open(folder, true).check();
});

it('lets the folder go when the database cannot be opened', () => {
  const folder = createTempDir();
  mkdirSync(join(folder, 'qinbox.db'));
  for (const _try of [1, 2]) expect(() => open(folder, true)).toThrow(/it is a directory/);
});

it('works where the folder cannot be locked, and says so', async () => {
  const folder = createTempDir();
  mkdirSync(join(folder, 'server.lock'));
  const warned: string[] = [];
  await open(folder, true, warned).check();
  expect(warned).toEqual([expect.stringMatching(/cannot be locked/)]);
});
