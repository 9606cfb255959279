// Lets clients read an answer that came before all of their request, to a body that is too large say. A
// connection that is closed with bytes of theirs unread is reset, which takes the answer from them: nginx and
// Caddy make a 502 of it, which senders repeat, where the answer was a 413 (RFC 9112, 9.6).
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** How long a client may go on sending what nobody reads. nginx waits as long for its own clients. */
const MAX_WAIT_MS = 5000;

/** Whether the connection is to be closed before all of the request has come. */
export function isEarly({ raw }: FastifyRequest, reply: FastifyReply): boolean {
  return reply.getHeader('connection') === 'close' && !raw.complete;
}

/** Sends text or JSON at once; ends it when the rest of the request is there, or time is up. */
export function sendEarly({ raw }: FastifyRequest, reply: FastifyReply, body: object | string): FastifyReply {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return reply
    .type(`${typeof body === 'string' ? 'text/plain' : 'application/json'}; charset=utf-8`)
    .header('content-length', Buffer.byteLength(text))
    .send(Readable.from(andWait(text, raw)));
}

async function* andWait(payload: string, request: IncomingMessage): AsyncGenerator<string> {
  yield payload;
  const signal = AbortSignal.timeout(MAX_WAIT_MS);
  request.resume();
  // Until the end, or until the client closes the connection or time is up.
  if (!request.readableEnded && !request.destroyed) await once(request, 'end', { signal }).catch(() => {});
}
