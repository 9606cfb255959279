// What the documentation says of backups of the production size, run word for word with MongoDB's own tools
// against a MongoDB as the stack has it: `npm run test:stack`.
import { randomBytes } from 'node:crypto';
import { truncateSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Collection, MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { blocksIn } from '#test/docs/blocks.ts';
import { signInAt, type Call } from '#test/faults/webhooks-out.ts';
import { startReceiver, type Receiver } from '#test/helpers/receivers.ts';
import { temporaryFolder } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { createDeployment, runBlock, type Deployment } from './mongo-deployment.ts';
import { findDumpTools, findMongosh } from './mongo-tools.ts';

const PAGE = 'docs/operations.md';
const blocks = blocksIn(PAGE, 'sh');
const only = (...words: string[]): string => {
  const found = blocks.filter((block) => words.every((word) => block.includes(word)));
  if (found.length !== 1) throw new Error(`${PAGE} has ${found.length} blocks with ${words.join(' and ')}`);
  return found[0] ?? '';
};
const DUMP = only('docker compose exec', 'mongodump');
const RESTORE = only('docker compose exec', 'mongorestore');
/** Without the start of what would change it. */
const RESTORE_ALONE = RESTORE.replace(/docker compose up -d --wait$/, '');
const [OWN_DUMP = '', OWN_RESTORE = ''] = only('mongodump --uri "$MONGODB_URL"').split('\n');
// Hooks start stacks.
vi.setConfig({ hookTimeout: 300_000 });
const FILE = 'qinbox.archive.gz';

const shell = await findMongosh();
const dumps = findDumpTools();
const missing = 'missing' in shell ? shell.missing : 'missing' in dumps ? dumps.missing : null;
if (missing !== null && process.env['REQUIRE_SERVICES'] === '1') throw new Error(missing);
const mongosh = 'missing' in shell ? [] : shell.commands.mongosh;

/** Every document and index of the database, by collection. */
async function read(client: MongoClient): Promise<Record<string, string[]>> {
  const collections = await client.db('qinbox').listCollections({}, { nameOnly: true }).toArray();
  const all = collections.map(async ({ name }) => {
    const collection = client.db('qinbox').collection(name);
    const documents = await collection.find().sort({ _id: 1 }).toArray();
    const indexes = (await collection.indexes()).map((index) => JSON.stringify(index)).toSorted();
    return [name, [...documents.map((document) => JSON.stringify(document)), ...indexes]] as [
      string,
      string[],
    ];
  });
  return Object.fromEntries((await Promise.all(all)).toSorted(([a], [b]) => a.localeCompare(b)));
}
const contentsOf = (deployment: Deployment) => deployment.container.as('admin', read);

async function makeTasks(
  call: Call,
  many: number,
  priority = 'normal',
  content = (n: number) => `task ${n}`,
): Promise<string[]> {
  const tasks = Array.from({ length: many }, (_, n) => ({ content: content(n), priority }));
  const made = await call('POST', '/tasks/batch', { tasks });
  return (made['tasks'] as { id: string }[]).map(({ id }) => id);
}

describe.skipIf(missing !== null)('a backup of the stack', () => {
  const folder = temporaryFolder('backup');
  const run = (block: string, on: Deployment) => runBlock(block, folder.path, on);
  let stack: Deployment;
  let receiver: Receiver;
  let call: Call;

  beforeAll(async () => {
    stack = await createDeployment(mongosh);
    receiver = await startReceiver();
    await stack.up();
    call = await signInAt({ ...stack, slackUrl: stack.url, kill: stack.down });
    // So much of what cannot be compressed that a dump takes a while.
    for (let n = 0; n < 40; n++)
      await makeTasks(call, 100, 'normal', () => randomBytes(6000).toString('base64'));
    const made = await call('POST', '/webhooks', {
      name: 'w',
      url: receiver.url,
      events: ['task.created'],
      filter: { priorities: ['high'] },
    });
    const { id } = made['webhook'] as { id: string };
    const steps = [{ afterMinutes: 0, kind: 'webhook', to: id }];
    await call('POST', '/escalations', { name: 'e', intake: null, priorities: ['high'], steps });
  });
  beforeEach(() => stack.up());
  afterAll(async () => {
    await stack.stop();
    await receiver.close();
    folder.remove();
  });

  /** Dumps while four senders make tasks; the ids that were answered before it began, or sent after it. */
  async function dumpUnderLoad(dump: string): Promise<{ before: string[]; after: string[] }> {
    const made: { ids: string[]; sentAt: number; answeredAt: number }[] = [];
    let isOver = false;
    const send = async () => {
      while (!isOver) {
        const sentAt = performance.now();
        const ids = await makeTasks(call, 10, 'high');
        made.push({ ids, sentAt, answeredAt: performance.now() });
      }
    };
    const senders = [send(), send(), send(), send()];
    await waitFor('the load', () => made.length > 20);
    const began = performance.now();
    await run(dump, stack);
    const ended = performance.now();
    const many = made.length;
    await waitFor('more of the load', () => made.length > many + 10);
    isOver = true;
    await Promise.all(senders);
    const idsOf = (part: typeof made) => part.flatMap(({ ids }) => ids);
    return {
      before: idsOf(made.filter(({ answeredAt }) => answeredAt < began)),
      after: idsOf(made.filter(({ sentAt }) => sentAt > ended)),
    };
  }

  it('is of one moment: under load each restored task has its webhook message and its step', async () => {
    // What is on its way stays there until the restore.
    receiver.answer(() => {});
    const { before, after } = await dumpUnderLoad(DUMP);
    expect(before.length).toBeGreaterThan(100);
    expect(after.length).toBeGreaterThan(50);
    await run(RESTORE_ALONE, stack);
    const heard = receiver.received.splice(0);
    receiver.answer(204);
    const restored = await stack.container.as('admin', (client) =>
      client.db('qinbox').collection<{ _id: string }>('tasks').distinct('_id', { priority: 'high' }),
    );
    await stack.up();
    const has = new Set(restored.map(String));
    expect(before.filter((id) => !has.has(id))).toEqual([]);
    expect(after.filter((id) => has.has(id))).toEqual([]);
    const told = (type: string) =>
      new Set(receiver.received.filter((one) => one.type === type).map(({ task }) => task.id));
    const untold = () =>
      ['task.created', 'task.escalated'].flatMap((type) => {
        const ids = told(type);
        return [...has].filter((id) => !ids.has(id)).map((id) => `${type} ${id}`);
      });
    await waitFor('every message', () => untold().length === 0, 300_000).catch(() => null);
    expect(untold()).toEqual([]);
    // What was sent before and is sent again is known by its id.
    const ids = new Set(receiver.received.map(({ id }) => id));
    const again = heard.filter(({ task }) => has.has(task.id));
    expect(again.length).toBeGreaterThan(0);
    expect(again.filter(({ id }) => !ids.has(id))).toEqual([]);
  });

  it('holds everything: after changes, the restore into the same stack makes it what it was', async () => {
    await stack.down();
    const before = await contentsOf(stack);
    await run(DUMP, stack);
    await stack.up();
    const [id = ''] = await makeTasks(call, 5);
    await call('DELETE', `/tasks/${id}`);
    const more = <R>(work: (collection: Collection) => Promise<R>) =>
      stack.container.as('admin', (client) => work(client.db('qinbox').collection('more')));
    await more((collection) => collection.insertOne({ of: 'a newer version' }));
    await run(RESTORE_ALONE, stack);
    const { more: left, ...restored } = await contentsOf(stack);
    expect(restored).toEqual(before);
    expect(left?.[0]).toContain('a newer version');
    await more((collection) => collection.drop());
  });

  it('leaves a stack that works: who was signed in is, and what comes is told and escalated', async () => {
    await run(DUMP, stack);
    await run(RESTORE, stack);
    receiver.received.length = 0;
    const [id] = await makeTasks(call, 1, 'high');
    await receiver.count(2);
    const told = receiver.received.filter(({ task }) => task.id === id).map(({ type }) => type);
    expect(told.toSorted()).toEqual(['task.created', 'task.escalated']);
  });

  it('brings back a database that a newer version made unreadable', async () => {
    await run(DUMP, stack);
    await stack.down();
    await stack.container.as('admin', (client) =>
      client
        .db('qinbox')
        .collection<{ _id: string }>('schema')
        .updateOne({ _id: 'schema' }, { $set: { minimum: 999, version: 999 } }),
    );
    await expect(stack.up()).rejects.toThrow(/was written by a newer Qinbox/);
    await run(RESTORE, stack);
    expect(await makeTasks(call, 1)).toHaveLength(1);
  });

  it('of a file that was cut off is found out by the line below the dump', async () => {
    await run(DUMP, stack);
    const path = join(folder.path, FILE);
    truncateSync(path, Math.floor(statSync(path).size / 2));
    const [, test = ''] = DUMP.split('\n');
    await expect(run(test, stack)).rejects.toThrow(/unexpected end of file/);
  });

  it('as the account of Qinbox alone, for a server of your own, makes it what it was', async () => {
    await stack.down();
    const before = await contentsOf(stack);
    await run(OWN_DUMP, stack);
    await stack.up();
    await makeTasks(call, 5);
    await stack.down();
    await run(OWN_RESTORE, stack);
    expect(await contentsOf(stack)).toEqual(before);
  });

  it('of one moment, of a server of your own that is in use, needs an account with the role backup', async () => {
    await stack.container.as('admin', async (client) => {
      await client.db('admin').command({ createUser: 'copier', pwd: 'copier', roles: ['backup'] });
    });
    const dump = (account: string, source: string) =>
      run(
        `mongodump --uri "mongodb://${account}@127.0.0.1:${stack.container.port}/?authSource=${source}" --oplog --archive=copy`,
        stack,
      );
    await dump('copier:copier', 'admin');
    await expect(dump(`qinbox:${stack.secrets.MONGODB_PASSWORD}`, 'qinbox')).rejects.toThrow(
      /not authorized/,
    );
  });

  describe('into a new stack', () => {
    let fresh: Deployment;
    beforeEach(async () => (fresh = await createDeployment(mongosh)));
    afterEach(() => fresh.stop());

    it('is what it was, and people and programs go on', async () => {
      const key = stack.qinbox('key', 'create', '--email', 'me@example.com', '--name', 'new');
      await stack.down();
      const before = await contentsOf(stack);
      await run(DUMP, stack);
      await run(RESTORE_ALONE, fresh);
      expect(await contentsOf(fresh)).toEqual(before);
      await fresh.up();
      const listed = await fetch(`${fresh.url()}/api/v1/tasks?limit=1`, { headers: { 'x-api-key': key } });
      expect(listed.status).toBe(200);
    });

    it('works with a MONGODB_PASSWORD that is new since, which the health check sets', async () => {
      await run(DUMP, stack);
      fresh.secrets.MONGODB_PASSWORD = 'd4'.repeat(32);
      await run(RESTORE, fresh);
      expect((await fetch(`${fresh.url()}/ready`)).status).toBe(200);
    });

    it('as admin, or with --nsInclude, is refused as the page says', async () => {
      await run(DUMP, stack);
      await fresh.up(true);
      const asAdmin = RESTORE.replace('__system:$MONGODB_KEY', 'admin:$MONGODB_ADMIN_PASSWORD')
        .replace('authSource=local', 'authSource=admin')
        .split('\n')[2];
      expect(asAdmin).toContain('authSource=admin');
      await expect(run(asAdmin ?? '', fresh)).rejects.toThrow(/applyOps.*requires authentication/);
      const included = RESTORE.replace('--drop', '--drop --nsInclude "qinbox.*"').split('\n')[2];
      await expect(run(included ?? '', fresh)).rejects.toThrow(/cannot use --oplogReplay with includes/);
    });
  });
});
