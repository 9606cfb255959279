// Caches the tasks that were read last, by version, so that an unchanged queue is not parsed again.
import { LRUCache } from 'lru-cache';
import type { Task } from '#core/domain/task.ts';

const MAX_BYTES = 8 * 1024 * 1024;
/** The size of a task without its texts. */
const BASE_BYTES = 600;
const BYTES_PER_CHARACTER = 2;

export type TaskCache = ReturnType<typeof createTaskCache>;

export function createTaskCache(maxBytes = MAX_BYTES) {
  const tasks = new LRUCache<string, Task>({ maxSize: maxBytes });
  return {
    /** The owner's task, if it is cached in exactly this version: two owners may have tasks of one id. */
    get(ownerId: string, id: string, version: number): Task | undefined {
      const task = tasks.get(id);
      return task?.version === version && task.ownerId === ownerId ? task : undefined;
    },
    /** Adds the task, whose texts have so many characters; answers it. */
    add(task: Task, characters: number): Task {
      tasks.set(task.id, task, { size: BASE_BYTES + BYTES_PER_CHARACTER * characters });
      return task;
    },
    /** Forgets a task that is stored anew, perhaps in a version that was there before. */
    forget(id: string): void {
      tasks.delete(id);
    },
  };
}
