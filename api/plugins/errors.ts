// Answers every error with the one error body. Details that are not meant for callers go to the log only.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { ErrorBody } from '#core/contract/index.ts';
import { ERROR_TABLE, QinboxError, type ErrorCode, type Refusal } from '#core/errors.ts';
import { isEarly, sendEarly } from '../connections/early-answers.ts';
import type { Parts } from '../services/services.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Logs and counts a fault that is answered with its own words. */
    noteFault(request: FastifyRequest, fault: QinboxError): void;
  }
  interface FastifyRequest {
    /** Why it was refused, where that is nobody's fault. */
    refusal: Refusal | null;
  }
}

/** Answers errors with the status, code and text of the table in core/errors.ts. */
export const errorBodies = fp<Pick<Parts, 'outages'>>(
  async (app, { outages }) => {
    app.decorateRequest('refusal', null);
    app.decorate('noteFault', (request, fault) => {
      request.refusal = fault.refusal ?? null;
      if (fault.part !== undefined) outages.failed(fault.part, fault.cause);
      // Refusals by a bound are no fault of the server, and repeated ones would fill the log.
      else if (fault.status >= 500 && !isRefusal(fault))
        request.log.error({ reqId: request.id, err: fault.cause ?? fault, code: fault.code }, fault.message);
    });
    app.setErrorHandler((thrown: unknown, request, reply) => {
      if (isHangUp(thrown, request)) {
        request.log.debug({ reqId: request.id }, 'the client hung up before its request had arrived');
        return sendError(request, reply, new QinboxError('VALIDATION_ERROR', HUNG_UP));
      }
      const error = toQinboxError(thrown);
      app.noteFault(request, error);
      sendError(request, reply, error);
    });
  },
  { name: 'error-bodies' },
);

// A fault has a cause; a refusal because too much is waiting has none.
function isRefusal({ code, cause }: QinboxError): boolean {
  return code === 'SERVICE_UNAVAILABLE' && cause === undefined;
}

const HUNG_UP = 'The connection was closed before the whole request had arrived.';
/** Node's codes for a stream whose other end is gone. */
const GONE = new Set<unknown>(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

// Only while the body was arriving: later, the same code may come from a store or a queue.
function isHangUp(thrown: unknown, { raw }: FastifyRequest): boolean {
  return raw.readableAborted && thrown instanceof Error && 'code' in thrown && GONE.has(thrown.code);
}

/** Sends the error's body with its status and `Retry-After`. */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: QinboxError): FastifyReply {
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
  if (error.status === 401) reply.header('www-authenticate', 'Bearer realm="qinbox"');
  const own = request.routeOptions.config?.refused?.(request, error.status, error.message) ?? null;
  reply.code(own?.status ?? error.status).headers(own?.headers ?? {});
  const body = own?.body ?? errorBody(error, request.id);
  return isEarly(request, reply) ? sendEarly(request, reply, body) : reply.send(body);
}

/** The body of the answer to a fault. */
export function errorBody(error: QinboxError, requestId: string): ErrorBody {
  return {
    success: false,
    error: error.message,
    code: error.code,
    requestId,
    ...(error.details === undefined ? {} : { details: error.details }),
  };
}

const BY_STATUS: Partial<Record<number, ErrorCode>> = {
  400: 'VALIDATION_ERROR',
  404: 'NOT_FOUND',
  408: 'REQUEST_TIMEOUT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
  503: 'SERVICE_UNAVAILABLE',
};

function toQinboxError(thrown: unknown): QinboxError {
  if (thrown instanceof QinboxError) return thrown;
  const { statusCode, code } = thrown as Partial<FastifyError>;
  // Fastify's own texts are not meant for people.
  const known =
    code?.startsWith('FST_ERR_') === true && statusCode !== undefined ? BY_STATUS[statusCode] : undefined;
  return new QinboxError(
    known ?? 'INTERNAL_ERROR',
    known === undefined ? undefined : ERROR_TABLE[known].text,
    { cause: thrown },
  );
}
