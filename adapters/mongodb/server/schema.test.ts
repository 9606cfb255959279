// Versions of the database: what a newer program made is refused or left alone, and indexes are built by one
// process at a time, however long that takes.
import { spawnSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { MongoClient, type Db } from 'mongodb';
import { acknowledgeTask, editTask, pinTask } from '#core/domain/task.ts';
import type { Task } from '#core/domain/task.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { insertOf, intakeOf, newOwner, userOf } from '#test/helpers/records.ts';
import { sweepOnce } from '#test/helpers/sweeps.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { createMongoHarness, type MongoUnderTest } from '#test/services/mongo-harness.ts';
import { startMongo } from '#test/services/mongodb.ts';
import { describeWith, sharedMongo } from '#test/services/services.ts';
import { plainEnvironment, root, serverScript } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { buildIndexes, dropRetired, INDEXES, isComplete } from './collections.ts';
import { createLease, type LeaseDocument } from './lease.ts';
import { prepareSchema, SCHEMA } from './schema.ts';

const LONGER_THAN_A_CALL_MS = 9000;

describeWith('the schema', await sharedMongo(), ({ url }) => {
  const clock = createFakeClock();
  let harness: MongoUnderTest;
  let db: Db;

  beforeAll(() => {
    harness = createMongoHarness(url);
    db = harness.db;
  });
  afterEach(async () => {
    await harness.clear();
    await db.collection('schema').deleteMany({});
  });
  afterAll(() => harness.drop());

  const version = () => db.collection<{ _id: string }>('schema').findOne({ _id: 'schema' });
  const buildLease = () =>
    createLease((work) => work(db.collection<LeaseDocument>('leases')), 'indexes', 30_000);

  it('refuses a database that a newer program made unreadable, in one line, and changes nothing', async () => {
    const newer = { version: SCHEMA.version + 2, minimum: SCHEMA.version + 1 };
    await prepareSchema(db, { known: newer });
    const before = await version();
    await expect(harness.open(clock)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching(
        /^The database qinbox_test_\w+ was written by a newer Qinbox .*MONGODB_URL\.$/,
      ),
    });
    expect(await version()).toEqual(before);
    const env = { MONGODB_URL: harness.url, REDIS_URL: 'redis://127.0.0.1:1', JWT_SECRET: 'x'.repeat(32) };
    const ran = spawnSync(process.execPath, [serverScript()], {
      cwd: root,
      env: plainEnvironment({ ...env, NODE_NO_WARNINGS: '1' }),
      encoding: 'utf8',
    });
    expect(ran.status).toBe(1);
    expect(ran.stderr).toMatch(/^qinbox: The database \S+ was written by a newer Qinbox .*\n$/);
  });

  it('opens a database of a newer program that left it readable, and lowers nothing', async () => {
    await prepareSchema(db, { known: { version: SCHEMA.version + 5, minimum: SCHEMA.version } });
    await harness.open(clock);
    expect(await version()).toMatchObject({ version: SCHEMA.version + 5, minimum: SCHEMA.version });
  });

  it('leaves every field alone that a newer program added, whatever it does to the document', async () => {
    const storage = await harness.open(clock);
    const owner = newOwner();
    const [repeated, done, expiring] = [
      insertOf({ dedupeKey: 'k' }),
      insertOf(),
      insertOf({ expiryMinutes: 1 }),
    ];
    const at = clock.now();
    await storage.tasks.create(submissionOf({ ownerId: owner, inserts: [repeated, done, expiring], at }));
    const { user } = await storage.accounts.ensureUser(userOf());
    const intake = intakeOf(user.id);
    await storage.intakes.create(intake, 5);
    const future = { of: ['a newer program'] };
    for (const name of ['tasks', 'users', 'intakes'])
      await db.collection(name).updateMany({}, { $set: { future } });

    const change = (id: string, rule: (task: Task) => Task | null) => storage.tasks.change(owner, [id], rule);
    await change(repeated.id, (task) => editTask(task, { content: 'edited' }, at));
    await change(repeated.id, (task) => pinTask(task, true, at));
    await storage.tasks.create(submissionOf({ ownerId: owner, inserts: [insertOf({ dedupeKey: 'k' })], at }));
    await change(done.id, (task) => acknowledgeTask(task, at));
    await storage.accounts.changeUser(user.id, (record) => ({ ...record, name: 'Ada' }));
    await storage.intakes.change(user.id, intake.id, (record) => ({ ...record, revokedAt: at }));
    clock.advance(60_000);
    expect((await sweepOnce(storage.tasks, clock.now(), 10)).expired).toHaveLength(1);

    for (const [name, count] of [
      ['tasks', 3],
      ['users', 1],
      ['intakes', 1],
    ] as const)
      expect(await db.collection(name).countDocuments({ future, v: { $gt: 1 } }), name).toBe(count);
    // What it knows and no longer means is gone: a pinned task has no end.
    expect(await db.collection<{ _id: string }>('tasks').findOne({ _id: repeated.id })).not.toHaveProperty(
      'purgeAt',
    );
  });

  it('replaces indexes that an earlier version made otherwise, and drops retired ones a day later', async () => {
    await db.dropDatabase();
    const tasks = db.collection('tasks');
    await tasks.createIndex({ purgeAt: 1 }, { name: 'purge', expireAfterSeconds: 0 });
    await tasks.createIndex({ owner: 1, state: 1 }, { name: 'list' });
    await tasks.createIndex({ state: 1, visibleUntil: 1 }, { name: 'by_expiry' });
    await tasks.createIndex({ owner: 1, bucket: 1 }, { name: 'statistics' });
    await db.collection('users').createIndex({ email: 1 }, { name: 'email' });
    await Promise.all([harness.open(clock), harness.open(clock), harness.open(clock)]);
    expect(await isComplete(db)).toBe(true);
    const names = async () => (await tasks.indexes()).map(({ name }) => name);
    const wanted = ['_id_', ...(INDEXES['tasks'] ?? []).map(({ name }) => name)];
    expect((await names()).toSorted()).toEqual([...wanted, 'statistics'].toSorted());

    await db
      .collection<{ _id: string }>('schema')
      .updateOne({ _id: 'schema' }, { $set: { since: new Date(0) } });
    await harness.open(clock);
    expect((await names()).toSorted()).toEqual(wanted.toSorted());
    await dropRetired(db);
  });

  it('has the server look closely at each collection once, and again where an index may still be built', async () => {
    const looks: string[] = [];
    const watched = new MongoClient(url, { monitorCommands: true });
    watched.on('commandStarted', ({ commandName }) => looks.push(commandName));
    const prepare = async () => {
      looks.length = 0;
      await prepareSchema(watched.db(db.databaseName));
      return looks.includes('collStats');
    };
    try {
      expect(await prepare()).toBe(true);
      expect(await prepare()).toBe(false);
      const builder = buildLease();
      await builder.take();
      expect(await prepare()).toBe(true);
      await builder.release();
      expect(await prepare()).toBe(false);
      await db.collection('tasks').dropIndex('restorable');
      expect(await prepare()).toBe(true);
      expect(await isComplete(db)).toBe(true);
    } finally {
      await watched.close();
    }
  });

  it('builds by one process while others wait, and by another one when that dies', async () => {
    await db.dropDatabase();
    const other = buildLease();
    expect(await other.take()).toBe(true);
    let waits = 0;
    const opening = harness.open(clock, { onWait: () => void waits++ });
    await waitFor('it to wait', () => waits === 1);
    expect(await isComplete(db)).toBe(false);
    expect(await db.listCollections({ name: 'tasks' }).toArray()).toEqual([]);
    await buildIndexes(db);
    await opening;
    expect(waits).toBe(1);
    await other.release();

    await db.dropDatabase();
    const dying = createLease((work) => work(db.collection<LeaseDocument>('leases')), 'indexes', 1);
    expect(await dying.take()).toBe(true);
    await harness.open(clock);
    expect(await isComplete(db)).toBe(true);
  });
});

const slow = await startMongo(() => {}, ['--setParameter', 'enableTestCommands=1']);

describeWith('an index build', 'missing' in slow ? slow : slow.service, ({ url }) => {
  const harness = createMongoHarness(url);
  const client = new MongoClient(url);
  const admin = client.db('admin');
  afterAll(async () => {
    await harness.drop();
    await client.close();
    if ('service' in slow) await slow.service.stop();
  });

  const hang = (mode: 'alwaysOn' | 'off') =>
    admin.command({ configureFailPoint: 'hangAfterStartingIndexBuild', mode });

  it('takes longer than any other operation may, and processes that run already go on', async () => {
    const clock = createFakeClock();
    const running = await harness.open(clock);
    const create = () =>
      running.tasks.create(submissionOf({ ownerId: newOwner(), inserts: [insertOf()], at: clock.now() }));
    await create();
    await harness.db.collection('tasks').dropIndex('restorable');
    await hang('alwaysOn');
    let opened = 0;
    const opening = [harness.open(clock), harness.open(clock)];
    for (const each of opening)
      each.then(
        () => opened++,
        () => opened++,
      );
    const end = Date.now() + LONGER_THAN_A_CALL_MS;
    await waitFor('a call to be over', async () => {
      expect(await create()).toMatchObject({ kind: 'done' });
      return Date.now() > end;
    });
    expect(opened).toBe(0);
    await hang('off');
    await Promise.all(opening);
    expect(await isComplete(harness.db)).toBe(true);
  });
});
