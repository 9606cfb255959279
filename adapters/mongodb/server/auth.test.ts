// A server with passwords: addresses as docs/deploy.md gives them work, and a wrong one is refused in one
// line.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFakeClock } from '#test/helpers/clock.ts';
import { insertOf, newOwner } from '#test/helpers/records.ts';
import { sweepOnce } from '#test/helpers/sweeps.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { temporaryFolder } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { startMember } from '#test/services/mongodb.ts';
import { REPLICA_SET } from '#test/services/mongod/replica-set.ts';
import { describeWith } from '#test/services/services.ts';
import { openMongoStorage } from '../storage.ts';

const folder = temporaryFolder('mongo-key');
const keyFile = join(folder.path, 'key');
// Members of a set that has passwords know each other by it.
writeFileSync(keyFile, 'members'.repeat(4));
chmodSync(keyFile, 0o400);
const found = await startMember(['--keyFile', keyFile]);
const PASSWORD = 'canary@p/w:d';

describeWith('a server with passwords', 'missing' in found ? found : found.service, ({ url }) => {
  const { host } = new URL(url);
  const clock = createFakeClock();

  beforeAll(async () => {
    const client = new MongoClient(`mongodb://${host}/?directConnection=true`);
    const admin = client.db('admin');
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } });
    await waitFor(
      'it to take writes',
      async () => (await admin.command({ hello: 1 }))['isWritablePrimary'] === true,
    );
    // The first user may be made without one, and makes the others.
    const roles = [{ role: 'userAdminAnyDatabase', db: 'admin' }];
    await admin.command({ createUser: 'first', pwd: 'first', roles });
    await client.close();
    const first = new MongoClient(`mongodb://first:first@${host}/admin`);
    const own = [{ role: 'readWrite', db: 'qinbox' }];
    await first.db('admin').command({ createUser: 'qinbox', pwd: PASSWORD, roles: own });
    await first.close();
  });
  afterAll(async () => {
    if ('service' in found) await found.service.stop();
    folder.remove();
  });

  const address = (password: string, options: string) =>
    `mongodb://qinbox:${encodeURIComponent(password)}@${host}/qinbox${options}`;

  it('is used by a user of `admin` who may read and write the database alone', async () => {
    const storage = await openMongoStorage({ url: address(PASSWORD, '?authSource=admin'), clock });
    const owner = newOwner();
    await storage.tasks.create(submissionOf({ ownerId: owner, inserts: [insertOf()], at: clock.now() }));
    expect((await storage.tasks.statistics(owner, clock.now())).total).toBe(1);
    await sweepOnce(storage.tasks, clock.now(), 10);
    await storage.close();
  });

  it.each([
    ['a wrong password', `mongodb://qinbox:canary-wrong@${host}/qinbox?authSource=admin`],
    ['no authSource', address(PASSWORD, '')],
    ['no password', `mongodb://${host}/qinbox`],
  ])('refuses %s in one line, without the password', async (_, wrong) => {
    const refusal = await openMongoStorage({ url: wrong, clock }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const text = String(refusal);
    expect(text).toContain(host);
    expect(text).toMatch(/authenticat/i);
    expect(text).toContain('authSource');
    expect(text).not.toContain('\n');
    expect(inspect(refusal, { depth: 10 })).not.toContain('canary');
  });
});
