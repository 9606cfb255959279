// WebSockets whose clients only listen: pongs come from them, and messages that nobody reads.
import type { FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';

/**
 * Options of `ws`. A message that is sent in fragments is kept until its last one, and of what the system
 * gives in one piece each fragment keeps all: one byte of 64 KiB. So it has one frame, in few pieces.
 */
export const LISTENER_LIMITS = {
  maxPayload: 64 * 1024,
  maxFragments: 1,
  maxBufferedChunks: 1024,
  perMessageDeflate: false,
} as const;

/** Codes of `ws` for what a client sends wrong, and of Node for one that is gone. */
const OF_CLIENT = /^(?:WS_ERR_\w+|ECONNRESET|EPIPE|ETIMEDOUT)$/;

/** Ends a connection that failed. A client that breaks the protocol is no fault of the server. */
export function endFaulty(error: Error, socket: WebSocket, { log, id }: FastifyRequest): void {
  const { code = '' } = error as NodeJS.ErrnoException;
  const fields = { reqId: id, err: error };
  if (OF_CLIENT.test(code)) log.debug(fields, 'a live connection was ended');
  else log.error(fields, 'a live connection failed');
  socket.terminate();
}
