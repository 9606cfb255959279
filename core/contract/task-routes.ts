// Every call that makes, reads, changes or ends a task.
import { Type } from 'typebox';
import { defineRoute, ErrorBody, IsoTime, refTo, type AnswerHeaders } from './common.ts';
import { MAX_BATCH_ITEMS, MAX_EXPIRY_MINUTES } from './limits.ts';
import { CreateTask, EditTask, Pagination, Statistics, Task, TaskListQuery, TaskReceipt } from './tasks.ts';

const success = Type.Literal(true);
const id = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });
const ids = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  maxItems: MAX_BATCH_ITEMS,
});
const Error = refTo(ErrorBody);
const oneTask = Type.Object({ success, task: refTo(Task) });
/** What a write answers: keys without the scope `read` get a receipt. */
const written = Type.Union([refTo(Task), refTo(TaskReceipt)]);
const oneWritten = Type.Object({ success, task: written });
const idempotencyKey = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      // Bare, or a quoted string of RFC 9651 (3.3.3).
      pattern: String.raw`^(?:[!#-~][ -~]{0,254}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$`,
      'x-refusal': 'must be 1 to 255 printable ASCII characters, quoted or bare',
      description:
        'Makes a retry safe: 1 to 255 characters, quoted or bare, kept 24 hours for this key or user.',
    }),
  ),
});
// RFC 9110, 8.8.3 and 13.1: `*`, or entity tags in quotes.
const ENTITY_TAGS = String.raw`^(?:\*|(?:W/)?"[!#-~]*"(?:[ \t]*,[ \t]*(?:W/)?"[!#-~]*")*)$`;
const ifMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      pattern: ENTITY_TAGS,
      'x-refusal': 'must be *, or entity tags in quotes such as "v3"',
      description:
        'The `ETag` that was read, `"v3"` say: when the task has changed since, the answer is 412.',
      examples: ['*', '"v3"'],
    }),
  ),
});
/** A body that is the content of a task. */
const contentText = {
  type: 'string',
  pattern: '\\S',
  description: 'The content itself.',
  examples: ['backup failed'],
};
const replayed: AnswerHeaders = {
  'Idempotency-Replayed': {
    type: 'string',
    description: '`true` when this is the first answer given again.',
  },
};
const queueVersion: AnswerHeaders = {
  ETag: { type: 'string', description: 'Send it back in `If-None-Match`: an unchanged queue answers 304.' },
};
const version: AnswerHeaders = {
  ETag: {
    type: 'string',
    description:
      'The version of the task, `"v3"` say. Send it back in `If-Match` with a change: it is made only if the task is still the same.',
  },
};
const tag = ['Tasks'];

/** The answer to an acknowledgement, as specified. */
export const ACKNOWLEDGED_MESSAGE = 'Task acknowledged successfully';

export const taskRoutes = {
  create: defineRoute({
    method: 'POST',
    path: '/tasks',
    access: 'create',
    answerHeaders: {
      201: { ...replayed, ...version },
      202: { 'Preference-Applied': { type: 'string', description: '`respond-async`.' } },
    },
    schema: {
      operationId: 'createTask',
      summary: 'Create a task',
      description:
        'JSON, or plain text that is the content itself (`curl -d "backup failed"`), with `X-Priority`, `X-Tags` and `X-Expiry-Minutes` headers. ' +
        'With `Prefer: respond-async` the answer is 202 and the id, and the task follows through the queue.',
      tags: tag,
      headers: Type.Object({
        ...idempotencyKey.properties,
        prefer: Type.Optional(Type.String({ description: '`respond-async` (RFC 7240).' })),
        'x-priority': Type.Optional(
          Type.String({
            pattern: '^(?:[Hh][Ii][Gg][Hh]|[Nn][Oo][Rr][Mm][Aa][Ll]|[Ll][Oo][Ww])$',
            'x-refusal': 'must be one of: high, normal, low',
            description: 'For a text body: high, normal or low.',
          }),
        ),
        'x-tags': Type.Optional(Type.String({ description: 'For a text body: tags, separated by commas.' })),
        'x-expiry-minutes': Type.Optional(
          Type.String({
            pattern: String.raw`^(?:[1-9]\d{0,3}|100[0-7]\d|10080)$`,
            'x-refusal': `must be a whole number from 1 to ${MAX_EXPIRY_MINUTES}`,
            description: 'For a text body: lifetime in minutes.',
          }),
        ),
      }),
      body: CreateTask,
      consumes: {
        'text/plain': Type.Unsafe<string>(contentText),
        'application/x-www-form-urlencoded': Type.Unsafe<string>({
          ...contentText,
          description:
            'What `curl -d` sends: the content itself; or, with a `content=` field, the fields of a task as in JSON.',
        }),
      },
      response: {
        201: oneWritten,
        202: Type.Object({ success, id: Type.String() }),
        400: Error,
        409: Error,
        413: Error,
        415: Error,
        422: Error,
      },
    },
  }),
  createBatch: defineRoute({
    method: 'POST',
    path: '/tasks/batch',
    access: 'create',
    answersMuch: true,
    answerHeaders: { 201: replayed },
    schema: {
      operationId: 'createTasks',
      summary: 'Create up to 500 tasks',
      description:
        'Validated as a whole: one bad item refuses all, and `details` names its index. `ids` are those of all items, in their ' +
        'order; `tasks` are the first of them, as many as 2 MiB hold: all, unless the items repeat large tasks again and again.',
      tags: tag,
      headers: idempotencyKey,
      body: Type.Object({
        tasks: Type.Array(CreateTaskItem(), { minItems: 1, maxItems: MAX_BATCH_ITEMS }),
      }),
      response: {
        201: Type.Object({ success, ids: Type.Array(Type.String()), tasks: Type.Array(written) }),
        400: Error,
        409: Error,
        413: Error,
        415: Error,
        422: Error,
      },
    },
  }),
  list: defineRoute({
    method: 'GET',
    path: '/tasks',
    access: 'guest',
    answersMuch: true,
    answerHeaders: { 200: queueVersion, 304: queueVersion },
    schema: {
      operationId: 'listTasks',
      summary: 'List live tasks',
      description:
        'Pinned first, then newest first. Fewer than `limit` when they are large: as many as 1 MiB holds, one at the least. ' +
        'The next page begins at `offset` and `returned` more, until `total`. ' +
        'Has an `ETag`: an unchanged queue answers 304 to `If-None-Match`. ' +
        'With `q`, `tag` or `source` it is a search: one of each owner is under way at a time and four wait; more are 429, and 503 when ' +
        'all owners together have too many, or after 8 seconds.',
      tags: tag,
      querystring: TaskListQuery,
      headers: Type.Object({ 'if-none-match': Type.Optional(Type.String()) }),
      response: {
        200: Type.Object({
          success,
          tasks: Type.Array(refTo(Task)),
          pagination: refTo(Pagination),
          statistics: refTo(Statistics),
        }),
        304: Type.Null({ description: 'Unchanged since the `ETag` in `If-None-Match`.' }),
        400: Error,
      },
    },
  }),
  summary: defineRoute({
    method: 'GET',
    path: '/tasks/stats/summary',
    access: 'guest',
    schema: {
      operationId: 'taskStatistics',
      summary: 'Count live tasks',
      tags: tag,
      response: { 200: Type.Object({ success, statistics: refTo(Statistics) }) },
    },
  }),
  recentlyAcknowledged: defineRoute({
    method: 'GET',
    path: '/tasks/acknowledged',
    access: 'read',
    answersMuch: true,
    schema: {
      operationId: 'listAcknowledgedTasks',
      summary: 'List tasks that can still be restored',
      description:
        'Acknowledged in the last 10 minutes, the latest first: at most 500, and as many as 1 MiB holds.',
      tags: tag,
      response: {
        200: Type.Object({
          success,
          tasks: Type.Array(
            Type.Object({ task: refTo(Task), acknowledgedAt: IsoTime, restorableUntil: IsoTime }),
          ),
        }),
      },
    },
  }),
  get: defineRoute({
    method: 'GET',
    path: '/tasks/:id',
    access: 'guest',
    answerHeaders: { 200: version, 304: version },
    schema: {
      operationId: 'getTask',
      summary: 'Read one task',
      tags: tag,
      params: id,
      headers: Type.Object({ 'if-none-match': Type.Optional(Type.String()) }),
      response: {
        200: oneTask,
        304: Type.Null({ description: 'Unchanged since the `ETag` in `If-None-Match`.' }),
        400: Error,
        404: Error,
      },
    },
  }),
  edit: defineRoute({
    method: 'PUT',
    path: '/tasks/:id',
    access: 'write',
    answerHeaders: { 200: version },
    schema: {
      operationId: 'editTask',
      summary: 'Change content, priority or tags',
      description: 'What is left out stays as it is. Never changes `expiresAt`.',
      tags: tag,
      params: id,
      headers: ifMatch,
      body: EditTask,
      response: { 200: oneWritten, 400: Error, 404: Error, 412: Error, 413: Error, 415: Error },
    },
  }),
  acknowledge: defineRoute({
    method: 'DELETE',
    path: '/tasks/:id',
    access: 'write',
    schema: {
      operationId: 'acknowledgeTask',
      summary: 'Acknowledge a task',
      description:
        'Takes effect at once; can be undone for 10 minutes with `/restore`. A second time answers 404.',
      tags: tag,
      params: id,
      headers: ifMatch,
      response: {
        200: Type.Object({ success, message: Type.String(), restorableUntil: IsoTime }),
        400: Error,
        404: Error,
        412: Error,
      },
    },
  }),
  pin: defineRoute({
    method: 'PATCH',
    path: '/tasks/:id/pin',
    access: 'write',
    answerHeaders: { 200: version },
    schema: {
      operationId: 'pinTask',
      summary: 'Pin or unpin a task',
      description: 'Unpinning a task whose time is up gives it one more hour.',
      tags: tag,
      params: id,
      headers: ifMatch,
      body: Type.Object({ pinned: Type.Boolean() }),
      response: { 200: oneWritten, 400: Error, 404: Error, 412: Error, 413: Error, 415: Error },
    },
  }),
  extend: defineRoute({
    method: 'POST',
    path: '/tasks/:id/extend',
    access: 'write',
    answerHeaders: { 200: version },
    schema: {
      operationId: 'extendTask',
      summary: 'Keep a task longer',
      description:
        'Adds minutes to `expiresAt`, up to 10080 minutes (7 days) from now. With `from`, the `expiresAt` that you saw, they ' +
        'count from there and never shorten it, so that sending it again adds nothing.',
      tags: tag,
      params: id,
      headers: ifMatch,
      body: Type.Object({
        minutes: Type.Integer({ minimum: 1, maximum: MAX_EXPIRY_MINUTES }),
        from: Type.Optional(IsoTime),
      }),
      response: { 200: oneWritten, 400: Error, 404: Error, 412: Error, 413: Error, 415: Error },
    },
  }),
  restore: defineRoute({
    method: 'POST',
    path: '/tasks/:id/restore',
    access: 'write',
    answerHeaders: { 200: version },
    schema: {
      operationId: 'restoreTask',
      summary: 'Undo an acknowledgement',
      description: 'Within 10 minutes of it. A task whose time ran out meanwhile is given one more hour.',
      tags: tag,
      params: id,
      headers: ifMatch,
      response: { 200: oneWritten, 400: Error, 404: Error, 412: Error },
    },
  }),
  acknowledgeMany: defineRoute({
    method: 'POST',
    path: '/tasks/acknowledge',
    access: 'write',
    schema: {
      operationId: 'acknowledgeTasks',
      summary: 'Acknowledge up to 500 tasks',
      tags: tag,
      body: Type.Object({ ids }),
      response: {
        200: Type.Object({
          success,
          acknowledged: Type.Array(Type.String()),
          notFound: Type.Array(Type.String()),
          restorableUntil: IsoTime,
        }),
        400: Error,
        413: Error,
        415: Error,
      },
    },
  }),
  restoreMany: defineRoute({
    method: 'POST',
    path: '/tasks/restore',
    access: 'write',
    answersMuch: true,
    schema: {
      operationId: 'restoreTasks',
      summary: 'Undo up to 500 acknowledgements',
      description:
        '`restored` names all that are back; `tasks` are the first of them, as many as 1 MiB holds.',
      tags: tag,
      body: Type.Object({ ids }),
      response: {
        200: Type.Object({
          success,
          restored: Type.Array(Type.String()),
          notFound: Type.Array(Type.String()),
          tasks: Type.Array(written),
        }),
        400: Error,
        413: Error,
        415: Error,
      },
    },
  }),
};

// Inline rather than by reference: a validator resolves no references, and a body must be checked whole.
function CreateTaskItem() {
  return Type.Object(CreateTask.properties);
}
