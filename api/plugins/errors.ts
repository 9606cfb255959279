// Turns whatever was thrown into the one error body. What was not meant for the outside goes to the log and stays there.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorBody } from '#core/contract/index.ts';
import { ERROR_TABLE, QinboxError, type ErrorCode } from '#core/errors.ts';

/** Answers errors of `app` with the status, code and text of the table in core/errors.ts. */
export function useErrorBodies(app: FastifyInstance): void {
  app.setErrorHandler((thrown: unknown, request, reply) => {
    if (isHangUp(thrown, request)) {
      // Nobody here is at fault, and nobody is there to read the answer.
      request.log.debug({ reqId: request.id }, 'the client hung up before its request had arrived');
      return sendError(request, reply, new QinboxError('VALIDATION_ERROR', HUNG_UP));
    }
    const error = toQinboxError(thrown);
    // A refusal by a bound is no fault of ours: whoever keeps asking would fill the log.
    if (error.status >= 500 && !isRefusal(error))
      request.log.error({ reqId: request.id, err: error.cause ?? error, code: error.code }, error.message);
    sendError(request, reply, error);
  });
}

// What failed names its cause; what was refused because too much waits has none.
function isRefusal({ code, cause }: QinboxError): boolean {
  return code === 'SERVICE_UNAVAILABLE' && cause === undefined;
}

const HUNG_UP = 'The connection was closed before the whole request had arrived.';
/** What Node says of a stream whose other end went away. */
const GONE = new Set<unknown>(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

// Only while the body was still on its way: later, the same code may come from a store or a queue.
function isHangUp(thrown: unknown, { raw }: FastifyRequest): boolean {
  return raw.readableAborted && thrown instanceof Error && 'code' in thrown && GONE.has(thrown.code);
}

/** Sends the error's body with its status and `Retry-After`. */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: QinboxError): FastifyReply {
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
  if (error.status === 401) reply.header('www-authenticate', 'Bearer realm="qinbox"');
  return reply.code(error.status).send(errorBody(error, request.id));
}

/** The body that a fault is answered with. */
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
  // A body that ended before its Content-Length is the sender's doing; its text from the HTTP library is not for people.
  const known =
    code?.startsWith('FST_ERR_') === true && statusCode !== undefined ? BY_STATUS[statusCode] : undefined;
  return new QinboxError(
    known ?? 'INTERNAL_ERROR',
    known === undefined ? undefined : ERROR_TABLE[known].text,
    { cause: thrown },
  );
}
