// Makes one mongod a replica set of its own, and waits until it takes writes: after each start it first has
// to elect itself.
import { MongoClient, MongoServerError } from 'mongodb';
import { waitFor } from '#test/program/wait.ts';

export const REPLICA_SET = 'qinbox';
/** NotYetInitialized and AlreadyInitialized of MongoDB's error codes. */
const NOT_INITIATED = 94;
const INITIATED = 23;

/** Resolves when the mongod on this port is the primary of its replica set. */
export async function formReplicaSet(port: number): Promise<void> {
  const host = `127.0.0.1:${port}`;
  const client = new MongoClient(`mongodb://${host}/?directConnection=true`);
  const admin = client.db('admin');
  try {
    await admin.command({ replSetGetStatus: 1 }).catch(async (error: unknown) => {
      if (!(error instanceof MongoServerError) || error.code !== NOT_INITIATED) return;
      const config = { _id: REPLICA_SET, members: [{ _id: 0, host }] };
      await admin.command({ replSetInitiate: config }).catch((refusal: unknown) => {
        if (!(refusal instanceof MongoServerError) || refusal.code !== INITIATED) throw refusal;
      });
    });
    await waitFor('MongoDB to take writes', async () => {
      const hello = await admin.command({ hello: 1 });
      return hello['isWritablePrimary'] === true;
    });
  } finally {
    await client.close();
  }
}
