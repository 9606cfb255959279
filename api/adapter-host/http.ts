// Addresses of adapters on the program's own server: raw bytes in, plain data out, no Fastify in an adapter.
import type { EventEmitter } from 'node:events';
import { pipeline, Readable, Transform } from 'node:stream';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  preParsingHookHandler,
  RequestPayload,
} from 'fastify';
import { QinboxError } from '#core/errors.ts';
import type {
  HttpRequest,
  HttpResponse,
  HttpRoute,
  HttpScope,
  StreamRequest,
} from '#core/ports/adapter/http.ts';
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
    on(route, handler) {
      const { methods, path, record } = route;
      const options = routeOptions(route);
      for (const method of methods as HTTPMethods[]) {
        const isDescribed = record !== undefined && record.method === method;
        scope.route({
          ...options,
          method,
          url: path,
          // The adapter itself answers HEAD.
          exposeHeadRoute: false,
          ...(isDescribed
            ? {
                config: { ...options.config, record },
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

/** What holds before the handler. */
function routeOptions({ bodyLimit, dropLimit, refused }: HttpRoute) {
  const config = {
    ...(dropLimit === undefined ? {} : { heldBytes: bodyLimit }),
    ...(refused === undefined
      ? {}
      : {
          refused: (request: FastifyRequest, status: number, reason: string) =>
            refused(toHttpRequest(request), status, reason),
        }),
  };
  return dropLimit === undefined
    ? { bodyLimit, config }
    : { bodyLimit: dropLimit, config, preParsing: dropBetween(bodyLimit, dropLimit) };
}

/** Bytes of bodies that were read and not kept. */
const droppedOf = new WeakMap<FastifyRequest, number>();

/** Lets the parser have no more than `limit` bytes, and reads the rest up to `dropLimit`. */
function dropBetween(limit: number, dropLimit: number): preParsingHookHandler {
  return (request, _reply, payload, done) => {
    const { 'content-length': length, 'transfer-encoding': isChunked } = request.headers;
    const mayBeOver = length === undefined ? isChunked !== undefined : Number(length) > limit;
    if (!mayBeOver) return done(null, payload);
    let bytes = 0;
    const shortened: Transform & RequestPayload = new Transform({
      transform(chunk: Buffer, _encoding, next) {
        const before = bytes;
        bytes += chunk.length;
        // The parser compares it with the length that was said, and its limit at each chunk that it sees.
        shortened.receivedEncodedLength = bytes;
        if (bytes > limit) droppedOf.set(request, bytes);
        const isRefused = before <= dropLimit && bytes > dropLimit;
        next(null, bytes <= limit || isRefused ? chunk : undefined);
      },
    });
    pipeline(payload, shortened, () => {});
    done(null, shortened);
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
  const dropped = droppedOf.get(request);
  return {
    method,
    path: request.url.split('?')[0] ?? '',
    params: request.params as Record<string, string>,
    query: flat(request.query as Record<string, unknown>),
    headers: flat(headers),
    body: Buffer.isBuffer(body) && dropped === undefined ? body : Buffer.alloc(0),
    ...(dropped === undefined ? {} : { dropped }),
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
