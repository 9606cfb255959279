// Backup and restore as an operator does it, by the real command: out of MongoDB, into SQLite and another
// MongoDB, beside a running server, and with files that are not whole.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openSqliteStorage } from '#adapters/sqlite/storage.ts';
import { acknowledgeTask, pinTask } from '#core/domain/task.ts';
import { systemClock } from '#core/system-clock.ts';
import type { Storage } from '#core/ports/storage.ts';
import { exported } from '#test/contract/transfer.suite.ts';
import { insertOf, intakeOf, keyOf, userOf, webhookOf } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { plainEnvironment, root } from '#test/program/program.ts';
import { createMongoHarness } from '#test/services/mongo-harness.ts';
import { describeWith, sharedMongo } from '#test/services/services.ts';

const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

interface Ran {
  code: number | null;
  out: string;
  err: string;
}

function qinbox(env: Record<string, string>, ...args: string[]): Ran {
  const ran = spawnSync(process.execPath, [join(root, 'cli', 'qinbox.mjs'), ...args], {
    env: plainEnvironment({ NODE_NO_WARNINGS: '1', ...env }),
    encoding: 'utf8',
  });
  return { code: ran.status, out: ran.stdout, err: ran.stderr };
}

/** One of everything that lasts, and more tasks than a batch has. */
async function fill(storage: Storage): Promise<string> {
  const { user } = await storage.accounts.ensureUser(userOf());
  await storage.accounts.createKey(keyOf(user.id), 25);
  await storage.intakes.create(intakeOf(user.id), 25);
  await storage.webhooks.create(webhookOf(user.id), 10);
  const installed = { adapter: 'slack', kind: 'install', key: 'T1', ownerId: null, value: 'sealed' };
  await storage.adapterData.put({ ...installed, expiresAt: null });
  const lines = 'one\u2028two\u2029three\r\nfour\nfive\u0000';
  const inserts = [
    insertOf({ content: lines, metadata: { $set: { 'a.b': lines } }, dedupeKey: 'k' }),
    ...Array.from({ length: 700 }, () => insertOf()),
  ];
  const at = systemClock.now();
  for (let from = 0; from < inserts.length; from += 100)
    await storage.tasks.create(
      submissionOf({ ownerId: user.id, inserts: inserts.slice(from, from + 100), at }),
    );
  const [, done, pinned] = inserts.map(({ id }) => id) as [string, string, string];
  await storage.tasks.change(user.id, [done], (task) => acknowledgeTask(task, at));
  await storage.tasks.change(user.id, [pinned], (task) => pinTask(task, true, at));
  return user.id;
}

const RECORDS = {
  user: 1,
  key: 1,
  task: 701,
  rejected: 0,
  intake: 1,
  adapter: 1,
  push: 0,
  secret: 0,
  webhook: 1,
};

describeWith('a backup of MongoDB', await sharedMongo(), ({ url }) => {
  const [source, target] = [createMongoHarness(url), createMongoHarness(url)];
  afterEach(() => Promise.all([source.clear(), target.clear()]));
  afterAll(() => Promise.all([source.drop(), target.drop()]));
  const production = (mongo: string) => ({
    MONGODB_URL: mongo,
    REDIS_URL: 'redis://127.0.0.1:1',
    JWT_SECRET: 'x'.repeat(32),
  });

  it('is restored as it was, into SQLite and into an empty MongoDB', async () => {
    const storage = await source.open(systemClock);
    await fill(storage);
    const file = join(createTempDir(), 'backup.jsonl');
    const written = qinbox(production(source.url), 'export', '--to', file, '--json');
    expect([written.code, written.err]).toEqual([0, '']);
    expect(JSON.parse(written.out)).toMatchObject({ counts: RECORDS });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.partial`)).toBe(false);
    const records = await exported(storage, systemClock.now());

    const dataDir = createTempDir();
    const intoFile = qinbox({ DATA_DIR: dataDir }, 'import', '--from', file);
    expect([intoFile.code, intoFile.err]).toEqual([0, '']);
    expect(intoFile.out).toMatch(/701 {2}tasks\n[^]*Compared: file and store are the same/);
    const embedded = openSqliteStorage({ file: join(dataDir, 'qinbox.db'), clock: systemClock });
    expect(await exported(embedded, systemClock.now())).toEqual(records);
    await embedded.close();

    const intoMongo = qinbox(production(target.url), 'import', '--from', file, '--json');
    expect([intoMongo.code, intoMongo.err]).toEqual([0, '']);
    expect(JSON.parse(intoMongo.out)).toMatchObject({ counts: RECORDS, before: 0 });
    const restored = await target.open(systemClock);
    expect(await exported(restored, systemClock.now())).toEqual(records);
    // Again: all is there, and nothing is doubled.
    expect(qinbox(production(target.url), 'import', '--from', file).code).toBe(0);
    expect(await exported(restored, systemClock.now())).toEqual(records);

    const other = await target.open(systemClock);
    await other.accounts.ensureUser(userOf());
    const refused = qinbox(production(target.url), 'import', '--from', file);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('The target is not empty: 1 users'),
    ]);
  });
});

describe('a backup of SQLite', () => {
  async function install(): Promise<{ dataDir: string; storage: Storage; owner: string }> {
    const dataDir = createTempDir();
    const storage = openSqliteStorage({ file: join(dataDir, 'qinbox.db'), clock: systemClock });
    return { dataDir, storage, owner: await fill(storage) };
  }

  it('is made beside a running server, never over a file, and restored only where no server runs', async () => {
    const { dataDir, storage } = await install();
    const file = join(createTempDir(), 'backup.jsonl');
    expect(qinbox({ DATA_DIR: dataDir }, 'export', '--to', file).code).toBe(0);
    const again = qinbox({ DATA_DIR: dataDir }, 'export', '--to', file);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('is there already')]);
    const busy = qinbox({ DATA_DIR: dataDir }, 'import', '--from', file);
    expect([busy.code, busy.err]).toEqual([
      1,
      expect.stringContaining('A server or another command is working on'),
    ]);
    await storage.close();
  });

  it('gives a dedupe key to the latest of the tasks that had it while the file was written', async () => {
    const { dataDir, storage, owner } = await install();
    await storage.close();
    const file = join(createTempDir(), 'backup.jsonl');
    const first = openSqliteStorage({ file: join(dataDir, 'qinbox.db'), clock: systemClock });
    const batches: unknown[][] = [];
    for await (const batch of first.transfer.exportAll(systemClock.now())) batches.push([...batch]);
    const tasks = await first.tasks.list({
      ownerId: owner,
      filter: {},
      limit: 1000,
      offset: 0,
      now: systemClock.now(),
    });
    const holder = tasks.tasks.find(({ dedupeKey }) => dedupeKey === 'k');
    await first.tasks.change(owner, [holder?.id ?? ''], (task) => acknowledgeTask(task, systemClock.now()));
    const successor = insertOf({ dedupeKey: 'k' });
    await first.tasks.create(submissionOf({ ownerId: owner, inserts: [successor], at: systemClock.now() }));
    const later = await exported(first, systemClock.now());
    await first.close();
    const { writeExport } = await import('../export-file.ts');
    const added = later.filter(({ kind, record }) => kind === 'task' && record.id === successor.id);
    await writeExport(
      file,
      {
        exportAll: () =>
          (async function* () {
            for (const batch of [...batches, added]) yield batch as typeof later;
          })(),
      },
      systemClock,
    );
    const target = createTempDir();
    expect(qinbox({ DATA_DIR: target }, 'import', '--from', file)).toMatchObject({ code: 0, err: '' });
    const restored = openSqliteStorage({ file: join(target, 'qinbox.db'), clock: systemClock });
    const now = systemClock.now();
    expect(await restored.tasks.get(owner, successor.id, now)).toMatchObject({ dedupeKey: 'k' });
    expect(await restored.tasks.get(owner, holder?.id ?? '', now)).toMatchObject({ dedupeKey: null });
    await restored.close();
  });

  it.skipIf(!canMount)('names the file whose disk is full, and leaves nothing there', async () => {
    const { dataDir, storage } = await install();
    await storage.close();
    const small = createTempDir();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small]);
    try {
      const file = join(small, 'backup.jsonl');
      expect(qinbox({ DATA_DIR: dataDir }, 'export', '--to', file)).toEqual({
        code: 1,
        out: '',
        err: `qinbox: ${file} cannot be written: its disk is full. Free some space there, or name a file on another disk.\n`,
      });
      expect(readdirSync(small)).toEqual([]);
    } finally {
      execFileSync('umount', ['-l', small]);
    }
  });

  it('is refused when it is not whole, or no backup, and nothing is made', async () => {
    const { dataDir, storage } = await install();
    await storage.close();
    const file = join(createTempDir(), 'backup.jsonl');
    expect(qinbox({ DATA_DIR: dataDir }, 'export', '--to', file).code).toBe(0);
    const text = readFileSync(file, 'utf8');
    const lines = text.trimEnd().split('\n');
    const bad: [string, string][] = [
      [text.slice(0, -10), 'is damaged or was cut off'],
      [lines.slice(0, -1).join('\n'), 'it ends too soon'],
      [lines.toSpliced(5, 1).join('\n'), 'it has 705 of 706 records'],
      [text.replace('"normal"', '"high"'), 'its checksum is another'],
      [`${text}{}\n`, 'something follows its last line'],
      [`${lines[0]}\n{"kind":"task","record":null}\n`, 'a line of it is no record'],
      [text.replace('"version":1', '"version":2'), 'was written by a newer Qinbox'],
      ['{"tasks":[]}\n', 'is no export of Qinbox'],
      ['', 'it ends too soon'],
    ];
    const target = join(createTempDir(), 'none');
    for (const [content, said] of bad) {
      writeFileSync(file, content);
      const ran = qinbox({ DATA_DIR: target }, 'import', '--from', file);
      expect([ran.code, ran.err], said).toEqual([1, expect.stringContaining(said)]);
    }
    expect(existsSync(target)).toBe(false);
    const missing = qinbox({ DATA_DIR: target }, 'export', '--to', `${file}.new`);
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('There is nothing to export')]);
    const folder = qinbox({ DATA_DIR: target }, 'import', '--from', dataDir);
    expect(folder).toEqual({
      code: 1,
      out: '',
      err: `qinbox: ${dataDir} cannot be read: it is a folder. Name the file in it.\n`,
    });
    expect(qinbox({}, 'import').code).toBe(2);
    expect(qinbox({}, 'export', 'x').code).toBe(2);
  });
});
