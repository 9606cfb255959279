// A MongoDB that lets in only who knows a password, which can be changed while it runs.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { temporaryFolder } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { REPLICA_SET } from './mongod/replica-set.ts';
import { startMember } from './mongodb.ts';

export const PASSWORD = 'right';

/** A replica set of one with a user, whose password can be changed. */
export async function startWithPassword() {
  const folder = temporaryFolder('mongo-key');
  const keyFile = join(folder.path, 'key');
  writeFileSync(keyFile, 'members'.repeat(4));
  chmodSync(keyFile, 0o400);
  const found = await startMember(['--keyFile', keyFile]);
  if ('missing' in found) throw new Error(found.missing);
  const { service } = found;
  const { host } = new URL(service.url);
  async function admin<R>(user: string, work: (client: MongoClient) => Promise<R>): Promise<R> {
    const client = new MongoClient(`mongodb://${user}${host}/admin?directConnection=true`);
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  }
  await admin('', async (client) => {
    const database = client.db('admin');
    await database.command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } });
    await waitFor(
      'it to take writes',
      async () => (await database.command({ hello: 1 }))['isWritablePrimary'] === true,
    );
    await database.command({ createUser: 'first', pwd: 'first', roles: ['userAdminAnyDatabase'] });
  });
  const roles = [{ role: 'readWrite', db: 'qinbox' }];
  await admin('first:first@', (client) =>
    client.db('admin').command({ createUser: 'qinbox', pwd: PASSWORD, roles }),
  );
  return {
    url: `mongodb://qinbox:${PASSWORD}@${host}/qinbox?authSource=admin`,
    kill: service.kill,
    restart: service.restart,
    async stop() {
      await service.stop();
      folder.remove();
    },
    setPassword: (pwd: string) =>
      waitFor('the password to be changed', () =>
        admin('first:first@', (client) => client.db('admin').command({ updateUser: 'qinbox', pwd })).then(
          () => true,
          () => false,
        ),
      ),
  };
}
