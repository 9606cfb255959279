// Addresses of adapters on the program's own server: raw bytes in, plain data out, no Fastify in an adapter.
import type { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { QinboxError } from '#core/errors.ts';
import type { HttpRequest, HttpResponse, HttpScope, StreamRequest } from '#core/ports/adapter/http.ts';
import { responses } from '../route.ts';

/** Makes `scope` leave bodies as they came: signatures are over the bytes. */
export function useRawBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/** A WebSocket that an adapter asks for. */
export interface SocketRoute {
  path: string;
  handler: Parameters<HttpScope['socket']>[1];
}

/** `sockets` takes the WebSockets that the adapter asks for. */
export function httpScope(scope: FastifyInstance, sockets: SocketRoute[]): HttpScope {
  return {
    socket: (path, handler) => void sockets.push({ path, handler }),
    stream(path, handler) {
      scope.route({
        method: 'GET',
        url: path,
        exposeHeadRoute: false,
        schema: { hide: true },
        async handler(request, reply) {
          const answer = await handler(toStreamRequest(request, reply.raw));
          if (!('stream' in answer)) return respond(scope, request, reply, answer);
          // A proxy must pass it on as it comes.
          reply.headers({ 'x-accel-buffering': 'no', ...answer.headers });
          return reply.send(Readable.from(answer.stream));
        },
      });
    },
    on({ methods, path, bodyLimit, record }, handler) {
      for (const method of methods as HTTPMethods[]) {
        const isDescribed = record !== undefined && record.method === method;
        scope.route({
          method,
          url: path,
          bodyLimit,
          // The adapter itself answers HEAD.
          exposeHeadRoute: false,
          ...(isDescribed
            ? {
                config: { record },
                schema: { params: record.schema.params, response: responses(record) },
              }
            : { schema: { hide: true } }),
          async handler(request, reply) {
            return respond(scope, request, reply, await handler(toHttpRequest(request)));
          },
        });
      }
    },
  };
}

function respond(
  scope: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: HttpResponse,
): FastifyReply {
  if (answer.fault instanceof QinboxError) scope.noteFault(request, answer.fault);
  return send(reply, answer);
}

/** Sends an answer that is whole. */
export function send(reply: FastifyReply, { status, headers = {}, body }: HttpResponse): FastifyReply {
  reply.code(status).headers(headers);
  if (typeof body === 'string' && headers['content-type'] === undefined)
    reply.type('text/plain; charset=utf-8');
  return reply.send(body ?? null);
}

/** `connection` is closed with the answer. */
export function toStreamRequest(request: FastifyRequest, connection: EventEmitter): StreamRequest {
  const closing = new AbortController();
  connection.once('close', () => closing.abort());
  return { ...toHttpRequest(request), signal: closing.signal };
}

function toHttpRequest(request: FastifyRequest): HttpRequest {
  const { method, headers, body } = request;
  return {
    method,
    path: request.url.split('?')[0] ?? '',
    params: request.params as Record<string, string>,
    query: flat(request.query as Record<string, unknown>),
    headers: flat(headers),
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    address: request.ip,
    requestId: request.id,
  };
}

// Without a prototype: a template may ask for any header, and nobody sent `constructor`.
function flat(values: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(values))
    if (typeof value === 'string') texts[name] = value;
    else if (Array.isArray(value)) texts[name] = value.join(', ');
  return texts;
}
