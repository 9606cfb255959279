// Every call that changes tasks that are there.
import { Type } from 'typebox';
import { defineRoute, errors, IsoTime } from './common.ts';
import { MAX_BATCH_ITEMS, MAX_EXPIRY_MINUTES } from './limits.ts';
import { id, oneWritten, success, taskTag, version, written } from './task-shapes.ts';
import { EditTask } from './tasks.ts';

const ids = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  maxItems: MAX_BATCH_ITEMS,
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

/** The answer to an acknowledgement, as specified. */
export const ACKNOWLEDGED_MESSAGE = 'Task acknowledged successfully';

export const taskChangeRoutes = {
  edit: defineRoute({
    method: 'PUT',
    path: '/tasks/:id',
    access: 'write',
    answerHeaders: { 200: version },
    schema: {
      operationId: 'editTask',
      summary: 'Change content, priority or tags',
      description: 'What is left out stays as it is. Never changes `expiresAt`.',
      tags: taskTag,
      params: id,
      headers: ifMatch,
      body: EditTask,
      response: { 200: oneWritten, ...errors(400, 404, 412, 413, 415) },
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
      tags: taskTag,
      params: id,
      headers: ifMatch,
      response: {
        200: Type.Object({ success, message: Type.String(), restorableUntil: IsoTime }),
        ...errors(400, 404, 412),
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
      tags: taskTag,
      params: id,
      headers: ifMatch,
      body: Type.Object({ pinned: Type.Boolean() }),
      response: { 200: oneWritten, ...errors(400, 404, 412, 413, 415) },
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
      tags: taskTag,
      params: id,
      headers: ifMatch,
      body: Type.Object({
        minutes: Type.Integer({ minimum: 1, maximum: MAX_EXPIRY_MINUTES }),
        from: Type.Optional(IsoTime),
      }),
      response: { 200: oneWritten, ...errors(400, 404, 412, 413, 415) },
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
      tags: taskTag,
      params: id,
      headers: ifMatch,
      response: { 200: oneWritten, ...errors(400, 404, 412) },
    },
  }),
  acknowledgeMany: defineRoute({
    method: 'POST',
    path: '/tasks/acknowledge',
    access: 'write',
    schema: {
      operationId: 'acknowledgeTasks',
      summary: 'Acknowledge up to 500 tasks',
      tags: taskTag,
      body: Type.Object({ ids }),
      response: {
        200: Type.Object({
          success,
          acknowledged: Type.Array(Type.String()),
          notFound: Type.Array(Type.String()),
          restorableUntil: IsoTime,
        }),
        ...errors(400, 413, 415),
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
      tags: taskTag,
      body: Type.Object({ ids }),
      response: {
        200: Type.Object({
          success,
          restored: Type.Array(Type.String()),
          notFound: Type.Array(Type.String()),
          tasks: Type.Array(written),
        }),
        ...errors(400, 413, 415),
      },
    },
  }),
};
