// Shapes that the calls on tasks share.
import { Type } from 'typebox';
import { refTo, type AnswerHeaders } from './common.ts';
import { Task, TaskReceipt } from './tasks.ts';

export const success = Type.Literal(true);
export const id = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });
export const oneTask = Type.Object({ success, task: refTo(Task) });
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
export const taskTag = ['Tasks'];
