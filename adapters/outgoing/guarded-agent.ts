// Agents of Node's HTTP client that connect only where they may. What is checked is the address that the
// socket connects to: the same look-up that is checked is the one that is used, so that a name cannot lead
// elsewhere a moment later.
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AddressCheck } from '#core/domain/outside.ts';

/** The target of a connection may not be reached. */
export class AddressRefused extends Error {
  constructor(host: string) {
    super(`${host} is not an address of the public internet, and the operator does not allow it.`);
    this.name = 'AddressRefused';
  }
}

/** Finds all addresses of a name, as `dns.lookup` does with `all`. */
export type Resolve = (
  hostname: string,
  options: { all: true; family: number },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface GuardOptions {
  mayReach: AddressCheck;
  /** The system's when left out. */
  resolve?: Resolve;
}

/** Looks a name up, and answers only the addresses that may be reached. */
function guardedLookup({ mayReach, resolve = systemLookup }: GuardOptions): LookupFunction {
  return (hostname, { all, family }, callback) => {
    const wanted = family === 4 || family === 'IPv4' ? 4 : family === 6 || family === 'IPv6' ? 6 : 0;
    resolve(hostname, { all: true, family: wanted }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const reachable = addresses.filter(({ address }) => mayReach(address));
      const [first] = reachable;
      if (first === undefined) callback(new AddressRefused(hostname), []);
      else if (all === true) callback(null, reachable);
      else callback(null, first.address, first.family);
    });
  };
}

interface ConnectOptions {
  host?: string | null | undefined;
  lookup?: LookupFunction | undefined;
}
type Connect = (
  options: ConnectOptions,
  done?: (error: Error | null, socket: Duplex) => void,
) => Duplex | null | undefined;

/** Lets the agent connect only where it may. */
function guard<A extends HttpAgent>(agent: A, options: GuardOptions): A {
  const { mayReach } = options;
  const lookup = guardedLookup(options);
  const connect: Connect = agent.createConnection.bind(agent);
  const guarded: Connect = (target, done) => {
    const host = target.host ?? '';
    // Node looks up no name for what is an address already.
    if (isIP(host) !== 0 && !mayReach(host)) {
      process.nextTick(() => done?.(new AddressRefused(host), undefined as never));
      return undefined;
    }
    const socket = connect({ ...target, lookup }, done) as Socket | null | undefined;
    socket?.once('connect', () => {
      const { remoteAddress } = socket;
      if (remoteAddress !== undefined && !mayReach(remoteAddress))
        socket.destroy(new AddressRefused(remoteAddress));
    });
    return socket;
  };
  agent.createConnection = guarded;
  return agent;
}

/** Agents for http and https that share these limits. */
export function createGuardedAgents(
  options: GuardOptions,
  limits: AgentOptions,
): { http: HttpAgent; https: HttpsAgent; destroy: () => void } {
  const http = guard(new HttpAgent(limits), options);
  const https = guard(new HttpsAgent(limits), options);
  return {
    http,
    https,
    destroy() {
      http.destroy();
      https.destroy();
    },
  };
}
