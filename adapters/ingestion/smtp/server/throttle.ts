// Limits of one client address: connections and messages a minute, in a fixed amount of memory. Local
// addresses are relays for many people: they may hold more connections, and their messages are not counted.
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
export function isLocalAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && local.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

export interface ThrottleLimits {
  connectionsPerAddress: number;
  /** The same for a local address, which may be a relay, a proxy or a host of containers. */
  connectionsPerLocalAddress: number;
  /** Messages begun, unknown recipients and passwords tried, together. */
  perMinute: number;
}

export type Throttle = ReturnType<typeof createThrottle>;

/** Counts by address; by /64 for IPv6, because that is what one sender has. */
export function createThrottle(
  limits: ThrottleLimits,
  clock: Clock,
  isLocal: (address: string) => boolean = isLocalAddress,
) {
  const connections = new Map<string, number>();
  const attempts = new Map<string, number>();
  let minute = 0;

  return {
    /** False when the address has as many as it may; otherwise `disconnect` must follow. */
    connect(address: string): boolean {
      const limit = isLocal(address) ? limits.connectionsPerLocalAddress : limits.connectionsPerAddress;
      const open = connections.get(networkOf(address)) ?? 0;
      if (open >= limit) return false;
      connections.set(networkOf(address), open + 1);
      return true;
    },
    disconnect(address: string): void {
      const open = connections.get(networkOf(address)) ?? 0;
      if (open > 1) connections.set(networkOf(address), open - 1);
      else connections.delete(networkOf(address));
    },
    /** Counts a message or an attempt; false when the address has used its minute up. */
    attempt(address: string): boolean {
      if (isLocal(address)) return true;
      const now = Math.floor(clock.monotonic() / MINUTE_MS);
      if (now !== minute) attempts.clear();
      minute = now;
      const key = networkOf(address);
      const count = attempts.get(key) ?? 0;
      // After 10,000 addresses within a minute, further ones are served uncounted rather than refused.
      if (count > 0 || attempts.size < MAX_ADDRESSES) attempts.set(key, count + 1);
      return count < limits.perMinute;
    },
  };
}
