// What the calls on tasks answer. A caller without the scope `read` learns of a task what it sent itself, else a receipt: a dedupe
// key can be guessed, and a write must not be a way to read.
import type { FastifyRequest } from 'fastify';
import type { Task as TaskBody, TaskReceipt } from '#core/contract/index.ts';
import { createByteBudget } from '#core/domain/page.ts';
import type { Task } from '#core/domain/task.ts';
import type { TaskOutcome } from '#core/domain/submission-outcome.ts';
import { mayRead } from '#core/services/principal.ts';
import { signedIn } from './plugins/caller.ts';
import { presentReceipt, presentTask } from './present.ts';

/** A task that the caller changed. */
export function presentChanged(request: FastifyRequest, task: Task): TaskBody | TaskReceipt {
  return mayRead(signedIn(request)) ? presentTask(task) : presentReceipt(task);
}

/**
 * What became of a task that the caller sent. Version 1 is what the caller said and nothing else: a retry after a crash may find
 * the task that it made, with what its owner has written into it since.
 */
export function presentMade(request: FastifyRequest, { task, created }: TaskOutcome): TaskBody | TaskReceipt {
  return created && task.version === 1 ? presentTask(task) : presentChanged(request, task);
}

/** The first items as JSON, as many as one answer holds, with commas between them. */
export function fittingJson<T>(
  items: readonly T[],
  jsonOf: (item: T) => string,
  maxBytes?: number,
): { json: string; count: number } {
  const filling = createByteBudget(maxBytes);
  const texts: string[] = [];
  for (const item of items) {
    const text = jsonOf(item);
    if (!filling.takes(Buffer.byteLength(text))) break;
    texts.push(text);
  }
  return { json: texts.join(','), count: texts.length };
}
