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

  return {
    async list(filter, limit, signal) {
      const first = await fetchPage(filter, Math.min(limit, LARGEST_PAGE), 0, signal);
      const wanted = Math.min(limit, first.pagination.total);
      if (wanted <= LARGEST_PAGE) return first;
      const offsets: number[] = [];
      for (let offset = LARGEST_PAGE; offset < wanted; offset += LARGEST_PAGE) offsets.push(offset);
      const rest = await Promise.all(
        offsets.map((offset) => fetchPage(filter, Math.min(LARGEST_PAGE, wanted - offset), offset, signal)),
      );
      // Between two pages the queue may have moved: a task that slid over is taken once.
      const tasks = new Map(
        [first, ...rest].flatMap((page) => page.tasks.map((task) => [task.id, task] as const)),
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
        const { tasks } = await api('POST /tasks/restore', { body: { ids: batch } });
        restored.push(...(await Promise.all(tasks.map(whole))));
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
