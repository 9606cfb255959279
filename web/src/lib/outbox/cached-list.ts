// The cached list of an account, for when there is no network: bounded, and updated by answered entries.
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

/** The list after an answer: without acknowledged tasks, with the answered ones. */
export function afterAnswer(list: CachedList, { operation }: Entry, answered: readonly Task[]): CachedList {
  const gone = new Set(operation.kind === 'acknowledge' ? operation.tasks.map(({ id }) => id) : []);
  const known = new Map(answered.map((task) => [task.id, task]));
  const left = list.tasks.filter(({ id }) => !gone.has(id) && !known.has(id));
  const tasks = [...known.values(), ...left];
  const total = Math.max(tasks.length, list.pagination.total + tasks.length - list.tasks.length);
  return { ...list, tasks, pagination: { ...list.pagination, total, returned: tasks.length } };
}

/** Failures of the store are ignored: then there is no list later. */
export function createCachedLists(database: Database | null) {
  return {
    save: async (list: CachedList) => attempt(database?.writeList(bounded(list))),
    read: async (owner: string) => (await attempt(database?.readList(owner))) ?? null,
    answered: async (entry: Entry, tasks: readonly Task[]) =>
      attempt(database?.changeList(entry.owner, (list) => afterAnswer(list, entry, tasks))),
    deleteExcept: async (owner: string | null) => attempt(database?.deleteListsExcept(owner)),
  };
}

async function attempt<T>(work: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await work;
  } catch {
    // Full or denied; the outbox shows that.
    return undefined;
  }
}
