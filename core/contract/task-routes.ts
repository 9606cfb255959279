// Every call that creates or reads tasks; with those that change them, all calls on tasks.
import { Type } from 'typebox';
import { errors, id, IsoTime, refTo, SEEN, success, type AnswerHeaders } from './common.ts';
import { MAX_BATCH_ITEMS, MAX_EXPIRY_MINUTES } from './limits.ts';
import { oneWritten, taskChangeRoutes, taskRoute, version, written } from './task-change-routes.ts';
import { CreateTask, Facets, Pagination, Statistics, Task, TaskListQuery } from './tasks.ts';

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
/** A body that is the content of a task. */
const contentText = {
  type: 'string',
  pattern: SEEN,
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
export const taskRoutes = {
  create: taskRoute('POST', '/tasks', 'create', {
    answerHeaders: {
      201: { ...replayed, ...version },
      202: { ...replayed, 'Preference-Applied': { type: 'string', description: '`respond-async`.' } },
    },
    operationId: 'createTask',
    summary: 'Create a task',
    description:
      'JSON, or plain text that is the content itself (`curl -d "backup failed"`), with `X-Priority`, `X-Tags` and `X-Expiry-Minutes` headers. ' +
      'With `Prefer: respond-async` the answer is 202 and the id, and the task follows through the queue.',
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
      ...errors(400, 409, 413, 415, 422),
    },
  }),
  createBatch: taskRoute('POST', '/tasks/batch', 'create', {
    answersMuch: true,
    answerHeaders: { 201: replayed },
    operationId: 'createTasks',
    summary: 'Create up to 500 tasks',
    description:
      'Validated as a whole: one bad item refuses all, and `details` names its index. `ids` are those of all items, in their ' +
      'order; `tasks` are the first of them, as many as 2 MiB hold: all, unless the items repeat large tasks again and again.',
    headers: idempotencyKey,
    body: Type.Object({
      // Inline: a validator resolves no references, and a body must be checked whole.
      tasks: Type.Array(Type.Object(CreateTask.properties), { minItems: 1, maxItems: MAX_BATCH_ITEMS }),
    }),
    response: {
      201: Type.Object({ success, ids: Type.Array(Type.String()), tasks: Type.Array(written) }),
      ...errors(400, 409, 413, 415, 422),
    },
  }),
  list: taskRoute('GET', '/tasks', 'guest', {
    answersMuch: true,
    answerHeaders: { 200: queueVersion, 304: queueVersion },
    operationId: 'listTasks',
    summary: 'List live tasks',
    description:
      'Pinned first, then newest first or in another `order`. Fewer than `limit` when they are large: as many as 1 MiB holds, one at the least. ' +
      'The next page begins at `offset` and `returned` more, until `total`. ' +
      'Has an `ETag`: an unchanged queue answers 304 to `If-None-Match`. ' +
      'With `q`, `tag`, `source`, `intake` or an `order` but newest it is a search: one of each owner is under way at a ' +
      'time and four wait; more are 429, and 503 when all owners together have too many, or after 8 seconds.',
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
      ...errors(400),
    },
  }),
  summary: taskRoute('GET', '/tasks/stats/summary', 'guest', {
    operationId: 'taskStatistics',
    summary: 'Count live tasks',
    response: { 200: Type.Object({ success, statistics: refTo(Statistics) }) },
  }),
  facets: taskRoute('GET', '/tasks/facets', 'guest', {
    operationId: 'taskFacets',
    summary: 'What live tasks can be filtered by',
    description:
      'Sources, tags and intakes of the live queue, the most frequent first, at most 100 of each. An intake has the name ' +
      'that its newest task says. It is a search, see `GET /tasks`.',
    response: { 200: Type.Object({ success, facets: refTo(Facets) }) },
  }),
  recentlyAcknowledged: taskRoute('GET', '/tasks/acknowledged', 'read', {
    answersMuch: true,
    operationId: 'listAcknowledgedTasks',
    summary: 'List tasks that can still be restored',
    description:
      'Acknowledged in the last 10 minutes, the latest first: at most 500, and as many as 1 MiB holds.',
    response: {
      200: Type.Object({
        success,
        tasks: Type.Array(
          Type.Object({ task: refTo(Task), acknowledgedAt: IsoTime, restorableUntil: IsoTime }),
        ),
      }),
    },
  }),
  get: taskRoute('GET', '/tasks/:id', 'guest', {
    answerHeaders: { 200: version, 304: version },
    operationId: 'getTask',
    summary: 'Read one task',
    params: id,
    headers: Type.Object({ 'if-none-match': Type.Optional(Type.String()) }),
    response: {
      200: Type.Object({ success, task: refTo(Task) }),
      304: Type.Null({ description: 'Unchanged since the `ETag` in `If-None-Match`.' }),
      ...errors(400, 404),
    },
  }),
  ...taskChangeRoutes,
};
