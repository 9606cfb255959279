// How connections end when the program stops. A proxy sends a request on a connection that it holds; where
// that is closed at the same moment, it cannot send a POST again, which may have been done.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { boundPort } from '../addresses.ts';

/** Time for connections to be used once more: each answer says that its connection ends with it. */
const DRAIN_MS = 500;
/** Interval of the search for idle connections. */
const IDLE_CHECK_MS = 50;

/**
 * Closes connections that are not used any more after half a second, and busy ones as soon as they are idle,
 * not when their client closes them. Until then requests are answered, and new connections taken.
 */
export function closeConnections(app: FastifyInstance): void {
  let closing: NodeJS.Timeout | undefined;
  let port: number | undefined;
  const open = new Set<Socket>();
  // Those of `localhost`, too, for which the framework listens at each of its addresses, with a server of its
  // own for all but the first.
  function note(message: unknown): void {
    const { socket } = message as { socket: Socket };
    port ??= boundPort(app.server);
    if (socket.localPort !== port) return;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  }
  app.addHook('onReady', async () => subscribe('net.server.socket', note));
  /** One that a browser or a proxy opened ahead is not idle to Node until it has brought a request. */
  function closeUnused(): void {
    app.server.closeIdleConnections();
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  }
  const isOver = (since: number) => performance.now() - since > DRAIN_MS;
  app.addHook('preClose', async () => {
    const since = performance.now();
    while (app.server.listening && !isOver(since) && open.size > 0) await pause(IDLE_CHECK_MS);
    closing = setInterval(closeUnused, IDLE_CHECK_MS);
  });
  app.addHook('onClose', async () => {
    clearInterval(closing);
    unsubscribe('net.server.socket', note);
  });
}
