// Several Redis servers that belong together: a cluster, or a primary with a replica and a sentinel.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { findProgram, startService, type Service } from '#test/services/service.ts';

const SLOTS = 16_384;
const DURABLE = '--appendonly yes --appendfsync always --maxmemory-policy noeviction';

export interface RedisServers {
  url: string;
  /** Connections to each, in the order of their start. */
  clients: Redis[];
  services: Service[];
  remove(): Promise<void>;
}

async function startServer(settings: (port: number, folder: string) => string, kind = 'Redis') {
  const program = findProgram('redis-server') ?? 'redis-server';
  const service = await startService({
    kind,
    command: (port, folder) => {
      const text = settings(port, folder);
      const words = `${text} --port ${port} --bind 127.0.0.1 --dir ${folder}`.split(' ');
      return [program, ...words];
    },
    url: (port) => `redis://127.0.0.1:${port}`,
  });
  const client = new Redis(service.url);
  client.on('error', () => null);
  return { service, client, port: Number(new URL(service.url).port) };
}

function together(url: string, servers: { service: Service; client: Redis }[]): RedisServers {
  const clients = servers.map(({ client }) => client);
  const services = servers.map(({ service }) => service);
  return {
    url,
    clients,
    services,
    async remove() {
      for (const client of clients) client.disconnect();
      await Promise.all(services.map((service) => service.stop()));
    },
  };
}

const PRIMARIES = 3;
/** How long a server of a cluster with replicas is silent until the others take it for gone. */
const NODE_TIMEOUT_MS = 3000;

/**
 * Three primaries, with a third of the slots each. `replicas`: the next three servers follow them.
 * `partial`: those that are up go on while one is away, as docs/deploy.md has it.
 */
export async function startRedisCluster({ replicas = false, partial = false } = {}): Promise<RedisServers> {
  const count = replicas ? 2 * PRIMARIES : PRIMARIES;
  const buses = await Promise.all(Array.from({ length: count }, () => freePort()));
  const timeout = replicas ? ` --cluster-node-timeout ${NODE_TIMEOUT_MS}` : '';
  const settings = `${timeout} --cluster-require-full-coverage ${partial ? 'no' : 'yes'}`;
  const servers = await Promise.all(
    buses.map((bus) =>
      startServer(() => `${DURABLE} --cluster-enabled yes --cluster-port ${bus}${settings}`),
    ),
  );
  for (const [index, { client }] of servers.entries()) {
    const [from, to] = [index, index + 1].map((part) => Math.floor((part * SLOTS) / PRIMARIES));
    if (index < PRIMARIES) await client.call('CLUSTER', 'ADDSLOTSRANGE', `${from}`, `${(to ?? 0) - 1}`);
    for (const [other, { port }] of servers.entries())
      if (other !== index) await client.call('CLUSTER', 'MEET', '127.0.0.1', `${port}`, `${buses[other]}`);
  }
  const all = async (pattern: RegExp) => {
    const infos = await Promise.all(servers.map(({ client }) => client.cluster('INFO')));
    return infos.every((info) => pattern.test(info));
  };
  await waitFor('the cluster to be whole', () =>
    all(new RegExp(`cluster_state:ok[^]*cluster_known_nodes:${count}`)),
  );
  await follow(servers.map(({ client }) => client));
  return together(`redis+cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join()}`, servers);
}

/** The place of the server of a cluster without replicas that has this key. */
export async function placeOf({ clients }: RedisServers, key: string): Promise<number> {
  const slot = Number(await clients[0]?.cluster('KEYSLOT', key));
  const ends = Array.from({ length: PRIMARIES }, (_, index) => Math.floor(((index + 1) * SLOTS) / PRIMARIES));
  return ends.findIndex((end) => slot < end);
}

/** Makes each server behind the primaries the replica of one of them. */
async function follow(clients: readonly Redis[]): Promise<void> {
  for (const [index, client] of clients.entries()) {
    const primary = clients[index - PRIMARIES];
    if (primary === undefined) continue;
    const id = String(await primary.call('CLUSTER', 'MYID'));
    await client.call('CLUSTER', 'REPLICATE', id);
    await waitFor('the replica to follow', async () =>
      (await primary.info('replication')).includes('state=online'),
    );
    // A replica whose primary the others do not know to be followed is not voted for.
    await waitFor('all to know of the replica', async () => {
      const lists = await Promise.all(
        clients.map((each) => each.call('CLUSTER', 'REPLICAS', id).catch(() => [])),
      );
      return lists.every((list) => (list as string[]).length === 1);
    });
  }
}

/** A primary, a replica, and a sentinel that makes the replica the primary soon after it is gone. */
export async function startRedisWithSentinel(): Promise<RedisServers> {
  const primary = await startServer(() => DURABLE);
  const replica = await startServer(() => `${DURABLE} --replicaof 127.0.0.1 ${primary.port}`);
  await waitFor('the replica to follow', async () =>
    (await primary.client.info('replication')).includes('state=online'),
  );
  const sentinel = await startServer((_port, folder) => {
    const file = join(folder, 'sentinel.conf');
    const settings = ['down-after-milliseconds', 'failover-timeout'].map(
      (name) => `sentinel ${name} main 1000`,
    );
    writeFileSync(file, [`sentinel monitor main 127.0.0.1 ${primary.port} 1`, ...settings, ''].join('\n'));
    return `${file} --sentinel`;
  }, 'Sentinel');
  await waitFor('the sentinel to know the replica', async () =>
    String(await sentinel.client.call('SENTINEL', 'REPLICAS', 'main')).includes(`${replica.port}`),
  );
  return together(`redis+sentinel://127.0.0.1:${sentinel.port}/main`, [primary, replica, sentinel]);
}
