// One request at a time on each connection: of those that a client sends without waiting for answers (pipelining), the next
// begins when the answer before it is on its way. So a connection holds one answer, however many it asked for.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that may wait for their turn on one connection. No known client sends as many ahead. */
const MAX_WAITING = 100;

export interface Turns {
  /** Calls `go` when it is the turn of the request that gets this response: at once, for nearly all. */
  await(socket: Socket, response: ServerResponse, go: () => void): void;
}

/** `onEnded` hears of each connection that asked for too much, and was closed. */
export function createTurns(onEnded: () => void): Turns {
  const waiting = new WeakMap<Socket, number>();
  return {
    await(socket, response, go) {
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
    },
  };
}
