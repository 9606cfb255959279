// What travels over the live socket (`GET /api/v1/live`), server to client, one JSON object a message.
import { Type, type Static } from 'typebox';
import { IsoTime } from './common.ts';
import { Task } from './tasks.ts';

/** The WebSocket subprotocol that the server speaks; a browser offers it beside `ticket.<ticket>`. */
export const LIVE_PROTOCOL = 'qinbox.v1';

/** Why the server closed a socket. 1012 and 1013 are RFC 6455's registered codes; 4401 is ours. */
export const LIVE_CLOSE = {
  /** The session was signed out or the key revoked: sign in again. */
  signedOut: 4401,
  /** The server restarts: connect again. */
  restarting: 1012,
  /** The client did not read fast enough: connect again and fetch the list. */
  tooSlow: 1013,
} as const;

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
