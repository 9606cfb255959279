// Which headers an answer carries, as the document tells of them.
import { taskRoutes, type RouteRecord } from '#core/contract/index.ts';

type Headers = Record<string, { description: string; type: 'string' | 'integer' }>;

const ALWAYS: Headers = {
  'X-Request-Id': { type: 'string', description: 'Names this request in the logs.' },
};

const LIMITED: Headers = {
  'X-RateLimit-Limit': { type: 'integer', description: 'Requests in the window that is nearest to its end.' },
  'X-RateLimit-Remaining': { type: 'integer', description: 'Requests left in that window.' },
  'X-RateLimit-Reset': { type: 'integer', description: 'Seconds until that window begins anew.' },
  'RateLimit-Policy': {
    type: 'string',
    description: 'All windows (IETF draft-ietf-httpapi-ratelimit-headers-11).',
  },
  RateLimit: { type: 'string', description: 'The window nearest to its end (same draft).' },
};

const RETRY: Headers = {
  'Retry-After': { type: 'integer', description: 'Seconds after which a retry may succeed.' },
};

const REPLAYED: Headers = {
  'Idempotency-Replayed': {
    type: 'string',
    description: '`true` when this is the first answer given again.',
  },
};

const ETAG: Headers = {
  ETag: { type: 'string', description: 'Send it back in `If-None-Match`: an unchanged queue answers 304.' },
};

const VERSION: Headers = {
  ETag: {
    type: 'string',
    description:
      'The version of the task, `"v3"` say. Send it back in `If-Match` with a change: it is made only if the task is still the same.',
  },
};

/** The calls that answer with one task. */
const ONE_TASK = new Set<string>(
  [
    taskRoutes.create,
    taskRoutes.get,
    taskRoutes.edit,
    taskRoutes.pin,
    taskRoutes.extend,
    taskRoutes.restore,
  ].map(({ schema }) => schema.operationId),
);

/** The headers of the route's answers with this status. */
export function responseHeaders(record: RouteRecord, status: number): Headers {
  const { operationId } = record.schema;
  const creates =
    operationId === taskRoutes.create.schema.operationId ||
    operationId === taskRoutes.createBatch.schema.operationId;
  return {
    ...ALWAYS,
    ...(record.limit !== 'none' ? LIMITED : {}),
    ...(status === 429 || status === 503 || status === 409 ? RETRY : {}),
    ...(status === 401
      ? { 'WWW-Authenticate': { type: 'string', description: 'How to authenticate.' } }
      : {}),
    ...(status === 201 && creates ? REPLAYED : {}),
    ...(status === 202 ? { 'Preference-Applied': { type: 'string', description: '`respond-async`.' } } : {}),
    ...(operationId === taskRoutes.list.schema.operationId && (status === 200 || status === 304) ? ETAG : {}),
    ...(ONE_TASK.has(operationId) && (status === 200 || status === 201 || status === 304) ? VERSION : {}),
  };
}
