// Describes the API from the same records that it is served by (OpenAPI 3.1).
import { STATUS_CODES } from 'node:http';
import swagger from '@fastify/swagger';
import fp from 'fastify-plugin';
import type { TSchema } from 'typebox';
import {
  ErrorBody,
  referredSchemas,
  routes,
  type AnswerHeaders,
  type RouteRecord,
  type Scope,
} from '#core/contract/index.ts';
import type { Config } from '#core/config.ts';
import { ERROR_TABLE } from '#core/errors.ts';
import { PRODUCT } from '../product.ts';
import { responses } from '../route.ts';
import { defined } from '#core/domain/filled.ts';

/** Schemas that records refer to by their `$id`. */
export const SHARED_SCHEMAS: readonly TSchema[] = [...referredSchemas(routes, new Set([ErrorBody]))];

/** Bodies that have a name. They are checked whole, so records hold them as they are. */
const NAMED_BODIES: ReadonlySet<TSchema> = new Set(
  Object.values(routes)
    .flatMap((group) => Object.values<RouteRecord>(group))
    .flatMap(({ schema: { body } }) => (body === undefined || nameOf(body) === undefined ? [] : [body])),
);

interface OpenApiOptions {
  config: Config;
  schemas: readonly TSchema[];
  /** Tags of adapters. */
  tags: readonly { name: string; description: string }[];
}

/** Registers the shared schemas and the document. Before any route. */
export const openApi = fp<OpenApiOptions>(
  async (app, { config, schemas, tags }) => {
    for (const schema of new Set([...schemas, ...NAMED_BODIES])) app.addSchema(schema);
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: `${PRODUCT.name} API`,
          version: PRODUCT.version,
          description:
            'Push a task, read the queue, acknowledge what is done. What nobody keeps is gone after 24 hours.\n\n' +
            'Authenticate with `x-api-key: qi_…`, or with `Authorization: Bearer …` and an access token.',
          license: { name: 'MIT', identifier: 'MIT' },
        },
        servers: [{ url: config.publicUrl ?? '/' }],
        tags: [
          { name: 'Tasks', description: 'What needs attention today.' },
          { name: 'Intakes', description: 'Addresses that senders deliver to: webhooks and mail.' },
          {
            name: 'Views',
            description: 'Filters of the inbox with a name, which a user has on every device.',
          },
          { name: 'Push', description: 'Browsers that are told of tasks, and of which.' },
          { name: 'Webhooks', description: 'Addresses that are told what happens to tasks.' },
          { name: 'Escalation', description: 'What happens when nobody acknowledges, step by step.' },
          { name: 'Digest', description: 'What expired unseen, once a day.' },
          { name: 'Account', description: 'All of the own account: as a file, from a file, and its end.' },
          ...tags,
          { name: 'Live', description: 'Changes as they happen.' },
          { name: 'Authentication', description: 'Sessions.' },
          { name: 'API keys', description: 'For programs.' },
          { name: 'Administration', description: 'For administrators.' },
          { name: 'System', description: 'About the server itself.' },
        ],
        components: {
          securitySchemes: {
            apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
            accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
            metricsToken: { type: 'http', scheme: 'bearer' },
          },
        },
        ...extensions(config),
      },
      hideUntagged: true,
      refResolver: { buildLocalReference: (json) => json['$id'] as string },
      transform({ url, route }) {
        const { record } = route.config ?? {};
        if (record === undefined || (route.method !== record.method && route.method !== undefined))
          return { schema: { hide: true }, url };
        return { schema: describe(record), url };
      },
    });
  },
  { name: 'openapi' },
);

/** What OpenAPI has no place for: every error code, and how often an API key may call. */
function extensions({ ratePerMinute, ratePerHour }: Config): object {
  const codes = Object.entries(ERROR_TABLE).map(([code, { http, text }]) => ({
    code,
    status: http,
    description: text,
  }));
  return { 'x-error-codes': codes, 'x-rate-limit': { perMinute: ratePerMinute, perHour: ratePerHour } };
}

function describe(record: RouteRecord): object {
  const { operationId, summary, description, tags, params, querystring, headers } = record.schema;
  return {
    ...defined({ operationId, summary, description, tags, params, querystring, headers }),
    ...bodyOf(record),
    ...messagesOf(record),
    security: securityOf(record),
    response: Object.fromEntries(
      Object.entries(responses(record)).map(([status, schema]) => [
        status,
        describeResponse(record, Number(status), schema),
      ]),
    ),
  };
}

function bodyOf({ schema: { body, consumes } }: RouteRecord): object {
  if (body === undefined) return {};
  // By its name where it has one: what is generated of the document then has that name, too.
  const json = NAMED_BODIES.has(body) ? { $ref: `${nameOf(body)}#` } : body;
  if (consumes === undefined) return { body: json };
  const schemas = { 'application/json': json, ...consumes };
  return {
    body: {
      content: Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema }])),
    },
  };
}

function nameOf(schema: TSchema): string | undefined {
  return (schema as { $id?: string }).$id;
}

// OpenAPI 3.1 has no place for what travels over a WebSocket.
function messagesOf({ schema: { messages } }: RouteRecord): object {
  if (messages === undefined) return {};
  const { $ref } = messages as { $ref?: string };
  return { 'x-websocket-messages': { $ref: `#/components/schemas/${$ref?.replace(/#$/, '')}` } };
}

// The scopes of a key, and what a person must be, stand where OpenAPI 3.1 has the roles of a scheme.
function securityOf({ access }: RouteRecord): object[] {
  const session = { accessToken: [] };
  const either = (...scopes: Scope[]) => [{ apiKey: scopes }, session];
  switch (access) {
    case 'public':
      return [];
    case 'guest':
      return [...either('read'), {}];
    case 'read':
    case 'write':
      return either(access);
    case 'read-write':
      return either('read', 'write');
    case 'create':
      return [{ apiKey: ['ingest'] }, ...either('write')];
    case 'authenticated':
      return either();
    case 'session':
      return [session];
    case 'admin':
      return [{ accessToken: ['administrator'] }];
    case 'metrics':
      return [{ metricsToken: [] }];
  }
}

const STATUS_TEXT: Record<number, string> = {
  200: 'Success',
  201: 'Created successfully',
  202: 'Accepted: durable in the queue, to be carried out soon',
  304: 'Unchanged',
  101: 'Switching protocols',
  400: 'Bad request - Invalid parameters',
  401: 'Unauthorized - Invalid or missing API key',
  403: 'Forbidden: not with these credentials',
  404: 'Not found - Task does not exist',
  405: 'The address does not take this method',
  409: 'Conflict',
  412: 'The task has changed since the version in If-Match',
  413: 'The body is too large',
  415: 'The content type is not understood',
  422: 'The Idempotency-Key was used with another body',
  426: 'WebSocket only',
  429: 'Too many requests - Rate limit exceeded',
  500: 'Internal server error',
  503: 'Unavailable for the moment: try again',
};

function describeResponse(record: RouteRecord, status: number, schema: TSchema): object {
  return {
    description: statusText(record, status),
    headers: responseHeaders(record, status),
    ...bodySchema(record, status, schema),
  };
}

// The table has the words for calls on tasks with an API key; others differ where these would be wrong.
function statusText(record: RouteRecord, status: number): string {
  if (status === 404 && !record.schema.tags.includes('Tasks')) return 'Not found';
  if (status === 401 && !securityOf(record).some((way) => 'apiKey' in way))
    return 'Unauthorized - Invalid or missing credentials';
  return STATUS_TEXT[status] ?? STATUS_CODES[status] ?? String(status);
}

function bodySchema({ schema: { produces } }: RouteRecord, status: number, schema: TSchema): object {
  if (status === 304 || status === 101) return { type: 'null' };
  const type = status < 300 ? produces : undefined;
  return { content: { [type ?? 'application/json']: { schema } } };
}

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

function responseHeaders({ limit, answerHeaders }: RouteRecord, status: number): AnswerHeaders {
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
