// The headers of answers, as the document describes them.
import type { AnswerHeaders, RouteRecord } from '#core/contract/index.ts';

const ALWAYS: AnswerHeaders = {
  'X-Request-Id': { type: 'string', description: 'Names this request in the logs.' },
};

const LIMITED: AnswerHeaders = {
  'X-RateLimit-Limit': { type: 'integer', description: 'Requests in the window that is nearest to its end.' },
  'X-RateLimit-Remaining': { type: 'integer', description: 'Requests left in that window.' },
  'X-RateLimit-Reset': { type: 'integer', description: 'Seconds until that window begins anew.' },
  'RateLimit-Policy': {
    type: 'string',
    description: 'All windows (IETF draft-ietf-httpapi-ratelimit-headers-11).',
  },
  RateLimit: { type: 'string', description: 'The window nearest to its end (same draft).' },
};

const RETRY: AnswerHeaders = {
  'Retry-After': { type: 'integer', description: 'Seconds after which a retry may succeed.' },
};

/** The headers of the route's answers with this status. */
export function responseHeaders({ limit, answerHeaders }: RouteRecord, status: number): AnswerHeaders {
  return {
    ...ALWAYS,
    ...(limit === 'none' ? {} : LIMITED),
    ...(status === 429 || status === 503 || status === 409 ? RETRY : {}),
    ...(status === 401
      ? { 'WWW-Authenticate': { type: 'string', description: 'How to authenticate.' } }
      : {}),
    ...answerHeaders?.[status],
  };
}
