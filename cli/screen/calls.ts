// The calls that the inbox in the terminal makes: as many tasks at once as it likes.
import { randomUUID } from 'node:crypto';
import type { AnswerOf, ChangeTask, Routes, Task, TaskReceipt } from '#core/contract/index.ts';
import { MAX_BATCH_ITEMS } from '#core/contract/limits.ts';
import { parseQuickAdd } from '#core/text/quick-add.ts';
import { call } from '../client/call.ts';
import type { Login } from '../client/login-file.ts';

type Answers = { [K in keyof Routes['tasks']]: AnswerOf<Routes['tasks'][K]> };

export async function acknowledgeTasks(login: Login, ids: readonly string[]): Promise<void> {
  const path = '/tasks/acknowledge';
  await inParts(ids, (part) =>
    call<Answers['acknowledgeMany']>(login, { method: 'POST', path, body: { ids: part }, mayRepeat: true }),
  );
}

/** Answers the tasks that are back; throws when none is. */
export async function restoreTasks(login: Login, ids: readonly string[]): Promise<Task[]> {
  const path = '/tasks/restore';
  const answers = await inParts(ids, (part) =>
    call<Answers['restoreMany']>(login, { method: 'POST', path, body: { ids: part }, mayRepeat: true }),
  );
  if (answers.every(({ restored }) => restored.length === 0))
    throw new Error('They are there already, or were acknowledged more than 10 minutes ago.');
  return answers.flatMap(({ tasks }) => tasks).filter(isTask);
}

/** Answers the tasks as they are now; throws when one is gone. */
export async function changeTasks(login: Login, changes: readonly ChangeTask[]): Promise<Task[]> {
  const answers = await inParts(changes, (tasks) =>
    call<Answers['changeMany']>(login, { method: 'PATCH', path: '/tasks', body: { tasks }, mayRepeat: true }),
  );
  const missing = answers.flatMap(({ notFound }) => notFound);
  if (missing.length > 0) throw new Error(`${missing.length} of them are gone already.`);
  return answers.flatMap(({ tasks }) => tasks).filter(isTask);
}

/** Makes a task of what was typed, with its marks. */
export async function addTask(login: Login, typed: string): Promise<Task | null> {
  const { text, marks } = parseQuickAdd(typed);
  if (text === '') throw new Error('There is no text.');
  const body = {
    content: text,
    tags: marks.flatMap((mark) => (mark.kind === 'tag' ? [mark.tag] : [])),
    priority: marks.find((mark) => mark.kind === 'priority')?.priority,
    expiryMinutes: marks.find((mark) => mark.kind === 'time')?.minutes,
    source: 'manual',
  };
  const request = { method: 'POST', path: '/tasks', body, idempotencyKey: randomUUID() } as const;
  const { task } = await call<{ task: Task | TaskReceipt }>(login, request);
  return isTask(task) ? task : null;
}

function isTask(written: Task | TaskReceipt): written is Task {
  return 'content' in written;
}

/** As many as one call takes, one call after another. */
async function inParts<T, A>(items: readonly T[], send: (part: T[]) => Promise<A>): Promise<A[]> {
  const answers: A[] = [];
  for (let index = 0; index < items.length; index += MAX_BATCH_ITEMS)
    answers.push(await send(items.slice(index, index + MAX_BATCH_ITEMS)));
  return answers;
}
