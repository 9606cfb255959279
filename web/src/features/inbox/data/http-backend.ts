// The tasks of the server.
import type { Task, TaskReceipt } from '#core/contract/index.ts';
import type { Api } from '../../../lib/api/calls.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import type { FetchedPage, Filter } from '../model/page.ts';
import type { TaskBackend } from './backend.ts';

const LARGEST_PAGE = 1000;
const LARGEST_BATCH = 500;

export function createHttpBackend(api: Api): TaskBackend {
  async function fetchPage(
    filter: Filter,
    limit: number,
    offset: number,
    signal: AbortSignal,
  ): Promise<FetchedPage> {
    return api('GET /tasks', {
      signal,
      query: {
        limit,
        offset,
        include_pinned: true,
        ...(filter.priority === null ? {} : { priority: filter.priority }),
        ...(filter.q === '' ? {} : { q: filter.q }),
      },
    });
  }

  /** A key that may not read is told little of a task that it wrote to; asking for it says why. */
  async function whole(task: Task | TaskReceipt): Promise<Task> {
    return 'content' in task ? task : (await api('GET /tasks/:id', { params: { id: task.id } })).task;
  }

  // In as many answers as it takes: one carries fewer tasks than it was asked for when they are large.
  async function fetchStretch(
    filter: Filter,
    from: number,
    to: number,
    signal: AbortSignal,
  ): Promise<readonly Task[]> {
    const found: Task[] = [];
    while (from + found.length < to) {
      const offset = from + found.length;
      const { tasks } = await fetchPage(filter, to - offset, offset, signal);
      if (tasks.length === 0) break;
      found.push(...tasks);
    }
    return found;
  }

  return {
    async list(filter, limit, signal) {
      const first = await fetchPage(filter, Math.min(limit, LARGEST_PAGE), 0, signal);
      const wanted = Math.min(limit, first.pagination.total);
      const stretches: Promise<readonly Task[]>[] = [];
      for (let from = first.tasks.length; from < wanted;) {
        const to = Math.min(wanted, from + LARGEST_PAGE);
        stretches.push(fetchStretch(filter, from, to, signal));
        from = to;
      }
      // Between two answers the queue may have moved: a task that slid over is taken once.
      const tasks = new Map(
        [first.tasks, ...(await Promise.all(stretches))].flat().map((task) => [task.id, task] as const),
      );
      return {
        ...first,
        tasks: [...tasks.values()],
        pagination: { ...first.pagination, limit, returned: tasks.size },
      };
    },
    create: async (input) => {
      const { task } = await api('POST /tasks', { body: input });
      return whole(task);
    },
    edit: async (id, changes) => whole((await api('PUT /tasks/:id', { params: { id }, body: changes })).task),
    pin: async (id, pinned) =>
      whole((await api('PATCH /tasks/:id/pin', { params: { id }, body: { pinned } })).task),
    extend: async (id, minutes) =>
      whole((await api('POST /tasks/:id/extend', { params: { id }, body: { minutes } })).task),
    async acknowledge(ids) {
      const [only] = ids;
      if (ids.length === 1 && only !== undefined) {
        try {
          await api('DELETE /tasks/:id', { params: { id: only } });
        } catch (error) {
          // Acknowledged elsewhere or expired meanwhile: gone, as wished.
          if (!(error instanceof ApiError && error.status === 404)) throw error;
        }
        return;
      }
      for (const batch of batches(ids)) await api('POST /tasks/acknowledge', { body: { ids: batch } });
    },
    async restore(ids) {
      const [only] = ids;
      if (ids.length === 1 && only !== undefined)
        return [await whole((await api('POST /tasks/:id/restore', { params: { id: only } })).task)];
      const restored: Task[] = [];
      for (const batch of batches(ids)) {
        const answer = await api('POST /tasks/restore', { body: { ids: batch } });
        restored.push(...(await Promise.all(answer.tasks.map(whole))));
        // The answer names all that are back, and shows as many as it holds.
        const shown = new Set(answer.tasks.map(({ id }) => id));
        for (const id of answer.restored.filter((each) => !shown.has(each)))
          restored.push((await api('GET /tasks/:id', { params: { id } })).task);
      }
      return restored;
    },
    recentlyAcknowledged: async (signal) => (await api('GET /tasks/acknowledged', { signal })).tasks,
    texts: {
      fetch: 'Failed to fetch tasks',
      create: 'Failed to create task',
      update: 'Failed to update task',
      delete: 'Failed to delete task',
      pin: 'Failed to update pin status',
    },
  };
}

function batches(ids: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (let from = 0; from < ids.length; from += LARGEST_BATCH)
    parts.push(ids.slice(from, from + LARGEST_BATCH));
  return parts;
}
