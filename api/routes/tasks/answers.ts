// What the calls on tasks answer. A caller without the scope `read` gets what it sent itself, otherwise a
// receipt: a dedupe key can be guessed, and a write must not be a way to read.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { signedIn } from '#api/plugins/caller.ts';
import { presentReceipt, presentTask } from '#api/present/tasks.ts';
import { isoTime } from '#api/present/time.ts';
import { UNDO_WINDOW_MS, type Task as TaskBody, type TaskReceipt } from '#core/contract/index.ts';
import { createByteBudget } from '#core/domain/page.ts';
import type { TaskOutcome } from '#core/domain/submission-outcome.ts';
import type { Checked } from '#core/domain/task-input.ts';
import type { Task } from '#core/domain/task.ts';
import { invalid } from '#core/errors.ts';
import { mayRead } from '#core/services/principal.ts';

/** A task that the caller changed. */
export function presentChanged(request: FastifyRequest, task: Task): TaskBody | TaskReceipt {
  return mayRead(signedIn(request)) ? presentTask(task) : presentReceipt(task);
}

/**
 * A task that the caller sent. Only version 1 has nothing but what the caller sent: a retry after a crash may
 * find the task with later changes of its owner.
 */
export function presentCreated(
  request: FastifyRequest,
  { task, created }: TaskOutcome,
): TaskBody | TaskReceipt {
  return created && task.version === 1 ? presentTask(task) : presentChanged(request, task);
}

/** As many of the first items as one answer holds, as JSON with commas between them. */
export function firstAsJson<T>(
  items: readonly T[],
  jsonOf: (item: T) => string,
  maxBytes?: number,
): { json: string; count: number } {
  const budget = createByteBudget(maxBytes);
  const texts: string[] = [];
  for (const item of items) {
    const text = jsonOf(item);
    if (!budget.takes(Buffer.byteLength(text))) break;
    texts.push(text);
  }
  return { json: texts.join(','), count: texts.length };
}

/** Sends text that is JSON already: of tasks whose size had to be known, or whose text is cached. */
export function sendJson(reply: FastifyReply, json: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json);
}

export function restorableUntil({ acknowledgedAt, updatedAt }: Task): string {
  return isoTime((acknowledgedAt ?? updatedAt) + UNDO_WINDOW_MS);
}

/** The value, or a refusal that names the fields. */
export function checked<T>(result: Checked<T>): T {
  if (!result.ok) throw invalid(result.details);
  return result.value;
}
