// A disk that is full or refuses to be written: 503 to every writer, nothing half written, reads go on, and
// all is well again by itself once the disk is. The faults are real: a file size limit of the process, a full
// tmpfs, an immutable file.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Storage } from '#core/ports/storage.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { insertOf, userOf } from '#test/helpers/records.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { isStorageFault, sqliteCode } from './faults.ts';
import { openSqliteStorage } from './storage.ts';

const clock = createFakeClock();
const owner = 'user_1';
const UNAVAILABLE = { code: 'SERVICE_UNAVAILABLE', status: 503, retryAfterSeconds: 5 };

function open(file: string): Storage {
  const storage = openSqliteStorage({ file, clock });
  onTestFinished(() => storage.close());
  return storage;
}

function succeeds(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Limits the size of any file that this process writes; null lifts the limit. */
function limitFileSize(bytes: number | null): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes ?? 'unlimited'}:unlimited`]);
}

const big = () => insertOf({ content: 'x'.repeat(10_000), dedupeKey: 'once' });
const create = (storage: Storage, inserts = [insertOf()]) =>
  storage.tasks.create(submissionOf({ ownerId: owner, inserts, at: clock.now() }));

/** Breaks the disk, checks every promise, mends it, and checks that all is well. */
async function expectRefusalAndRecovery(
  storage: Storage,
  fault: { start(): void; stop(): void },
): Promise<void> {
  const stored = insertOf();
  await create(storage, [stored]);
  const revision = await storage.tasks.revision(owner, clock.now());

  fault.start();
  try {
    const batch = Array.from({ length: 200 }, () => insertOf({ content: 'x'.repeat(9000) }));
    const claim = { scope: 's', key: 'k', fingerprint: null };
    const refused = await Promise.allSettled([
      storage.tasks.create(submissionOf({ ownerId: owner, inserts: batch, claim, at: clock.now() })),
      storage.tasks.create(submissionOf({ ownerId: 'user_new', inserts: [big()], at: clock.now() })),
      storage.tasks.change(owner, [stored.id], (task) => ({ ...task, content: 'changed' })),
      storage.accounts.ensureUser(userOf({ email: 'ada@example.com' })),
      storage.check(),
    ]);
    for (const result of refused) expect(result).toMatchObject({ status: 'rejected', reason: UNAVAILABLE });
    expect(
      await storage.tasks.list({ ownerId: owner, filter: {}, limit: 10, offset: 0, now: clock.now() }),
    ).toMatchObject({
      total: 1,
      tasks: [{ id: stored.id, content: 'backup failed', version: 1 }],
    });
    expect(await storage.tasks.revision(owner, clock.now())).toBe(revision);
    expect(await storage.accounts.findUserByEmail('ada@example.com')).toBeNull();
  } finally {
    fault.stop();
  }

  await storage.check();
  const claim = { scope: 's', key: 'k', fingerprint: null };
  const after = await storage.tasks.create(
    submissionOf({ ownerId: owner, inserts: [big()], claim, at: clock.now() }),
  );
  expect(after).toMatchObject({ kind: 'done', outcomes: [{ created: true }] });
  expect(
    await storage.tasks.list({ ownerId: owner, filter: {}, limit: 10, offset: 0, now: clock.now() }),
  ).toMatchObject({
    total: 2,
    statistics: { total: 2 },
    tasks: { length: 2 },
  });
  expect((await storage.tasks.statistics('user_new', clock.now())).total).toBe(0);
  expect(await create(storage, [insertOf()])).toMatchObject({ kind: 'done' });
}

const canLimit = succeeds('prlimit', '--pid', String(process.pid));

describe('a disk at its limit', () => {
  it.skipIf(!canLimit)('refuses writes that do not fit and recovers', async () => {
    const file = join(createTempDir(), 'qinbox.db');
    const storage = open(file);
    await expectRefusalAndRecovery(storage, {
      // Not one page more than there is.
      start: () => limitFileSize(statSync(`${file}-wal`).size),
      stop: () => limitFileSize(null),
    });
  });

  it.skipIf(!canLimit)('recovers also when the fault hits in the middle of a group', async () => {
    const file = join(createTempDir(), 'qinbox.db');
    const storage = open(file);
    await expectRefusalAndRecovery(storage, {
      start: () => limitFileSize(statSync(`${file}-wal`).size + 20 * 4096),
      stop: () => limitFileSize(null),
    });
  });

  const canMount = inProbeDirectory(
    (directory) =>
      succeeds('mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', directory) && succeeds('umount', directory),
  );

  it.skipIf(!canMount)('refuses writes on a full file system and recovers when there is space', async () => {
    const directory = mountSmall();
    const storage = open(join(directory, 'qinbox.db'));
    const filler = join(directory, 'filler');
    await expectRefusalAndRecovery(storage, {
      start: () => fill(filler),
      stop: () => rmSync(filler),
    });
  });

  it.skipIf(!canMount)('is called full where the file that is there finds no room for its log', async () => {
    const directory = mountSmall();
    const file = join(directory, 'qinbox.db');
    await openSqliteStorage({ file, clock }).close();
    fill(join(directory, 'filler'));
    expect(() => open(file)).toThrow(/qinbox\.db cannot be used: the disk is full\. Free some space, .+\.$/);
  });

  it.skipIf(!canMount)(
    'says in one line that the disk is full, or read-only, when it is so at the start',
    () => {
      const directory = mountSmall();
      const filler = join(directory, 'filler');
      fill(filler);
      const full = /^The database .+qinbox\.db cannot be used: the disk is full\. Free some space, .+\.$/;
      // A few pages let a new file begin, but not the index beside its log.
      for (let pages = 0; pages < 4; pages += 1) {
        truncateSync(filler, statSync(filler).size - (pages === 0 ? 0 : 4096));
        expect(() => open(join(directory, 'qinbox.db'))).toThrow(full);
        rmSync(join(directory, 'qinbox.db'));
      }
      rmSync(filler);
      execFileSync('mount', ['-o', 'remount,ro', directory]);
      expect(() => open(join(directory, 'other.db'))).toThrow(
        /^The database .+other\.db cannot be used: the file system is read-only\. Mount it writable, .+\.$/,
      );
    },
  );
});

describe('a file that may not be written', () => {
  const canFreeze = inProbeDirectory((directory) => {
    const probe = join(directory, 'probe');
    writeFileSync(probe, '');
    return succeeds('chattr', '+i', probe) && succeeds('chattr', '-i', probe);
  });

  it.skipIf(!canFreeze)('refuses writes and recovers when it may be written again', async () => {
    const file = join(createTempDir(), 'qinbox.db');
    const storage = open(file);
    const freeze = (flag: string) => execFileSync('chattr', [flag, file, `${file}-wal`]);
    await expectRefusalAndRecovery(storage, { start: () => freeze('+i'), stop: () => freeze('-i') });
  });

  it.skipIf(!canFreeze)('is refused at the start in one line', async () => {
    const file = join(createTempDir(), 'qinbox.db');
    await openSqliteStorage({ file, clock }).close();
    execFileSync('chattr', ['+i', file]);
    try {
      expect(() => open(file)).toThrow(
        /^The database .+ cannot be used: permission denied\. Make the file and its directory writable, .+\.$/,
      );
    } finally {
      execFileSync('chattr', ['-i', file]);
    }
  });
});

describe('faults', () => {
  it('tell storage from statements by the primary code', () => {
    const fault = (errcode: number) => Object.assign(new Error('x'), { errcode });
    expect(sqliteCode(fault(778))).toBe(10);
    expect(sqliteCode(fault(4874))).toBe(13);
    expect([5, 8, 13, 14, 261, 778, 3850].every((code) => isStorageFault(fault(code)))).toBe(true);
    expect([1, 18, 19, 20, 25, 2067].some((code) => isStorageFault(fault(code)))).toBe(false);
    expect(isStorageFault(new Error('x'))).toBe(false);
    expect(isStorageFault('x')).toBe(false);
  });
});

/** Tries out, on a directory of its own, what this machine lets a test do. */
function inProbeDirectory(probe: (directory: string) => boolean): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'qinbox-probe-'));
  const possible = probe(directory);
  rmSync(directory, { recursive: true });
  return possible;
}

/** A file system of 1 MiB of its own, gone after the test. */
function mountSmall(): string {
  const directory = createTempDir();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory]);
  onTestFinished(() => {
    execFileSync('umount', ['-l', directory]);
  });
  return directory;
}

/** Writes until there is not a byte left. */
function fill(file: string): void {
  for (const size of [65_536, 4096]) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // Full for pieces of this size.
    }
  }
}
