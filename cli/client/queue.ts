// Reads the queue, and finds the tasks that ids stand for, whole or shortened.
import type { AnswerOf, Routes, Task } from '#core/contract/index.ts';
import { MAX_PAGE_LIMIT } from '#core/contract/limits.ts';
import { CommandError, EXIT_REFUSED, UsageError } from '../command.ts';
import { call } from './call.ts';
import type { Login } from './login-file.ts';

const WHOLE_ID = /^task_[0-9A-Za-z]{22}$/;
const MIN_SHORT_CHARACTERS = 4;

/** Up to `limit` tasks, in as many answers as they take; rejects with its reason when `ending` is aborted. */
export async function fetchQueue(
  login: Login,
  filters: readonly (readonly [name: string, value: string])[] = [],
  limit = MAX_PAGE_LIMIT,
  ending?: AbortSignal,
): Promise<{ tasks: Task[]; total: number }> {
  // Between two answers the queue may move: a task that slid over is taken once.
  const tasks = new Map<string, Task>();
  for (let offset = 0; ;) {
    const query = new URLSearchParams(filters.map(([name, value]): [string, string] => [name, value]));
    query.set('limit', String(limit - offset));
    query.set('offset', String(offset));
    const path = `/tasks?${query.toString()}`;
    const request = { method: 'GET', path, ...(ending && { ending }) } as const;
    const page = await call<AnswerOf<Routes['tasks']['list']>>(login, request);
    for (const task of page.tasks) tasks.set(task.id, task);
    const { total, returned } = page.pagination;
    offset += returned;
    if (returned === 0 || offset >= Math.min(total, limit)) return { tasks: [...tasks.values()], total };
  }
}

/** Whole ids of the tasks that these stand for. Reads the queue, snoozed tasks as well, only when needed. */
export async function wholeIds(login: Login, given: readonly string[]): Promise<string[]> {
  if (given.every((id) => WHOLE_ID.test(id))) return [...given];
  const listed = await fetchQueue(login);
  const snoozed = await fetchQueue(login, [['snoozed', 'true']]);
  const ids = [...listed.tasks, ...snoozed.tasks].map(({ id }) => id);
  return given.map((part) => matchId(part, ids));
}

/** The only id that begins or ends so; throws when there is none or more than one. */
export function matchId(part: string, ids: readonly string[]): string {
  if (WHOLE_ID.test(part)) return part;
  if (part.length < MIN_SHORT_CHARACTERS)
    throw new UsageError(
      `"${part}" is too short for an id: give ${MIN_SHORT_CHARACTERS} characters at least.`,
    );
  const found = [...new Set(ids)].filter(
    (id) => id.endsWith(part) || id.startsWith(part) || id.startsWith(`task_${part}`),
  );
  const [only, ...others] = found;
  if (only === undefined)
    throw new CommandError(`No task in the queue has an id with "${part}". See: qinbox ls`, EXIT_REFUSED);
  if (others.length > 0)
    throw new CommandError(
      `${found.length} tasks have an id with "${part}": give more of it. See: qinbox ls`,
      EXIT_REFUSED,
    );
  return only;
}
