// How much one address may ask of the server: connections at once and messages a minute. What is counted fits a fixed amount of
// memory. Peers of our own network are relays and devices, through which many people's mail comes: they may hold more connections, and
// their messages are not counted.
import { BlockList, isIP } from 'node:net';
import { networkOf } from '#core/domain/network.ts';
import type { Clock } from '#core/ports/clock.ts';

const LOCAL_NETWORKS = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
];
const MAX_ADDRESSES = 10_000;
const MINUTE_MS = 60_000;

const local = new BlockList();
for (const network of LOCAL_NETWORKS) {
  const [address = '', bits = ''] = network.split('/');
  local.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4');
}

/** Whether this IP address is of this machine or of a private network (RFC 1918, 3927, 4193, 4291, 6598). */
export function isLocalPeer(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && local.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

export interface PaceLimits {
  connectionsPerAddress: number;
  /** The same for an address of our own network, behind which a relay, a proxy or a host of containers may stand. */
  connectionsPerLocalAddress: number;
  /** Messages begun, recipients not known and wrong passwords, all told. */
  perMinute: number;
}

export interface Pace {
  /** Whether one more connection is welcome; each that was is given back with {@link Pace.leave}. */
  enter(address: string): boolean;
  leave(address: string): void;
  /** Counts one thing against the address's minute; false when the minute was full before. */
  spend(address: string): boolean;
}

/** Counts by address; by /64 for IPv6, because that is what one sender has. */
export function createPace(
  limits: PaceLimits,
  clock: Clock,
  isLocal: (address: string) => boolean = isLocalPeer,
): Pace {
  const connections = new Map<string, number>();
  const spent = new Map<string, number>();
  let minute = 0;

  return {
    enter(address) {
      const limit = isLocal(address) ? limits.connectionsPerLocalAddress : limits.connectionsPerAddress;
      const open = connections.get(networkOf(address)) ?? 0;
      if (open >= limit) return false;
      connections.set(networkOf(address), open + 1);
      return true;
    },
    leave(address) {
      const open = connections.get(networkOf(address)) ?? 0;
      if (open > 1) connections.set(networkOf(address), open - 1);
      else connections.delete(networkOf(address));
    },
    spend(address) {
      if (isLocal(address)) return true;
      const now = Math.floor(clock.monotonic() / MINUTE_MS);
      if (now !== minute) spent.clear();
      minute = now;
      const key = networkOf(address);
      const count = spent.get(key) ?? 0;
      // When ten thousand addresses write within a minute, those after them go uncounted rather than unheard.
      if (count > 0 || spent.size < MAX_ADDRESSES) spent.set(key, count + 1);
      return count < limits.perMinute;
    },
  };
}
