// What is particular to SQLite: opening, migrations, other processes, closing, and what is in the file.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createApiKeySecret, hashSecret, keyHint } from '#core/domain/api-key.ts';
import { editTask } from '#core/domain/task.ts';
import { QinboxError } from '#core/errors.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { keyOf, insertOf, sessionOf, userOf } from '#test/helpers/records.ts';
import { sweepOnce } from '#test/helpers/sweeps.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { openDatabase } from './database.ts';
import { MIGRATIONS, migrate } from './migrations.ts';
import { openSqliteStorage } from './storage.ts';

const clock = createFakeClock();

function open(file: string) {
  const storage = openSqliteStorage({ file, clock });
  onTestFinished(() => storage.close());
  return storage;
}

function refusalOf(file: string): QinboxError {
  try {
    open(file);
  } catch (error) {
    if (error instanceof QinboxError) return error;
    throw error;
  }
  throw new Error('was opened');
}

describe('opening', () => {
  it('makes the directory and a file that only its owner may read', async () => {
    const file = join(createTempDir(), 'a', 'b', 'qinbox.db');
    const storage = open(file);
    await storage.check();
    for (const name of [file, `${file}-wal`]) expect(statSync(name).mode & 0o777).toBe(0o600);
  });

  it('leaves the sync of each commit to the group commit, with a write-ahead log', () => {
    const db = openDatabase(join(createTempDir(), 'qinbox.db'));
    onTestFinished(() => db.close());
    expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 1 });
  });

  it.each([
    ['a directory in its place', (path: string) => mkdirSync(path)],
    ['something else in its place', (path: string) => writeFileSync(path, 'not a database\n'.repeat(100))],
  ])('refuses %s in one line that names the file', (_, prepare) => {
    const file = join(createTempDir(), 'qinbox.db');
    prepare(file);
    const { message } = refusalOf(file);
    expect(message).toContain(file);
    expect(message).toMatch(/^The database .+ cannot be used: .+choose another DATA_DIR\.$/);
  });

  it('refuses a directory that cannot be made in one line that says what to do', () => {
    const directory = join(createTempDir(), 'file');
    writeFileSync(directory, '');
    const { message } = refusalOf(join(directory, 'qinbox.db'));
    expect(message).toMatch(/^The database .+ cannot be used: its directory is a file\. .+\.$/);
  });

  it('refuses a file of a newer version, and leaves it as it is', () => {
    const file = join(createTempDir(), 'qinbox.db');
    const newer = new DatabaseSync(file);
    newer.exec('CREATE TABLE of_the_future (a); PRAGMA user_version = 1000');
    newer.close();
    const before = readFileSync(file);
    const { message } = refusalOf(file);
    expect(message).toContain('newer Qinbox');
    expect(message).toContain('Start the newer Qinbox');
    expect(message).not.toContain('\n');
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe('migrations', () => {
  function fresh(): DatabaseSync {
    const db = new DatabaseSync(join(createTempDir(), 'qinbox.db'));
    onTestFinished(() => db.close());
    return db;
  }
  const version = (db: DatabaseSync) => db.prepare('PRAGMA user_version').get()?.['user_version'];

  it('bring an empty file to the newest version, and do nothing the second time', () => {
    const db = fresh();
    migrate(db, 'file');
    expect(version(db)).toBe(MIGRATIONS.length);
    migrate(db, 'file');
    expect(version(db)).toBe(MIGRATIONS.length);
  });

  it('apply only what is missing, and keep what is there', () => {
    const db = fresh();
    migrate(db, 'file', ['CREATE TABLE a (x)']);
    db.exec('INSERT INTO a VALUES (1)');
    migrate(db, 'file', ['CREATE TABLE a (x)', 'ALTER TABLE a ADD COLUMN y DEFAULT 2', 'CREATE TABLE b (z)']);
    expect(db.prepare('SELECT * FROM a').all()).toEqual([{ x: 1, y: 2 }]);
    expect(version(db)).toBe(3);
  });

  it('keep the tasks of an older file, whose repeats make new tasks as they did', async () => {
    const file = join(createTempDir(), 'qinbox.db');
    const old = new DatabaseSync(file);
    migrate(old, file, MIGRATIONS.slice(0, 1));
    const [live, done] = ['live', 'done'];
    const now = clock.now();
    old.exec(`
      INSERT INTO owners (id, changes, normal) VALUES ('o', 1, 1);
      INSERT INTO tasks (id, owner, state, priority, created_at, updated_at, expires_at, last_occurred_at, acknowledged_at,
        purge_at, pinned, version, occurrences, source, dedupe_key, content)
      VALUES ('${live}', 1, 1, 1, ${now}, ${now}, ${now + 1000}, ${now}, NULL, NULL, 0, 1, 1, 'api', 'a', 'a'),
        ('${done}', 1, 0, 1, ${now}, ${now}, ${now + 1000}, ${now}, ${now}, ${now + 1000}, 0, 1, 1, 'api', 'b', 'b');
    `);
    old.close();
    const { tasks } = open(file);
    expect(await tasks.get('o', live, now)).toMatchObject({ id: live, reopens: true, intake: null });
    const inserts = [insertOf({ dedupeKey: 'a' }), insertOf({ dedupeKey: 'b' })];
    expect(await tasks.create(submissionOf({ ownerId: 'o', inserts, at: now }))).toMatchObject({
      outcomes: [{ created: false }, { created: true }],
    });
  });

  it('leave the API keys of an older file without an end', async () => {
    const file = join(createTempDir(), 'qinbox.db');
    const old = new DatabaseSync(file);
    migrate(old, file, MIGRATIONS.slice(0, 3));
    old.exec(`
      INSERT INTO users VALUES ('u', 'a@example.com', 'A', NULL, 'link', 1, 1, 0, 1, NULL, NULL);
      INSERT INTO api_keys VALUES ('key_1', 'u', 'k', NULL, 'h', 'qi_', 'wxyz', 'read,write', 1, NULL, NULL);
    `);
    old.close();
    expect(await open(file).accounts.listKeys('u')).toMatchObject([{ id: 'key_1', expiresAt: null }]);
  });

  it('count once what the tasks of an older file take, and every later change of it is counted', async () => {
    const file = join(createTempDir(), 'qinbox.db');
    const now = clock.now();
    const first = openSqliteStorage({ file, clock });
    await first.tasks.create(
      submissionOf({
        ownerId: 'o',
        inserts: [
          insertOf({ content: 'é', tags: ['x'], metadata: { a: '😀' } }),
          insertOf({ content: 'b'.repeat(500) }),
        ],
        at: now,
      }),
    );
    await first.close();
    const old = new DatabaseSync(file);
    old.exec(
      'DROP TABLE follow_ups; DROP TABLE webhooks; DROP TABLE work; DROP TABLE work_lanes; DROP TABLE push; DROP TABLE push_endpoints; DROP TABLE push_shown; DROP TABLE push_held; DROP TABLE secrets; DROP INDEX tasks_asleep; DROP INDEX tasks_wake; ALTER TABLE tasks DROP COLUMN wake_at; ALTER TABLE tasks DROP COLUMN snoozed_until; ALTER TABLE owners DROP COLUMN bytes; ALTER TABLE tasks DROP COLUMN intake; DROP INDEX users_deleting; DROP INDEX intakes_all_of_owner; DROP INDEX deliveries_owner; DROP INDEX adapter_data_of_owner; DROP INDEX api_keys_revoked; DROP INDEX intakes_revoked_of_owner; ALTER TABLE users DROP COLUMN deleting_at; ALTER TABLE users DROP COLUMN views; ALTER TABLE api_keys DROP COLUMN expires_at; PRAGMA user_version = 2',
    );
    old.close();

    const storage = open(file);
    const look = new DatabaseSync(file, { readOnly: true });
    onTestFinished(() => look.close());
    const counted = () => look.prepare('SELECT bytes FROM owners').get()?.['bytes'];
    const recounted = () =>
      look
        .prepare(
          'SELECT ifnull(sum(octet_length(content) + ifnull(octet_length(tags), 0) + ifnull(octet_length(metadata), 0)), 0) AS n FROM tasks',
        )
        .get()?.['n'];
    expect(counted()).toBe(2 + '["x"]'.length + '{"a":""}'.length + 4 + 500);
    const inserts = [
      insertOf({ dedupeKey: 'k', metadata: { m: 'é' } }),
      insertOf({ tags: ['é'], expiryMinutes: 1 }),
    ];
    await storage.tasks.create(submissionOf({ ownerId: 'o', inserts, at: now }));
    await storage.tasks.create(
      submissionOf({ ownerId: 'o', inserts: [insertOf({ dedupeKey: 'k' })], at: now }),
    );
    const [id] = inserts.map((order) => order.id) as [string];
    await storage.tasks.change('o', [id], (task) => editTask(task, { content: 'ünï', tags: [] }, now));
    expect(counted()).toBe(recounted());
    await storage.tasks.create(submissionOf({ ownerId: 'o', inserts: [], resolves: ['k'], at: now }));
    expect(counted()).toBe(recounted());
    clock.advance(2 * 24 * 3_600_000);
    while ((await sweepOnce(storage.tasks, clock.now(), 2)).more);
    expect(counted()).toBe(recounted());
    expect(counted()).toBe(0);
  });

  it('leave the file as it was when one of them fails', () => {
    const db = fresh();
    migrate(db, 'file', ['CREATE TABLE a (x)']);
    expect(() =>
      migrate(db, 'file', ['CREATE TABLE a (x)', 'CREATE TABLE b (x)', 'CREATE TABLE nonsense']),
    ).toThrow();
    expect(version(db)).toBe(1);
    expect(db.isTransaction).toBe(false);
    expect(db.prepare('SELECT name FROM sqlite_master').all()).toEqual([{ name: 'a' }]);
  });
});

describe('beside another process', () => {
  it('tells soon that the other one wrote, and nothing of its own writes', async () => {
    const file = join(createTempDir(), 'qinbox.db');
    const [mine, other] = [open(file), open(file)];
    const changed = vi.fn<() => void>();
    const end = mine.watch(changed);
    await mine.accounts.ensureUser(userOf());
    await other.accounts.ensureUser(userOf());
    await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1), { timeout: 60_000 });
    end();
    const control = vi.fn<() => void>();
    mine.watch(control);
    await mine.accounts.ensureUser(userOf());
    await other.accounts.ensureUser(userOf());
    await vi.waitFor(() => expect(control).toHaveBeenCalledTimes(1), { timeout: 60_000 });
    expect(changed).toHaveBeenCalledTimes(1);
  });

  it('gives an owner that two processes meet for the first time one queue', async () => {
    const file = join(createTempDir(), 'qinbox.db');
    const [mine, other] = [open(file), open(file)];
    await Promise.all(
      [mine, other, mine, other].map((storage) =>
        storage.tasks.create(submissionOf({ ownerId: 'o', inserts: [insertOf()], at: clock.now() })),
      ),
    );
    for (const storage of [mine, other])
      expect(
        await storage.tasks.list({ ownerId: 'o', filter: {}, limit: 10, offset: 0, now: clock.now() }),
      ).toMatchObject({
        total: 4,
        statistics: { total: 4 },
        tasks: { length: 4 },
      });
  });

  it('forgets the number of an owner whose first write failed', async () => {
    const file = join(createTempDir(), 'qinbox.db');
    const [mine, other] = [open(file), open(file)];
    await mine.tasks.create(submissionOf({ ownerId: 'first', inserts: [insertOf()], at: clock.now() }));
    // What no caller hands over makes this write fail after its owner was given a number.
    const impossible = insertOf();
    impossible.draft = { ...impossible.draft, content: null as unknown as string };
    await expect(
      mine.tasks.create(submissionOf({ ownerId: 'failed', inserts: [impossible], at: clock.now() })),
    ).rejects.toThrow();
    await other.tasks.create(submissionOf({ ownerId: 'foreign', inserts: [insertOf()], at: clock.now() }));
    expect((await mine.tasks.statistics('failed', clock.now())).total).toBe(0);
    await mine.tasks.create(submissionOf({ ownerId: 'failed', inserts: [insertOf()], at: clock.now() }));
    for (const storage of [mine, other])
      for (const owner of ['first', 'failed', 'foreign'])
        expect(
          (await storage.tasks.list({ ownerId: owner, filter: {}, limit: 10, offset: 0, now: clock.now() }))
            .tasks,
        ).toMatchObject([{ ownerId: owner }]);
  });
});

describe('closing', () => {
  it('finishes what was begun, folds the log into the file, and may happen twice', async () => {
    const file = join(createTempDir(), 'qinbox.db');
    const storage = open(file);
    const user = userOf();
    await storage.accounts.ensureUser(user);
    const key = keyOf(user.id);
    await storage.accounts.createKey(key, 25);
    await storage.accounts.touchKey(key.id, 77);
    const order = insertOf();
    const begun = storage.tasks.create(submissionOf({ ownerId: user.id, inserts: [order], at: clock.now() }));
    await storage.close();
    await storage.close();
    expect(await begun).toMatchObject({ kind: 'done' });
    expect(() => statSync(`${file}-wal`)).toThrow('ENOENT');
    await expect(storage.check()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(storage.tasks.get(user.id, order.id, clock.now())).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    const again = open(file);
    expect(await again.tasks.get(user.id, order.id, clock.now())).toMatchObject({ id: order.id });
    expect((await again.accounts.listKeys(user.id))[0]?.lastUsedAt).toBe(77);
  });

  it('leaves no secret in the file, only hashes', async () => {
    const file = join(createTempDir(), 'qinbox.db');
    const storage = open(file);
    const secrets = Array.from({ length: 4 }, () => createApiKeySecret());
    const [apiKey, refresh, previous, link] = secrets as [string, string, string, string];
    const { user } = await storage.accounts.ensureUser(userOf());
    await storage.accounts.createKey(keyOf(user.id, { hash: hashSecret(apiKey), ...keyHint(apiKey) }), 25);
    await storage.accounts.createSession(
      sessionOf(user.id, { refreshHash: hashSecret(refresh), previousHash: hashSecret(previous) }),
    );
    await storage.accounts.createLink(hashSecret(link), user.id, clock.now() + 1000);
    await storage.close();
    const bytes = readFileSync(file);
    for (const secret of secrets) {
      expect(bytes.includes(hashSecret(secret))).toBe(true);
      expect(bytes.includes(secret)).toBe(false);
      // Not even a part that would let the rest be guessed.
      expect(bytes.includes(secret.slice(8, 20))).toBe(false);
    }
  });
});

describe('a long queue', () => {
  it('is listed without looking at each task', async () => {
    const file = join(createTempDir(), 'qinbox.db');
    open(file);
    const db = new DatabaseSync(file);
    onTestFinished(() => db.close());
    const plan = (sql: string) =>
      db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => detail)
        .join('; ');
    const page = (index: string, more: string) =>
      plan(`SELECT * FROM tasks INDEXED BY ${index} WHERE owner = 1 ${more} ORDER BY id DESC LIMIT 50`);
    for (const found of [
      page('tasks_pinned', 'AND state = 2'),
      page('tasks_by_id', 'AND state = 1'),
      page('tasks_by_id', 'AND state = 1 AND priority = 2'),
    ])
      expect(found).not.toMatch(/SCAN|TEMP B-TREE/);
    expect(plan("SELECT 1 FROM tasks INDEXED BY tasks_by_id WHERE owner = 1 AND id = 'x'")).toMatch(
      /SEARCH tasks USING COVERING INDEX tasks_by_id \(owner=\? AND id=\?\)/,
    );
    expect(
      plan(
        'SELECT count(*) FROM tasks INDEXED BY tasks_expiry WHERE state = 1 AND expires_at <= 1 AND owner = 1',
      ),
    ).toMatch(/SEARCH tasks USING COVERING INDEX tasks_expiry/);
  });

  it('and many intakes are found by an index, whatever is asked', () => {
    const file = join(createTempDir(), 'qinbox.db');
    const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
    open(file);
    const asked = prepare.mock.calls
      .map(([sql]) => sql)
      .filter((sql) => /(FROM|UPDATE) (intakes|intake_tokens|deliveries|adapter_data)\b.*WHERE/.test(sql));
    prepare.mockRestore();
    expect(asked.length).toBeGreaterThan(20);
    const db = new DatabaseSync(file);
    onTestFinished(() => db.close());
    for (const sql of asked) {
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
      expect(plan.map(({ detail }) => detail).join('; '), sql).not.toMatch(/SCAN|TEMP B-TREE/);
    }
  });
});
