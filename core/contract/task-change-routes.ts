// Every call that changes tasks that are there.
import { Type } from 'typebox';
import { errors, id, IsoTime, refTo, routesTagged, success, type AnswerHeaders } from './common.ts';
import { MAX_BATCH_ITEMS, MAX_EXPIRY_MINUTES, MAX_KEY_CHARACTERS } from './limits.ts';
import { ChangeTask, EditTask, SnoozeTask, Task, TaskReceipt } from './tasks.ts';

export const taskRoute = routesTagged('Tasks');
/** What a write answers: keys without the scope `read` get a receipt. */
export const written = Type.Union([refTo(Task), refTo(TaskReceipt)]);
export const oneWritten = Type.Object({ success, task: written });
export const version: AnswerHeaders = {
  ETag: {
    type: 'string',
    description:
      'The version of the task, `"v3"` say. Send it back in `If-Match` with a change: it is made only if the task is still the same.',
  },
};

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
  edit: taskRoute('PUT', '/tasks/:id', 'write', {
    answerHeaders: { 200: version },
    operationId: 'editTask',
    summary: 'Change content, priority or tags',
    description: 'What is left out stays as it is. Never changes `expiresAt`.',
    params: id,
    headers: ifMatch,
    body: EditTask,
    response: { 200: oneWritten, ...errors(400, 404, 412, 413, 415) },
  }),
  acknowledge: taskRoute('DELETE', '/tasks/:id', 'write', {
    operationId: 'acknowledgeTask',
    summary: 'Acknowledge a task',
    description:
      'Takes effect at once; can be undone for 10 minutes with `/restore`. A second time answers 404.',
    params: id,
    headers: ifMatch,
    response: {
      200: Type.Object({ success, message: Type.String(), restorableUntil: IsoTime }),
      ...errors(400, 404, 412),
    },
  }),
  pin: taskRoute('PATCH', '/tasks/:id/pin', 'write', {
    answerHeaders: { 200: version },
    operationId: 'pinTask',
    summary: 'Pin or unpin a task',
    description: 'Unpinning a task whose time is up gives it one more hour.',
    params: id,
    headers: ifMatch,
    body: Type.Object({ pinned: Type.Boolean() }),
    response: { 200: oneWritten, ...errors(400, 404, 412, 413, 415) },
  }),
  extend: taskRoute('POST', '/tasks/:id/extend', 'write', {
    answerHeaders: { 200: version },
    operationId: 'extendTask',
    summary: 'Keep a task longer',
    description:
      'Adds minutes to `expiresAt`, up to 10080 minutes (7 days) from now. With `from`, the `expiresAt` that you saw, they ' +
      'count from there and never shorten it, so that sending it again adds nothing.',
    params: id,
    headers: ifMatch,
    body: Type.Object({
      minutes: Type.Integer({ minimum: 1, maximum: MAX_EXPIRY_MINUTES }),
      from: Type.Optional(IsoTime),
    }),
    response: { 200: oneWritten, ...errors(400, 404, 412, 413, 415) },
  }),
  snooze: taskRoute('POST', '/tasks/:id/snooze', 'write', {
    answerHeaders: { 200: version },
    operationId: 'snoozeTask',
    summary: 'Hide a task until later, or wake it',
    description:
      'Until a time (`until`) or for some minutes, at most 7 days. Meanwhile no list and no count but `snoozed` has the task, and its ' +
      'own time stands still: it has as long left when it wakes, and one hour at least. A repeat wakes it only if its priority rises. ' +
      '`until: null` wakes it at once.',
    params: id,
    headers: ifMatch,
    body: SnoozeTask,
    response: { 200: oneWritten, ...errors(400, 404, 412, 413, 415) },
  }),
  restore: taskRoute('POST', '/tasks/:id/restore', 'write', {
    answerHeaders: { 200: version },
    operationId: 'restoreTask',
    summary: 'Undo an acknowledgement',
    description: 'Within 10 minutes of it. A task whose time ran out meanwhile is given one more hour.',
    params: id,
    headers: ifMatch,
    response: { 200: oneWritten, ...errors(400, 404, 412) },
  }),
  changeMany: taskRoute('PATCH', '/tasks', 'write', {
    answersMuch: true,
    operationId: 'changeTasks',
    summary: 'Change up to 500 tasks',
    description:
      'Each as it says. Validated as a whole: one bad change refuses all, and `details` names its index. `changed` names all that ' +
      'are as wished now; `tasks` are the first of them, as many as 1 MiB holds. Sending it again changes nothing.',
    body: Type.Object({
      // Inline: a validator resolves no references, and a body must be checked whole.
      tasks: Type.Array(ChangeTask, { minItems: 1, maxItems: MAX_BATCH_ITEMS }),
    }),
    response: {
      200: Type.Object({
        success,
        changed: Type.Array(Type.String()),
        notFound: Type.Array(Type.String()),
        tasks: Type.Array(written),
      }),
      ...errors(400, 413, 415),
    },
  }),
  acknowledgeMany: taskRoute('POST', '/tasks/acknowledge', 'write', {
    operationId: 'acknowledgeTasks',
    summary: 'Acknowledge up to 500 tasks',
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
  }),
  resolve: taskRoute('POST', '/tasks/resolve', 'write', {
    operationId: 'resolveTasks',
    summary: 'Acknowledge what is over, by dedupe keys',
    description:
      'For senders: acknowledges the live tasks with these dedupe keys. A key that no live task has is no error.',
    body: Type.Object({
      dedupeKeys: Type.Array(Type.String({ minLength: 1, maxLength: MAX_KEY_CHARACTERS }), {
        minItems: 1,
        maxItems: MAX_BATCH_ITEMS,
      }),
    }),
    response: {
      200: Type.Object({
        success,
        resolved: Type.Integer({ description: 'How many tasks it acknowledged.' }),
      }),
      ...errors(400, 413, 415),
    },
  }),
  restoreMany: taskRoute('POST', '/tasks/restore', 'write', {
    answersMuch: true,
    operationId: 'restoreTasks',
    summary: 'Undo up to 500 acknowledgements',
    description: '`restored` names all that are back; `tasks` are the first of them, as many as 1 MiB holds.',
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
  }),
};
