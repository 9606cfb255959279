// Moving an embedded install to MongoDB as an operator does it: the real server before, the command, the real
// server after.
import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { openSqliteStorage } from '#adapters/sqlite/storage.ts';
import { acknowledgeTask } from '#core/domain/task.ts';
import { systemClock } from '#core/system-clock.ts';
import type { Storage } from '#core/ports/storage.ts';
import { exported } from '#test/contract/transfer.suite.ts';
import { intakeOf, keyOf, insertOf, userOf } from '#test/helpers/records.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { createKey, createSignInLink, plainEnvironment, root, startProgram } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { createMongoHarness } from '#test/services/mongo-harness.ts';
import { startProxy } from '#test/services/proxy.ts';
import { describeWith, sharedMongo, sharedRedis } from '#test/services/services.ts';
import { submissionOf } from '#test/helpers/submissions.ts';

interface Ran {
  code: number | null;
  out: string;
  err: string;
}

function migrate(dataDir: string, args: string[], env: Record<string, string> = {}): Promise<Ran> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [join(root, 'cli', 'qinbox.mjs'), 'migrate', ...args], {
      env: plainEnvironment({ DATA_DIR: dataDir, NODE_NO_WARNINGS: '1', ...env }),
    });
    const ran: Ran = { code: null, out: '', err: '' };
    child.stdout.on('data', (data: Buffer) => (ran.out += data.toString()));
    child.stderr.on('data', (data: Buffer) => (ran.err += data.toString()));
    child.on('close', (code) => done({ ...ran, code }));
  });
}

/**
 * An install with a user, a key, an intake, a record of an adapter and `count` tasks, one of them
 * acknowledged.
 */
async function install(count: number): Promise<{ dataDir: string; owner: string }> {
  const dataDir = createTempDir();
  const storage = openSqliteStorage({ file: join(dataDir, 'qinbox.db'), clock: systemClock });
  const { user } = await storage.accounts.ensureUser(userOf());
  await storage.accounts.createKey(keyOf(user.id), 25);
  await storage.intakes.create(intakeOf(user.id), 25);
  const installed = { adapter: 'slack', kind: 'install', key: 'T1', ownerId: null, value: 'sealed' };
  await storage.adapterData.put({ ...installed, expiresAt: null });
  const inserts = Array.from({ length: count }, () => insertOf());
  const at = systemClock.now();
  await storage.tasks.create(submissionOf({ ownerId: user.id, inserts, at }));
  await storage.tasks.change(user.id, [inserts[0]?.id as string], (task) => acknowledgeTask(task, at));
  await storage.close();
  return { dataDir, owner: user.id };
}

describeWith('qinbox migrate', await sharedMongo(), ({ url }) => {
  const mongo = createMongoHarness(url);
  const target = (): Promise<Storage> => mongo.open(systemClock);
  afterEach(() => mongo.clear());
  afterAll(() => mongo.drop());

  it('copies everything once, proves it, and completes a copy that was cut off', async () => {
    const { dataDir, owner } = await install(700);
    const file = join(dataDir, 'qinbox.db');
    const source = openSqliteStorage({ file, clock: systemClock });
    const records = await exported(source, systemClock.now());
    await source.close();
    await (await target()).transfer.importAll(records.filter(({ kind }) => kind !== 'key').slice(-300));

    const ran = await migrate(dataDir, ['--to', mongo.url]);
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect(ran.out).toContain('300 of them were there already');
    expect(ran.out).toMatch(
      / 1 {2}users\n +1 {2}API keys\n +700 {2}tasks\n +0 {2}rejected submissions\n +1 {2}intakes\n/,
    );
    const storage = await target();
    expect(await exported(storage, systemClock.now())).toEqual(records);
    expect(await storage.tasks.statistics(owner, systemClock.now())).toMatchObject({ total: 699 });

    const again = await migrate(dataDir, ['--json'], {
      MONGODB_URL: mongo.url,
      REDIS_URL: 'redis://127.0.0.1:1',
      JWT_SECRET: 'x'.repeat(32),
    });
    expect(JSON.parse(again.out)).toMatchObject({ before: 704, counts: { task: 700 } });
    expect(await exported(await target(), systemClock.now())).toEqual(records);
  });

  it('says that MongoDB failed in the middle, and completes the copy when it runs again', async () => {
    const { dataDir } = await install(5000);
    const { hostname, port, pathname } = new URL(mongo.url);
    const proxy = await startProxy(hostname, Number(port));
    onTestFinished(() => proxy.close());
    const running = migrate(dataDir, [
      '--to',
      `mongodb://127.0.0.1:${proxy.port}${pathname}?directConnection=true`,
    ]);
    const storage = await target();
    await waitFor('a part of the copy', async () => (await exported(storage, systemClock.now())).length > 0);
    proxy.refuse();
    const cut = await running;
    expect([cut.code, cut.out]).toEqual([1, '']);
    expect(cut.err).toMatch(
      /^qinbox: MongoDB cannot be read or written right now: .+\. The file was not changed\. Running this again completes the copy\.\n$/,
    );
    const again = await migrate(dataDir, ['--to', mongo.url]);
    expect([again.code, again.err]).toEqual([0, '']);
    expect(again.out).toContain('were there already, from a run before.');
  });

  it('refuses a target that holds anything else, or more than was copied, and leaves it alone', async () => {
    const { dataDir, owner } = await install(3);
    const storage = await target();
    const stranger = userOf();
    await storage.accounts.ensureUser(stranger);
    const refused = await migrate(dataDir, ['--to', mongo.url]);
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err).toMatch(/^qinbox: The target is not empty: 1 users there .* run this again\.\n$/);
    expect(await storage.accounts.listUsers()).toEqual([stranger]);
    await mongo.empty();

    expect((await migrate(dataDir, ['--to', mongo.url])).code).toBe(0);
    const used = await target();
    const { tasks } = await used.tasks.list({
      ownerId: owner,
      filter: {},
      limit: 10,
      offset: 0,
      now: systemClock.now(),
    });
    const now = systemClock.now();
    await used.tasks.change(owner, [tasks[0]?.id as string], (task) => acknowledgeTask(task, now));
    expect((await migrate(dataDir, ['--to', mongo.url])).err).toContain('1 tasks there');
    expect((await used.tasks.statistics(owner, now)).total).toBe(1);
  });

  it('names a task whose id another one has, and says what to do', async () => {
    const dataDir = createTempDir();
    const storage = openSqliteStorage({ file: join(dataDir, 'qinbox.db'), clock: systemClock });
    const users = [userOf(), userOf()];
    const insert = insertOf();
    for (const user of users) {
      await storage.accounts.ensureUser(user);
      await storage.tasks.create(
        submissionOf({ ownerId: user.id, inserts: [insert], at: systemClock.now() }),
      );
    }
    await storage.close();
    const { code, out, err } = await migrate(dataDir, ['--to', mongo.url]);
    expect([code, out]).toEqual([1, '']);
    const [one, two] = users.map(({ email }) => email);
    expect(err).toContain(`qinbox: Two tasks have the id ${insert.id}, of ${one} and of ${two}, and`);
    expect(err).toMatch(/acknowledge one of the two .* run this again\.\n$/);
  });

  it('refuses while a server runs on the install, and keeps servers from starting meanwhile', async () => {
    const { dataDir } = await install(1);
    const file = join(dataDir, 'qinbox.db');
    const server = openSqliteStorage({ file, clock: systemClock });
    const refused = await migrate(dataDir, ['--to', mongo.url]);
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err).toMatch(
      /^qinbox: A server or another command is working on .*qinbox\.db\. Stop it, .*\n$/,
    );
    await server.close();

    const moving = openSqliteStorage({ file, clock: systemClock, exclusive: true });
    expect(() => openSqliteStorage({ file, clock: systemClock })).toThrow('another process holds its lock');
    await moving.close();
    expect((await migrate(dataDir, ['--to', mongo.url])).code).toBe(0);
  });
});

describe('qinbox migrate without a target', () => {
  it.each([
    [[], 2, 'Usage: qinbox migrate'],
    [['--to', 'redis://localhost'], 2, 'Usage: qinbox migrate'],
    [['--to', 'mongodb://u:secret@127.0.0.1:1/q'], 1, 'MongoDB at 127.0.0.1:1 cannot be used'],
  ])('%j is refused in one line or two, without the password', async (args, code, text) => {
    const { dataDir } = await install(1);
    const ran = await migrate(dataDir, args);
    expect([ran.code, ran.out]).toEqual([code, '']);
    expect(ran.err).toContain(text);
    expect(ran.err).not.toMatch(/secret| at .*:\d+:\d+/);
  });

  it.each([
    ['mongodb://u:secret%@127.0.0.1:1/q', 2, '--to must be an address such as mongodb://'],
    ['mongodb://127.0.0.1:1/%zz', 2, '--to must be an address such as mongodb://'],
    ['mongodb://127.0.0.1:1/q', 1, 'Check --to and that the server runs.'],
  ])('names --to where %s is wrong, and not the variable', async (address, code, text) => {
    const { dataDir } = await install(1);
    const ran = await migrate(dataDir, ['--to', address]);
    expect([ran.code, ran.out]).toEqual([code, '']);
    expect(ran.err).toMatch(/^qinbox: [^\n]+\n$/);
    expect(ran.err).toContain(text);
    expect(ran.err).not.toMatch(/MONGODB_URL|secret/);
  });

  it('says that there is no install, and makes none', async () => {
    const dataDir = createTempDir();
    const ran = await migrate(dataDir, ['--to', 'mongodb://127.0.0.1:1/q']);
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('There is no embedded install to move')]);
    expect(existsSync(join(dataDir, 'qinbox.db'))).toBe(false);
  });
});

const [mongo, redis] = [await sharedMongo(), await sharedRedis()];

describeWith('the production size after qinbox migrate', 'missing' in redis ? redis : mongo, ({ url }) => {
  it('answers the same key with the same tasks, and asks people to sign in again', async () => {
    const database = createMongoHarness(url);
    onTestFinished(() => database.drop());
    const dataDir = createTempDir();
    const key = createKey(dataDir);
    const embedded = await startProgram({ dataDir });
    const call = (at: string, path: string, init: RequestInit = {}) =>
      fetch(`${at}/api/v1${path}`, {
        ...init,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
      });
    const push = async (task: object) => {
      const answer = await call(embedded.url, '/tasks', { method: 'POST', body: JSON.stringify(task) });
      return ((await answer.json()) as { task: { id: string } }).task.id;
    };
    await push({ content: 'disk full', priority: 'high', tags: ['nas'], metadata: { $a: { 'b.c': 1 } } });
    for (let time = 0; time < 3; time++) await push({ content: 'again', dedupeKey: 'k' });
    const pinned = await push({ content: 'keep' });
    await call(embedded.url, `/tasks/${pinned}/pin`, { method: 'PATCH', body: '{"pinned":true}' });
    const done = await push({ content: 'done' });
    await fetch(`${embedded.url}/api/v1/tasks/${done}`, { method: 'DELETE', headers: { 'x-api-key': key } });
    const post = (at: string, path: string, body: object) =>
      fetch(`${at}/api/v1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const token = createSignInLink(dataDir, embedded.url).split('=')[1];
    const signedIn = await post(embedded.url, '/auth/link', { token });
    const { tokens } = (await signedIn.json()) as { tokens: { refreshToken: string } };
    const before: unknown = await (await call(embedded.url, '/tasks')).json();
    expect(await embedded.stop()).toBe(0);

    expect(await migrate(dataDir, ['--to', database.url])).toMatchObject({ code: 0, err: '' });
    const production = await startProgram({
      dataDir: '/nonexistent',
      env: {
        MONGODB_URL: database.url,
        REDIS_URL: (redis as { url: string }).url,
        JWT_SECRET: hash('sha256', 'test'),
        // Redis is shared with other tests: what is theirs in its queues is left to them.
        QINBOX_ROLES: 'api',
      },
    });
    onTestFinished(() => production.kill());
    expect(await (await call(production.url, '/tasks')).json()).toEqual(before);
    const refresh = await post(production.url, '/auth/refresh', { refreshToken: tokens.refreshToken });
    expect(refresh.status).toBe(401);
    expect(
      (await call(production.url, `/tasks/${done}/restore`, { method: 'POST', body: '{}' })).status,
    ).toBe(200);
    const repeat = await call(production.url, '/tasks', {
      method: 'POST',
      body: JSON.stringify({ content: 'again', dedupeKey: 'k' }),
    });
    expect(await repeat.json()).toMatchObject({ task: { occurrences: 4 } });
  });
});
