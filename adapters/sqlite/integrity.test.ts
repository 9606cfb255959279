// A damaged file is found, told of once, and stays distrusted. The pages that are broken here are real ones
// of real files.
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Storage } from '#core/ports/storage.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { breakEntry, breakPage } from '#test/helpers/damage.ts';
import { newOwner, insertOf } from '#test/helpers/records.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { waitFor } from '#test/program/wait.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { openSqliteStorage } from './storage.ts';

const clock = createFakeClock();
const owner = newOwner();

function open(file: string, server = false): { storage: Storage; errors: string[] } {
  const errors: string[] = [];
  const log = { warn() {}, error: (_fields: object, message: string) => void errors.push(message) };
  const storage = openSqliteStorage({ file, clock, log, server });
  onTestFinished(() => storage.close());
  return { storage, errors };
}

async function filled(): Promise<string> {
  const file = join(createTempDir(), 'qinbox.db');
  const storage = openSqliteStorage({ file, clock });
  const inserts = Array.from({ length: 500 }, () => insertOf({ content: 'x'.repeat(200) }));
  await storage.tasks.create(submissionOf({ ownerId: owner, inserts, at: clock.now() }));
  await storage.close();
  return file;
}

describe('a database file', () => {
  it('that is sound is found to be', async () => {
    const { storage, errors } = open(await filled());
    expect(await storage.verify()).toEqual([]);
    expect({ damage: storage.damage(), errors }).toEqual({ damage: null, errors: [] });
  });

  it.each(['tasks', 'tasks_by_id', 'tasks_expiry', 'api_keys'])(
    'with a broken page of %s is found out by the server itself, and told of once',
    async (name) => {
      const file = await filled();
      breakPage(file, name);
      const { storage, errors } = open(file, true);
      await waitFor('the damage to be found', () => storage.damage() !== null);
      expect(storage.damage()).toMatch(/damaged.*doctor.*backup/);
      expect((await storage.verify()).length).toBeGreaterThan(0);
      expect(errors).toHaveLength(1);
    },
  );

  it('with an index that does not agree with its table is found out by a thorough look', async () => {
    const file = await filled();
    breakEntry(file, 'sqlite_autoindex_owners_1');
    const { storage } = open(file);
    const findings = await storage.verify();
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.join('\n')).toMatch(/index/);
    expect(storage.damage()).not.toBeNull();
  });

  it.each([
    [
      'read',
      (storage: Storage) =>
        storage.tasks.list({ ownerId: owner, filter: {}, limit: 10, offset: 0, now: clock.now() }),
    ],
    [
      'written',
      (storage: Storage) =>
        storage.tasks.create(submissionOf({ ownerId: owner, inserts: [insertOf()], at: clock.now() })),
    ],
  ])('that is broken is distrusted as soon as it is %s', async (_how, use) => {
    const file = await filled();
    breakPage(file, 'tasks_by_id');
    const { storage, errors } = open(file);
    expect(storage.damage()).toBeNull();
    for (const _time of [1, 2])
      await expect(use(storage)).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        message: expect.stringMatching(/damaged.*doctor/),
      });
    await waitFor('the damage to be noted', () => storage.damage() !== null);
    expect(errors).toHaveLength(1);
  });
});
