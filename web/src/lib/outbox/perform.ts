// Sends an entry to the server. Each is done once however often it is sent: a creation by its
// Idempotency-Key, an extension by the end that was shown; the others are idempotent.
import type { Task, TaskReceipt } from '#core/contract/index.ts';
import { MAX_BATCH_ITEMS } from '#core/contract/limits.ts';
import { isGone, unlessGone } from '../api/api-error.ts';
import type { Api, CallExtras } from '../api/calls.ts';
import type { Entry, TaskChange, TaskFields } from './entry.ts';

/**
 * Resolves with the tasks of the answer. `isSignedIn`: whether the credentials are this account's. `now`: the
 * time by the server's clock, in milliseconds.
 */
export function createPerform(api: Api, isSignedIn: (owner: string) => boolean, now: () => number) {
  return async ({ id: key, owner, operation, attempts }: Entry): Promise<readonly Task[]> => {
    const extras: CallExtras = { onlyWhile: () => isSignedIn(owner) };
    const on = ({ task }: { task: Task }) => ({ ...extras, params: { id: task.id } });
    switch (operation.kind) {
      case 'acknowledge':
        await acknowledge(api, idsOf(operation.tasks), extras);
        return [];
      case 'restore':
        return restore(api, idsOf(operation.tasks), attempts > 1, extras);
      case 'create':
        return whole(await api('POST /tasks', { ...extras, body: operation.input, idempotencyKey: key }));
      case 'edit':
        return whole(await api('PUT /tasks/:id', { ...on(operation), body: operation.changes }));
      case 'pin': {
        const { pinned } = operation;
        return whole(await api('PATCH /tasks/:id/pin', { ...on(operation), body: { pinned } }));
      }
      case 'change':
        return change(api, operation.changes, now(), extras);
      case 'extend': {
        const { minutes, from } = operation;
        return whole(await api('POST /tasks/:id/extend', { ...on(operation), body: { minutes, from } }));
      }
    }
  };
}

async function change(
  api: Api,
  changes: readonly TaskChange[],
  now: number,
  extras: CallExtras,
): Promise<readonly Task[]> {
  const changed: Task[] = [];
  for (const batch of batches(changes)) {
    const tasks = batch.map(({ task, to }) => ({ id: task.id, ...sendable(to, now) }));
    const answer = await api('PATCH /tasks', { ...extras, body: { tasks } });
    changed.push(...readable(answer.tasks));
    const shown = new Set(answer.tasks.map(({ id }) => id));
    for (const id of answer.changed) if (!shown.has(id)) changed.push(...(await read(api, id, extras)));
  }
  return changed;
}

/** A time to sleep until that passed before it could be sent: the task is awake. */
function sendable(to: TaskFields, now: number): TaskFields {
  const { snoozedUntil } = to;
  const isPast = typeof snoozedUntil === 'string' && Date.parse(snoozedUntil) <= now;
  return isPast ? { ...to, snoozedUntil: null } : to;
}

async function acknowledge(api: Api, ids: readonly string[], extras: CallExtras): Promise<void> {
  const [only] = ids;
  if (ids.length > 1) {
    for (const batch of batches(ids))
      await api('POST /tasks/acknowledge', { ...extras, body: { ids: batch } });
  } else if (only !== undefined) {
    // Acknowledged before, or expired: it is gone, as wished.
    await unlessGone(api('DELETE /tasks/:id', { ...extras, params: { id: only } }));
  }
}

async function restore(
  api: Api,
  ids: readonly string[],
  again: boolean,
  extras: CallExtras,
): Promise<readonly Task[]> {
  const [only] = ids;
  const restored: Task[] = [];
  if (ids.length > 1) {
    for (const batch of batches(ids)) {
      const answer = await api('POST /tasks/restore', { ...extras, body: { ids: batch } });
      restored.push(...readable(answer.tasks));
      // The answer has the ids of all restored tasks, and as many tasks as it holds. Tasks of an earlier
      // attempt whose answer was lost are not found.
      const shown = new Set(answer.tasks.map(({ id }) => id));
      const unseen = [...answer.restored.filter((id) => !shown.has(id)), ...(again ? answer.notFound : [])];
      for (const id of unseen) restored.push(...(await read(api, id, extras)));
    }
  } else if (only !== undefined) {
    try {
      return whole(await api('POST /tasks/:id/restore', { ...extras, params: { id: only } }));
    } catch (error) {
      // An attempt whose answer was lost has brought it back, or another tab.
      const back = isGone(error) ? await read(api, only, extras) : [];
      if (back.length === 0) throw error;
      return back;
    }
  }
  return restored;
}

async function read(api: Api, id: string, extras: CallExtras): Promise<readonly Task[]> {
  const answer = await unlessGone(api('GET /tasks/:id', { ...extras, params: { id } }));
  return answer === null ? [] : [answer.task];
}

function whole({ task }: { task: Task | TaskReceipt }): readonly Task[] {
  return readable([task]);
}

// A key without the read scope gets only receipts.
function readable(tasks: readonly (Task | TaskReceipt)[]): readonly Task[] {
  return tasks.filter((task): task is Task => 'content' in task);
}

function idsOf(tasks: readonly Task[]): string[] {
  return tasks.map(({ id }) => id);
}

function batches<T>(items: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let from = 0; from < items.length; from += MAX_BATCH_ITEMS)
    parts.push(items.slice(from, from + MAX_BATCH_ITEMS));
  return parts;
}
