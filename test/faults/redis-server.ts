// A Redis of the test's own, to be paused, killed and started again.
import { findProgram } from '#test/services/service.ts';
import { startRedis as startOwn } from '#test/services/redis.ts';

/**
 * Why there is no Redis to break, or null. With `REQUIRE_SERVICES=1` a missing one fails the test instead of
 * skipping it.
 */
export const withoutRedis: string | null =
  process.env['REQUIRE_SERVICES'] === '1' || findProgram('redis-server') !== null
    ? null
    : 'there is no redis-server on the PATH';

export interface RedisServer {
  readonly url: string;
  /** Lets it hang, connections open, as a machine that swaps or a network that drops everything. */
  pause(): void;
  resume(): void;
  /** Ends it as a power cut would. What it acknowledged is there again after {@link start}. */
  kill(): Promise<void>;
  /** Starts it again, on the same port and data, unless it runs. */
  start(): Promise<void>;
  /** Ends it for good. */
  remove(): Promise<void>;
}

/** Starts one that syncs to disk before it answers. */
export async function startRedis(): Promise<RedisServer> {
  const found = await startOwn();
  if ('missing' in found) throw new Error(found.missing);
  const { service } = found;
  let gone = false;
  const signal = (name: NodeJS.Signals): void => {
    if (!gone && service.pid !== null) process.kill(service.pid, name);
  };
  return {
    url: service.url,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    async kill() {
      await service.kill();
      gone = true;
    },
    async start() {
      if (gone) await service.restart();
      gone = false;
    },
    remove: () => service.stop(),
  };
}
