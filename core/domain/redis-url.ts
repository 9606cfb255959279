// The forms of REDIS_URL beyond redis:// and rediss://: several servers, a Redis Cluster or behind sentinels.

interface RedisHost {
  host: string;
  port: number;
}

export interface RedisServers {
  kind: 'cluster' | 'sentinel';
  /** Servers of the cluster, or sentinels: any that answers names the others. */
  hosts: RedisHost[];
  /** What sentinels call the primary; empty for a cluster. */
  primary: string;
  tls: boolean;
  username: string | undefined;
  password: string | undefined;
  /** A cluster has only 0. */
  database: number;
  sentinelUsername: string | undefined;
  sentinelPassword: string | undefined;
}

const FORM = /^redis(s?)\+(cluster|sentinel):\/\/(?:([^@/?]*)@)?([^@/?]+)(?:\/([^?]*))?(?:\?(.*))?$/;
const HOST = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]]+))(?::(\d{1,5}))?$/;
const PORTS = { cluster: 6379, sentinel: 26379 };
const SENTINEL_PARAMETERS = new Set(['sentinel_username', 'sentinel_password']);

const ONE_SERVER =
  'must be an address such as redis://user:password@localhost:6379, with the number of a database (/0) or nothing ' +
  'at its end; signs such as / ? # % in the password are written as %2F %3F %23 %25';

/** The servers that it names, null for one server (`redis://`, `rediss://`), or why it is none of these. */
export function readRedisUrl(url: string): RedisServers | { fault: string } | null {
  if (/^rediss?:\/\/./.test(url)) return isOneServer(url) ? null : { fault: ONE_SERVER };
  const match = FORM.exec(url);
  if (match === null)
    return {
      fault:
        'must be an address such as redis://localhost:6379, redis+cluster://HOST:6379,HOST:6379 or ' +
        'redis+sentinel://HOST:26379,HOST:26379/NAME (rediss instead of redis for TLS)',
    };
  const [, tls, kind, credentials = '', hostList = '', path = '', query = ''] = match;
  const isCluster = kind === 'cluster';
  const hosts = hostList.split(',').map((text) => readHost(text, isCluster ? PORTS.cluster : PORTS.sentinel));
  const [primary = '', database = '0', ...rest] = path.split('/').map(decoded);
  const [username = '', ...password] = credentials.split(':').map(decoded);
  const parameters = new URLSearchParams(query);
  const unknown = [...parameters.keys()].find((name) => isCluster || !SENTINEL_PARAMETERS.has(name));
  if (hosts.includes(null)) return { fault: 'must name its servers as HOST:PORT, separated by commas' };
  if (isCluster && path !== '')
    return { fault: 'must end after the servers: a Redis Cluster has one database and no name' };
  if (!isCluster && primary === '')
    return { fault: 'must end with the name that the sentinels have for the primary, for example /mymaster' };
  if (rest.length > 0 || !/^\d{1,4}$/.test(database))
    return { fault: 'must have the number of a database after the name, for example /mymaster/0, or none' };
  if (unknown !== undefined)
    return {
      fault: 'must have no parameters, for sentinels none but sentinel_username and sentinel_password',
    };
  return {
    kind: isCluster ? 'cluster' : 'sentinel',
    hosts: hosts.filter((host) => host !== null),
    primary,
    tls: tls === 's',
    username: username === '' ? undefined : username,
    password: password.length === 0 ? undefined : password.join(':'),
    database: Number(database),
    sentinelUsername: parameters.get('sentinel_username') ?? undefined,
    sentinelPassword: parameters.get('sentinel_password') ?? undefined,
  };
}

// What the client would take for something else, or fail at when it has connected.
function isOneServer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, pathname, hash } = new URL(text);
  try {
    decodeURIComponent(`${username}${password}`);
  } catch {
    return false;
  }
  return hash === '' && /^(?:\/\d{0,4})?$/.test(pathname);
}

function readHost(text: string, defaultPort: number): RedisHost | null {
  const [, ipv6, name, port] = HOST.exec(text.trim()) ?? [];
  const host = ipv6 ?? name;
  const number = port === undefined ? defaultPort : Number(port);
  return host === undefined || number < 1 || number > 65_535 ? null : { host, port: number };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
