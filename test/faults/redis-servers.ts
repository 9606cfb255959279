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

/** Three primaries, with a third of the slots each. */
export async function startRedisCluster(): Promise<RedisServers> {
  const buses = await Promise.all([0, 1, 2].map(() => freePort()));
  const servers = await Promise.all(
    buses.map((bus) => startServer(() => `${DURABLE} --cluster-enabled yes --cluster-port ${bus}`)),
  );
  for (const [index, { client }] of servers.entries()) {
    const [from, to] = [index, index + 1].map((part) => Math.floor((part * SLOTS) / servers.length));
    await client.call('CLUSTER', 'ADDSLOTSRANGE', `${from}`, `${(to ?? 0) - 1}`);
    for (const [other, { port }] of servers.entries())
      if (other !== index) await client.call('CLUSTER', 'MEET', '127.0.0.1', `${port}`, `${buses[other]}`);
  }
  await waitFor('the cluster to be whole', async () => {
    const infos = await Promise.all(servers.map(({ client }) => client.cluster('INFO')));
    return infos.every((info) => /cluster_state:ok[^]*cluster_known_nodes:3/.test(info));
  });
  return together(`redis+cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join()}`, servers);
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
