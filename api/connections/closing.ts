// How connections end when the program stops. A proxy sends a request on a connection that it holds; where
// that is closed at the same moment, it cannot send a POST again, which may have been done.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { boundPort } from '../addresses.ts';

/** Time for connections to be used once more: each answer says that its connection ends with it. */
const DRAIN_MS = 500;
/** Interval of the search for idle connections. */
const IDLE_CHECK_MS = 50;
/** After so many searches a connection that has brought nothing is taken for unused. */
const UNUSED_CHECKS = DRAIN_MS / IDLE_CHECK_MS;
/** A turn of the loop that nothing held up. */
const QUICK_TURN_MS = 1;
/** How long to wait for one: no longer, on a machine that has none. */
const MOST_TURNS_MS = 2000;

/**
 * Closes connections that are not used any more after half a second, and busy ones as soon as they are idle,
 * not when their client closes them. Until then requests are answered, and new connections taken.
 */
export function closeConnections(app: FastifyInstance): void {
  let closing: NodeJS.Timeout | undefined;
  let port: number | undefined;
  /** How often each was found unused while the program stops. */
  const open = new Map<Socket, number>();
  let opened = 0;
  // Those of `localhost`, too, for which the framework listens at each of its addresses, with a server of its
  // own for all but the first.
  function note(message: unknown): void {
    const { socket } = message as { socket: Socket };
    port ??= boundPort(app.server);
    if (socket.localPort !== port) return;
    opened++;
    open.set(socket, 0);
    socket.once('close', () => open.delete(socket));
  }
  app.addHook('onReady', async () => subscribe('net.server.socket', note));
  /**
   * One that a browser or a proxy opened ahead is not idle to Node until it has brought a request; that of
   * one opened just now may be on its way, and would be reset.
   */
  function countUnused(): void {
    for (const [socket, checks] of open) if (socket.bytesRead === 0) open.set(socket, checks + 1);
  }
  function closeUnused(): void {
    app.server.closeIdleConnections();
    countUnused();
    for (const [socket, checks] of open)
      if (socket.bytesRead === 0 && checks > UNUSED_CHECKS) socket.destroy();
  }
  async function drain(): Promise<void> {
    const since = performance.now();
    while (app.server.listening && performance.now() - since <= DRAIN_MS && open.size > 0) {
      await pause(IDLE_CHECK_MS);
      countUnused();
    }
  }
  /** Right after a quick turn of the loop that took none: connections that wait to be taken are reset. */
  async function stopListening(): Promise<void> {
    const since = performance.now();
    for (let isQuiet = false; !isQuiet && performance.now() - since <= MOST_TURNS_MS;) {
      const [before, begun] = [opened, performance.now()];
      await turn();
      isQuiet = opened === before && performance.now() - begun < QUICK_TURN_MS;
    }
    app.server.close();
  }
  app.addHook('preClose', async () => {
    await drain();
    if (app.server.listening) await stopListening();
    closing = setInterval(closeUnused, IDLE_CHECK_MS);
  });
  app.addHook('onClose', async () => {
    clearInterval(closing);
    unsubscribe('net.server.socket', note);
  });
}
