// What happened to a task, as the write that did it says.
import type { WebhookEvent } from '../contract/index.ts';
import type { Task } from './task.ts';

export interface TaskEvent {
  readonly type: WebhookEvent;
  /** The task before; null when it is new. */
  readonly before: Task | null;
  /** The task after, as it was when it expired. */
  readonly task: Task;
  /** In milliseconds. */
  readonly at: number;
}
