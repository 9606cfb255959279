// What travels over the live socket (`GET /api/v1/live`), server to client, one JSON object a message.
import { Type, type Static } from 'typebox';
import { IsoTime } from './common.ts';
import { Task } from './tasks.ts';

/** What became of the task that a message carries. */
export const TaskEventType = Type.Union([
  Type.Literal('task.created'),
  Type.Literal('task.updated'),
  Type.Literal('task.acknowledged'),
  Type.Literal('task.restored'),
  Type.Literal('task.expired'),
]);
export type TaskEventType = Static<typeof TaskEventType>;

export const LiveMessage = Type.Union([
  Type.Object({ type: Type.Literal('hello'), serverTime: IsoTime }),
  Type.Object({ type: TaskEventType, task: Task, version: Type.Integer() }),
  Type.Object({ type: Type.Literal('queue.reset') }),
]);
/** `hello` comes first; `queue.reset` says "you may have missed some, fetch the list". */
export type LiveMessage = Static<typeof LiveMessage>;
