// The server's tasks, over the page's own connection to the API.
import type { Task } from '#core/contract/index.ts';
import { MAX_PAGE_LIMIT } from '#core/contract/limits.ts';
import { api } from '../../../lib/services.ts';
import type { FetchedPage, Filter } from '../model/page.ts';
import type { TaskReader } from './task-reader.ts';

export const httpBackend: TaskReader = {
  async list(filter, limit, signal) {
    const first = await fetchPage(filter, Math.min(limit, MAX_PAGE_LIMIT), 0, signal);
    const wanted = Math.min(limit, first.pagination.total);
    const stretches: Promise<readonly Task[]>[] = [];
    for (let from = first.tasks.length; from < wanted;) {
      const to = Math.min(wanted, from + MAX_PAGE_LIMIT);
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
  recentlyAcknowledged: async (signal) => (await api('GET /tasks/acknowledged', { signal })).tasks,
};

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
      ...(filter.text === '' ? {} : { q: filter.text }),
      ...(filter.tags.length === 0 ? {} : { tag: [...filter.tags] }),
      ...(filter.source === null ? {} : { source: filter.source }),
      ...(filter.intake === null ? {} : { intake: filter.intake }),
      ...(filter.snoozed ? { snoozed: true } : {}),
      ...(filter.order === 'newest' ? {} : { order: filter.order }),
    },
  });
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
