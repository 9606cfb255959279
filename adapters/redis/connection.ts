// Connections to Redis, which reconnect by themselves, after at most a second.
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { defined } from '#core/domain/filled.ts';
import { readRedisUrl, type RedisServers } from '#core/domain/redis-url.ts';
import { FirstAnswerCluster } from './cluster.ts';

const FIRST_RETRY_MS = 25;
const MAX_RETRY_MS = 1000;
/** How long a server of a cluster has to say which holds what. */
const SLOTS_REFRESH_MS = 3000;
/** How often a client asks: a server that hangs does not say that another has taken over. */
const SLOTS_INTERVAL_MS = 2000;
/** Between the 16 times that a command is sent to a cluster whose server for it is away. */
const WAITING_PAUSE_MS = 100;
const FAILING_PAUSE_MS = 20;

interface ConnectionOptions {
  /** What becomes of a command while Redis is away: it fails at once, or waits for as long as it takes. */
  whileAway: 'fail' | 'wait';
  /** A connection that was asked and answers nothing for this long is opened anew. */
  socketTimeoutMs?: number;
  /** A command that takes longer fails. */
  commandTimeoutMs?: number;
  /** It hears channels that stay on one server of a cluster. */
  hearsShards?: true;
}

type CommonOptions = Pick<
  RedisOptions,
  | 'maxRetriesPerRequest'
  | 'enableOfflineQueue'
  | 'autoResendUnfulfilledCommands'
  | 'socketTimeout'
  | 'commandTimeout'
>;

/**
 * `url`: see {@link readRedisUrl}. A client of a cluster has the commands, the events (`ready`, `close`,
 * `error`, `message`) and the status of one of a single server, and stands for it here.
 */
export function connectRedis(url: string, options: ConnectionOptions): Redis {
  const { whileAway, socketTimeoutMs, commandTimeoutMs, hearsShards = false } = options;
  const servers = readRedisUrl(url);
  if (servers !== null && 'fault' in servers) throw new Error(`The address of Redis ${servers.fault}`);
  const common: CommonOptions = {
    ...(whileAway === 'wait'
      ? { maxRetriesPerRequest: null }
      : { maxRetriesPerRequest: 0, enableOfflineQueue: false, autoResendUnfulfilledCommands: false }),
    ...defined({ socketTimeout: socketTimeoutMs, commandTimeout: commandTimeoutMs }),
  };
  if (servers === null) return new Redis(url, { ...common, retryStrategy: backoff });
  if (servers.kind === 'sentinel') return connectBySentinels(servers, common);
  return connectCluster(servers, common, hearsShards) as unknown as Redis;
}

const backoff = (times: number): number => Math.min(FIRST_RETRY_MS * 2 ** Math.min(times, 10), MAX_RETRY_MS);

function connectBySentinels(servers: RedisServers, common: CommonOptions): Redis {
  const { hosts, primary, tls, username, password, database, sentinelUsername, sentinelPassword } = servers;
  return new Redis({
    ...common,
    retryStrategy: backoff,
    sentinelRetryStrategy: backoff,
    sentinels: hosts,
    name: primary,
    db: database,
    // Sentinels tell at once when another server has become the primary.
    failoverDetector: true,
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
    ...(tls ? { tls: {}, enableTLSForSentinelMode: true } : {}),
    ...defined({ username, password, sentinelUsername, sentinelPassword }),
  });
}

function connectCluster(
  { hosts, tls, username, password }: RedisServers,
  common: CommonOptions,
  shardedSubscribers: boolean,
): Cluster {
  const waits = common.enableOfflineQueue ?? true;
  return new FirstAnswerCluster(hosts, {
    clusterRetryStrategy: backoff,
    slotsRefreshTimeout: SLOTS_REFRESH_MS,
    slotsRefreshInterval: SLOTS_INTERVAL_MS,
    // The servers are connected to when they are first asked, and what fails at once would fail meanwhile.
    retryDelayOnFailover: waits ? WAITING_PAUSE_MS : FAILING_PAUSE_MS,
    enableOfflineQueue: waits,
    shardedSubscribers,
    redisOptions: { ...common, ...(tls ? { tls: {} } : {}), ...defined({ username, password }) },
    // Certificates are made out to names, which would be looked up and lost.
    ...(tls ? { dnsLookup: (address, found) => found(null, address) } : {}),
  });
}

/** Whether it is the client of a cluster. */
export function isCluster(redis: Redis | Cluster): boolean {
  return redis instanceof Cluster;
}

/** What a client hears PUBLISH through: itself, or one connection of a cluster; null while there is none. */
export function hearingConnection(redis: Redis | FirstAnswerCluster): Redis | null {
  return redis instanceof FirstAnswerCluster ? redis.hearingConnection() : redis;
}

/** The servers that take writes: one, or each that a Redis Cluster has, those that are connected first. */
export function serversOf(redis: Redis | Cluster): Redis[] {
  if (redis instanceof Redis) return [redis];
  const isConnected = ({ status }: Redis) => Number(status === 'ready');
  return redis.nodes('master').toSorted((a, b) => isConnected(b) - isConnected(a));
}
