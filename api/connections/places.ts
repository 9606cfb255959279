// Limits connections, in all and from one address. One over a limit is answered so, and closed.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import type { Config } from '#core/config.ts';
import { networkOf } from '#core/domain/network.ts';
import { QinboxError } from '#core/errors.ts';
import { answerByHand } from './unreadable.ts';
import type { Bound } from './allowance.ts';

const RETRY_SECONDS = 10;

/** `onRefused` is called for each connection that is refused. */
export function createPlaces(
  server: Server,
  { maxConnections, maxConnectionsPerAddress, trustProxy }: Config,
  onRefused: (bound: Bound) => void,
) {
  const isProxy = trusted(trustProxy);
  const byNetwork = new Map<string, number>();
  let total = 0;

  function leave(network: string | null): void {
    total--;
    if (network === null) return;
    const left = (byNetwork.get(network) ?? 1) - 1;
    if (left === 0) byNetwork.delete(network);
    else byNetwork.set(network, left);
  }

  function refuse(socket: Socket, bound: Bound, text: string): false {
    onRefused(bound);
    const error = new QinboxError('SERVICE_UNAVAILABLE', text, { retryAfterSeconds: RETRY_SECONDS });
    answerByHand(socket, '503 Service Unavailable', error);
    return false;
  }

  return {
    /** Counts a new connection, or refuses it. */
    enter(socket: Socket): boolean {
      if (total >= maxConnections) {
        // Connections between two requests are closed; clients open others when they need them.
        server.closeIdleConnections();
        return refuse(socket, 'all', 'Too many connections are open. Try again shortly.');
      }
      // All clients of a proxy come from its address; the proxy names theirs in each request.
      const address = socket.remoteAddress ?? '';
      const network = isProxy(address) ? null : networkOf(address);
      const mine = network === null ? 0 : (byNetwork.get(network) ?? 0);
      if (mine >= maxConnectionsPerAddress)
        return refuse(socket, 'one', 'Too many connections are open from your address. Close some first.');
      total++;
      if (network !== null) byNetwork.set(network, mine + 1);
      socket.once('close', () => leave(network));
      return true;
    },
    /** Open connections. */
    count: () => total,
  };
}

function trusted(trustProxy: Config['trustProxy']): (address: string) => boolean {
  if (typeof trustProxy === 'boolean') return () => trustProxy;
  const isTrusted = proxyAddr.compile(trustProxy);
  return (address) => isTrusted(address, 0);
}
