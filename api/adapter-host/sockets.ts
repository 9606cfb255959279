// WebSockets of adapters: they send the texts of a stream, and hear nothing but pongs.
import websocket from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import type { WebSocket } from 'ws';
import { LIVE_CLOSE } from '#core/contract/index.ts';
import { QinboxError } from '#core/errors.ts';
import type { TextStream } from '#core/ports/adapter/http.ts';
import { closeSocket } from '../connections/close-socket.ts';
import { endFaulty, LISTENER_LIMITS } from '../connections/listeners.ts';
import { toPattern } from '../plugins/methods.ts';
import { send, toStreamRequest, type SocketRoute } from './http.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the WebSocket of this upgrade is to send. */
    stream: TextStream | null;
  }
}

/** Bytes on their way to a client before the next text is asked for. */
const MAX_WAITING_BYTES = 64 * 1024;
/** Interval of pings; a client that did not answer the last one is dropped. */
const PING_INTERVAL_MS = 30_000;

/** Adds the WebSockets to a scope of their own: the plugin's hooks run for no other request. */
export async function addSockets(scope: FastifyInstance, routes: readonly SocketRoute[]): Promise<void> {
  const patterns = routes.map(({ path }) => toPattern(path));
  await scope.register(websocket, {
    options: {
      server: scope.upgradesTo((path) => patterns.some((pattern) => pattern.test(path))),
      ...LISTENER_LIMITS,
    },
    errorHandler: endFaulty,
    // Its streams end when the server stops, and each closes its socket.
    preClose: (done) => done(),
  });
  scope.decorateRequest('stream', null);
  for (const { path, handler } of routes)
    scope.route({
      method: 'GET',
      url: path,
      exposeHeadRoute: false,
      schema: { hide: true },
      async preValidation(request, reply) {
        if (!request.ws) return;
        const answer = await handler(toStreamRequest(request, request.raw.socket));
        if (!('stream' in answer)) return send(reply, answer);
        request.stream = answer.stream;
      },
      handler() {
        throw new QinboxError('UPGRADE_REQUIRED');
      },
      async wsHandler(socket, request) {
        if (request.stream !== null) await run(socket, request.stream);
      },
    });
}

/** Sends the texts, then closes the socket. Rejects when the stream does. */
async function run(socket: WebSocket, stream: TextStream): Promise<void> {
  let isAlive = true;
  socket.on('pong', () => (isAlive = true));
  const pinging = setInterval(() => {
    if (!isAlive) socket.terminate();
    isAlive = false;
    socket.ping();
  }, PING_INTERVAL_MS);
  socket.once('close', () => clearInterval(pinging));
  for await (const text of stream) {
    if (socket.readyState !== socket.OPEN) break;
    const sent = Promise.withResolvers<void>();
    socket.send(text, () => sent.resolve());
    if (socket.bufferedAmount > MAX_WAITING_BYTES) await sent.promise;
  }
  if (socket.readyState === socket.OPEN) closeSocket(socket, LIVE_CLOSE.restarting, 'connect again');
}
