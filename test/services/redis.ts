// Redis for tests: REDIS_TEST_URL, else redis-server on the PATH, else none.
import { findProgram, foundService, startService, type Found, type Recipe, type Service } from './service.ts';

function recipe(program: string): Recipe {
  return {
    kind: 'Redis',
    // As in production: on disk before it answers, and never anything thrown out.
    command: (port, folder) => [
      program,
      ...`--port ${port} --bind 127.0.0.1 --dir ${folder} --appendonly yes --appendfsync always --maxmemory-policy noeviction`.split(
        ' ',
      ),
    ],
    url: (port) => `redis://127.0.0.1:${port}`,
  };
}

/** The Redis that this machine has. */
export async function findRedis(): Promise<Found> {
  const url = process.env['REDIS_TEST_URL'] ?? '';
  return url === '' ? startRedis() : { service: foundService(url, 'Redis at REDIS_TEST_URL') };
}

/** A Redis of one's own, to stop, kill and restart. */
export async function startRedis(): Promise<Found> {
  const program = findProgram('redis-server');
  if (program === null) return { missing: 'there is no Redis (set REDIS_TEST_URL, or install redis-server)' };
  const service: Service = await startService(recipe(program));
  return { service };
}
