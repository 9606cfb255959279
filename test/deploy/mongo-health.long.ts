// What the health check of the stack's MongoDB promises (deploy/mongo/ready.js), run by the real mongosh on a
// MongoDB as the stack starts it: `npm run test:stack`.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freeze, wake } from '#test/services/signals.ts';
import { SECRETS, startContainer, type MongoContainer } from './mongo-container.ts';
import { findMongosh } from './mongo-tools.ts';

const shell = await findMongosh();
if ('missing' in shell && process.env['REQUIRE_SERVICES'] === '1') throw new Error(shell.missing);

const OTHER = 'e5'.repeat(32);

describe.skipIf('missing' in shell)("the stack's MongoDB", () => {
  let mongo: MongoContainer;
  beforeEach(async () => {
    mongo = await startContainer('missing' in shell ? [] : shell.commands.mongosh);
  });
  afterEach(() => mongo.stop());

  const healthy = { status: 0, said: '' };
  const write = () =>
    mongo.as('qinbox', (client) => client.db('qinbox').collection('tasks').insertOne({ a: 1 }));
  const accounts = () =>
    mongo.as('admin', async (client) => {
      const found = await client.db('admin').collection('system.users').find().sort({ _id: 1 }).toArray();
      return found.map((account) => JSON.stringify(account));
    });

  it('is made a replica set with two accounts by the first check, which passes', async () => {
    expect(await mongo.check()).toEqual(healthy);
    await write();
    const { setName, hosts } = await mongo.as('admin', (client) => client.db('admin').command({ hello: 1 }));
    expect([setName, hosts]).toEqual(['qinbox', [new URL(mongo.service.url).host]]);
    expect(await accounts()).toHaveLength(2);
    // The account of Qinbox has its database and no other.
    await expect(
      mongo.as('qinbox', (client) => client.db('other').collection('tasks').insertOne({ a: 1 })),
    ).rejects.toThrow(/not authorized/);
    await expect(
      mongo.as(null, (client) => client.db('qinbox').collection('tasks').countDocuments()),
    ).rejects.toThrow(/requires authentication/);
  });

  it('is as it was after later checks and starts', async () => {
    await mongo.check();
    await write();
    const before = await accounts();
    expect(await mongo.check()).toEqual(healthy);
    await mongo.service.kill();
    await mongo.service.restart();
    await expect.poll(() => mongo.check(), { timeout: 60_000 }).toEqual(healthy);
    expect(await accounts()).toEqual(before);
    const tasks = await mongo.as('qinbox', (client) =>
      client.db('qinbox').collection('tasks').countDocuments(),
    );
    expect(tasks).toBe(1);
  });

  it('takes up a new MONGODB_PASSWORD', async () => {
    await mongo.check();
    expect(await mongo.check({ MONGODB_PASSWORD: OTHER })).toEqual(healthy);
    await expect(write()).rejects.toThrow(/Authentication failed/);
    expect(await mongo.check()).toEqual(healthy);
    await write();
  });

  it('refuses a MONGODB_ADMIN_PASSWORD that is not that of the account, and says so, without a secret', async () => {
    await mongo.check();
    const { status, said } = await mongo.check({ MONGODB_PASSWORD: OTHER, MONGODB_ADMIN_PASSWORD: OTHER });
    expect(status).toBe(1);
    expect(said).toMatch(
      /^MONGODB_ADMIN_PASSWORD in \.env is not that of the account "admin" here \(.*\)\n$/,
    );
    for (const secret of [OTHER, ...Object.values(SECRETS)]) expect(said).not.toContain(secret);
    // What was right before is right still.
    await write();
  });

  it('completes what a check that was cut off began: a set without accounts, and one without that of Qinbox', async () => {
    const initiate = { _id: 'qinbox', members: [{ _id: 0, host: new URL(mongo.service.url).host }] };
    await mongo.as(null, (client) => client.db('admin').command({ replSetInitiate: initiate }));
    expect(await mongo.check()).toEqual(healthy);
    await mongo.as('admin', (client) => client.db('qinbox').command({ dropUser: 'qinbox' }));
    expect(await mongo.check()).toEqual(healthy);
    await write();
  });

  it('fails while MongoDB hangs, within the time that Docker gives it, and passes after', async () => {
    await mongo.check();
    freeze(mongo.service.pid);
    const { status, said } = await mongo.check();
    wake(mongo.service.pid);
    // Not -1: it ended by itself.
    expect(status).toBe(1);
    for (const secret of Object.values(SECRETS)) expect(said).not.toContain(secret);
    expect(await mongo.check()).toEqual(healthy);
  });
});
