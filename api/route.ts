// Makes a Fastify route of a record, with validation, serialisation, access, limits and documentation.
import { defined } from '#core/domain/filled.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpResponse } from '#core/ports/adapter/http.ts';
import type { TSchema } from 'typebox';
import {
  API_BASE,
  ErrorBody,
  refTo,
  type AnswerOf,
  type PartOf,
  type RouteRecord,
} from '#core/contract/index.ts';

/** A request that was validated against the record. */
export type RequestOf<R extends RouteRecord> = FastifyRequest<{
  Params: PartOf<R, 'params'>;
  Querystring: PartOf<R, 'querystring'>;
  Body: PartOf<R, 'body'>;
}>;

/** Answers a call. The value is sent with the record's first 2xx status unless the handler sets another. */
export type HandlerOf<R extends RouteRecord> = (
  request: RequestOf<R>,
  reply: FastifyReply,
) => AnswerOf<R> | FastifyReply | Promise<AnswerOf<R> | FastifyReply>;

interface RouteOptions {
  bodyLimit?: number;
  /** May rewrite `request.body` before it is validated. */
  preValidation?: (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;
}

/** Adds the route to `app`. */
export function addRoute<R extends RouteRecord>(
  app: FastifyInstance,
  record: R,
  handler: HandlerOf<R>,
  options: RouteOptions = {},
): void {
  const status = successStatus(record);
  const { params, querystring, headers, body } = record.schema;
  app.route({
    method: record.method,
    url: pathOf(record),
    ...options,
    config: { record },
    schema: { ...defined({ params, querystring, headers, body }), response: responses(record) },
    handler(request, reply) {
      reply.statusCode = status;
      return handler(request as RequestOf<R>, reply) as unknown;
    },
  });
}

/** The full path of a route, with `:name` parameters. */
export function pathOf({ base = API_BASE, path }: RouteRecord): string {
  return base + path;
}

/** Every status that the route may answer, with its body. */
export function responses(record: RouteRecord): Record<number, TSchema> {
  const error = refTo(ErrorBody);
  const limited = record.limit !== 'none';
  const asked = record.access !== 'public';
  const keyed = asked && record.access !== 'authenticated';
  return {
    ...(asked ? { 401: error } : {}),
    ...(keyed ? { 403: error } : {}),
    ...(limited ? { 429: error } : {}),
    500: error,
    503: error,
    ...record.schema.response,
  };
}

function successStatus({ schema }: RouteRecord): number {
  return Number(Object.keys(schema.response).find((status) => status.startsWith('2')) ?? 200);
}

/** A successful answer's body. */
export function ok(): { success: true };
export function ok<T extends object>(body: T): { success: true } & T;
export function ok(body: object = {}): object {
  return { success: true, ...body };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    record?: RouteRecord;
    /** Of a body as much is held at most, where the route takes longer ones. */
    heldBytes?: number;
    /** The answer to a fault before the handler, in the words of an adapter; null for the API's own. */
    refused?: (request: FastifyRequest, status: number, reason: string) => HttpResponse | null;
  }
}
