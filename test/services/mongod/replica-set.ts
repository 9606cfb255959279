// Makes mongods a replica set, and waits until it takes writes: after each start it first has to elect a
// primary.
import { MongoClient, MongoServerError } from 'mongodb';
import { waitFor } from '#test/program/wait.ts';

export const REPLICA_SET = 'qinbox';
/** NotYetInitialized and AlreadyInitialized of MongoDB's error codes. */
const NOT_INITIATED = 94;
const INITIATED = 23;

/**
 * Resolves when one of the mongods on these ports is the primary of their replica set and the others follow
 * it. Without a primary for `electionMs`, they elect another.
 */
export async function formReplicaSet(ports: readonly number[], electionMs = 10_000): Promise<void> {
  const hosts = ports.map((port) => `127.0.0.1:${port}`);
  const client = new MongoClient(`mongodb://${hosts[0]}/?directConnection=true`);
  const admin = client.db('admin');
  const hasCode = (error: unknown, code: number) => error instanceof MongoServerError && error.code === code;
  try {
    await admin.command({ replSetGetStatus: 1 }).catch(async (error: unknown) => {
      if (!hasCode(error, NOT_INITIATED)) return;
      const members = hosts.map((host, _id) => ({ _id, host }));
      const config = { _id: REPLICA_SET, members, settings: { electionTimeoutMillis: electionMs } };
      await admin.command({ replSetInitiate: config }).catch((refusal: unknown) => {
        if (!hasCode(refusal, INITIATED)) throw refusal;
      });
    });
    await waitFor('MongoDB to take writes', async () => {
      const status = await admin.command({ replSetGetStatus: 1 }).catch(() => ({ members: [] }));
      const states = (status['members'] as { stateStr: string }[]).map(({ stateStr }) => stateStr);
      if (ports.length > 1)
        return states.includes('PRIMARY') && states.every((state) => /^(PRIM|SECOND)ARY$/.test(state));
      return (await admin.command({ hello: 1 }))['isWritablePrimary'] === true;
    });
  } finally {
    await client.close();
  }
}
