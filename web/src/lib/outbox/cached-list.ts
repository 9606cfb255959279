// The list that was seen last, so that it opens without a network: kept small, and kept right when an entry is answered.
import type { Task } from '#core/contract/index.ts';
import type { Database, CachedList } from './database.ts';
import type { Entry } from './entry.ts';

const MOST_TASKS = 200;
const MOST_CHARACTERS = 1024 * 1024;

/** As many of the first tasks as are worth keeping. */
export function bounded(list: CachedList): CachedList {
  let room = MOST_CHARACTERS;
  const tasks: Task[] = [];
  for (const task of list.tasks.slice(0, MOST_TASKS)) {
    room -= JSON.stringify(task).length;
    if (room < 0) break;
    tasks.push(task);
  }
  return { ...list, tasks };
}

/** The list after an entry was answered: without what is gone, with what the server said of the others. */
export function afterAnswer(list: CachedList, { operation }: Entry, answered: readonly Task[]): CachedList {
  const gone = new Set(operation.kind === 'acknowledge' ? operation.tasks.map(({ id }) => id) : []);
  const known = new Map(answered.map((task) => [task.id, task]));
  const left = list.tasks.filter(({ id }) => !gone.has(id) && !known.has(id));
  const tasks = [...known.values(), ...left];
  const total = Math.max(tasks.length, list.pagination.total + tasks.length - list.tasks.length);
  return { ...list, tasks, pagination: { ...list.pagination, total, returned: tasks.length } };
}

export interface CachedLists {
  save(list: CachedList): Promise<void>;
  read(owner: string): Promise<CachedList | null>;
  answered(entry: Entry, tasks: readonly Task[]): Promise<void>;
  deleteExcept(owner: string | null): Promise<void>;
}

/** A list that cannot be kept is simply not there later. */
export function createCachedLists(database: Database | null): CachedLists {
  return {
    save: async (list) => attempt(database?.writeList(bounded(list))),
    read: async (owner) => (await attempt(database?.readList(owner))) ?? null,
    answered: async (entry, tasks) =>
      attempt(database?.changeList(entry.owner, (list) => afterAnswer(list, entry, tasks))),
    deleteExcept: async (owner) => attempt(database?.deleteListsExcept(owner)),
  };
}

async function attempt<T>(work: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await work;
  } catch {
    // Full or denied; the outbox tells of that.
    return undefined;
  }
}
