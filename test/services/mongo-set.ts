// A replica set of three MongoDB servers of one's own, each of which can be killed, frozen and started again.
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient, MongoServerError, type Document } from 'mongodb';
import { waitFor } from '#test/program/wait.ts';
import { formReplicaSet, REPLICA_SET } from './mongod/replica-set.ts';
import { startMember } from './mongodb.ts';
import { freeze, wake } from './signals.ts';
import type { Service } from './service.ts';

const MEMBERS = 3;
/** Of what looks after the set: a member that is frozen does not answer. */
const ASK_MS = 2000;
/** Apart from the program's. */
const OWN_DATABASE = 'set';
const ELECTED_MS = 120_000;

export interface MongoSet extends Pick<Service, 'url' | 'kind' | 'stop'> {
  readonly members: readonly Service[];
  /** The member that takes writes, once there is one. */
  primary(): Promise<Service>;
  /** Has the primary hand over to another member. */
  stepDown(): Promise<void>;
  /** Writes a document to the disk of this primary alone, without waiting for the other members. */
  writeAlone(primary: Service, id: string): Promise<void>;
  /** Whether this member has that document. */
  hasAlone(member: Service, id: string): Promise<boolean>;
  /** Resolves when all members follow the primary. */
  healed(): Promise<void>;
  freezeAll(): void;
  wakeAll(): void;
}

/** Starts three servers as a set that elects another primary after `electionMs` without one. */
export async function startMongoSet(electionMs?: number): Promise<{ set: MongoSet } | { missing: string }> {
  const members: Service[] = [];
  const stopAll = async () => {
    for (const { pid } of members) wake(pid);
    await Promise.all(members.map((member) => member.stop()));
  };
  for (let number = 0; number < MEMBERS; number++) {
    const found = await startMember();
    if ('missing' in found) {
      await stopAll();
      return found;
    }
    members.push(found.service);
  }
  const hosts = members.map(({ url }) => new URL(url).host);
  await formReplicaSet(
    hosts.map((host) => Number(host.split(':')[1])),
    electionMs,
  ).catch(async (error: unknown) => {
    await stopAll();
    throw error;
  });
  return { set: createSet(members, hosts, stopAll) };
}

function createSet(
  members: readonly Service[],
  hosts: readonly string[],
  stop: () => Promise<void>,
): MongoSet {
  const url = `mongodb://${hosts.join(',')}/?replicaSet=${REPLICA_SET}`;

  async function ask(
    address: string,
    command: Document,
    { database = 'admin', socketTimeoutMS = ASK_MS } = {},
  ): Promise<Document> {
    const client = new MongoClient(address, {
      serverSelectionTimeoutMS: ASK_MS,
      connectTimeoutMS: ASK_MS,
      socketTimeoutMS,
    });
    try {
      return await client.db(database).command(command);
    } finally {
      await client.close();
    }
  }
  const command = (member: Service, document: Document, database?: string) =>
    ask(`${member.url}?directConnection=true`, document, {
      database: database ?? 'admin',
      socketTimeoutMS: 10 * ASK_MS,
    });

  function primary(): Promise<Service> {
    return waitFor(
      'a primary',
      async () => {
        const { me } = await ask(url, { hello: 1 }).catch((): Document => ({}));
        return members[hosts.indexOf(String(me))];
      },
      ELECTED_MS,
    );
  }

  return {
    url,
    kind: `${members[0]?.kind}, a replica set of ${members.length}`,
    members,
    primary,
    async writeAlone(member, _id) {
      const written = { insert: 'alone', documents: [{ _id }], writeConcern: { w: 1, j: true } };
      await command(member, written, OWN_DATABASE);
    },
    async hasAlone(member, _id) {
      const { cursor } = await command(member, { find: 'alone', filter: { _id } }, OWN_DATABASE);
      return (cursor as { firstBatch: unknown[] }).firstBatch.length === 1;
    },
    async stepDown() {
      const before = await primary();
      await waitFor('the primary to step down', () =>
        command(before, { replSetStepDown: 20, secondaryCatchUpPeriodSecs: 10 }).then(
          () => true,
          // No other member has caught up yet.
          async (error: unknown) => {
            if (!(error instanceof MongoServerError)) throw error;
            await pause(100);
            return false;
          },
        ),
      );
    },
    healed: async () => {
      await waitFor(
        'all members to follow the primary',
        async () => {
          const status = await command(await primary(), { replSetGetStatus: 1 }).catch((): Document => ({}));
          const states = (status['members'] ?? []) as { stateStr: string }[];
          return states.filter(({ stateStr }) => /^(PRIM|SECOND)ARY$/.test(stateStr)).length === MEMBERS;
        },
        ELECTED_MS,
      );
    },
    freezeAll: () => {
      for (const { pid } of members) freeze(pid);
    },
    wakeAll: () => {
      for (const { pid } of members) wake(pid);
    },
    stop,
  };
}
