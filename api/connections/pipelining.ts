// One request at a time on each connection: of those that a client sends ahead (pipelining), the next begins
// when the answer before it is on its way. So a connection holds one answer, however many it asked for.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that may wait on one connection. No known client sends as many ahead. */
const MAX_WAITING = 100;

/**
 * Returns a function that calls `go` when the request of a response may begin: at once, for nearly all.
 * `onEnded` is called for each connection that was closed because too many requests waited on it.
 */
export function createPipelining(onEnded: () => void) {
  const waiting = new WeakMap<Socket, number>();
  return (socket: Socket, response: ServerResponse, go: () => void): void => {
    // The HTTP server gives a response its socket when those before it are done.
    if (response.socket !== null) return go();
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MAX_WAITING) {
      if (!socket.destroyed) onEnded();
      socket.destroy();
      return;
    }
    waiting.set(socket, count);
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      go();
    });
  };
}
