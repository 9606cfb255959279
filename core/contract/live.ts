// What travels over the live socket (`GET /api/v1/live`), server to client, one JSON object a message.
import { Type, type Static } from 'typebox';
import { IsoTime, oneOf, refTo, shape } from './common.ts';
import { Task } from './tasks.ts';

/** What became of the task that a message carries. */
export const TaskEventType = oneOf([
  'task.created',
  'task.updated',
  'task.acknowledged',
  'task.restored',
  'task.expired',
]);
export type TaskEventType = Static<typeof TaskEventType>;

const LiveHello = shape('LiveHello', { type: Type.Literal('hello'), serverTime: IsoTime });
const LiveTaskEvent = shape('LiveTaskEvent', {
  type: TaskEventType,
  task: refTo(Task),
  version: Type.Integer({ minimum: 1, description: 'That of the task.' }),
});
const LiveReset = shape('LiveReset', { type: Type.Literal('queue.reset') });

export const LiveMessage = Type.Union([refTo(LiveHello), refTo(LiveTaskEvent), refTo(LiveReset)], {
  $id: 'LiveMessage',
  description:
    'One message of the live socket. `hello` comes first; `queue.reset` says: you may have missed some, fetch the list.',
});
export type LiveMessage = Static<typeof LiveMessage>;
