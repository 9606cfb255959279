// The commands on tasks for everybody with a key: make one, list the queue, acknowledge, pin, snooze.
import { randomUUID } from 'node:crypto';
import type { AnswerOf, Routes, Task, TaskReceipt } from '#core/contract/index.ts';
import { MAX_BATCH_ITEMS, MAX_PAGE_LIMIT } from '#core/contract/limits.ts';
import { isBlank } from '#core/domain/blank.ts';
import { call } from '../client/call.ts';
import { readLogin } from '../client/login-file.ts';
import { jsonOption, priorityOption, tagOption, taskOptions } from '../client/options.ts';
import { fetchQueue, wholeIds } from '../client/queue.ts';
import { readStandardInput } from '../client/read-input.ts';
import { paintOutput, taskLine, taskRows } from '../client/rows.ts';
import { readMinutes, readWhen, timeText } from '../client/when.ts';
import {
  CommandError,
  EXIT_REFUSED,
  hasOption,
  listOption,
  textOption,
  UsageError,
  usageOf,
  type Command,
} from '../command.ts';

/** Of a terminal that does not say. */
const COLUMNS = 80;

type Answers = { [K in keyof Routes['tasks']]: AnswerOf<Routes['tasks'][K]> };

const add: Command = {
  name: 'add',
  usage: '[TEXT…] [options]',
  summary: 'make a task, and print its id',
  details: 'Without a text, or with -, the text is standard input.',
  examples: [
    ['qinbox add backup failed -p high -t nas', 'an urgent task with a tag'],
    ['df -h / | qinbox add --expires 2h', 'what another command printed'],
  ],
  options: { ...taskOptions, ...jsonOption },
  async run(words, output) {
    const text = words.positionals.join(' ');
    const expires = textOption(words, 'expires');
    const expiryMinutes = expires === undefined ? undefined : readMinutes(expires, '--expires');
    const login = readLogin();
    const content = text === '' || text === '-' ? await readStandardInput() : text;
    if (isBlank(content)) throw new UsageError(`There is no text.\n${usageOf(add)}`);
    const { task } = await call<{ task: Task | TaskReceipt }>(login, {
      method: 'POST',
      path: '/tasks',
      idempotencyKey: randomUUID(),
      // JSON leaves out what is undefined.
      body: {
        content,
        expiryMinutes,
        tags: listOption(words, 'tag'),
        source: textOption(words, 'source'),
        priority: textOption(words, 'priority'),
        dedupeKey: textOption(words, 'key'),
        pinned: hasOption(words, 'pin') ? true : undefined,
      },
    });
    output.print(hasOption(words, 'json') ? JSON.stringify(task) : task.id);
  },
};

const ls: Command = {
  name: 'ls',
  usage: '[options]',
  summary: 'list the queue',
  details:
    'On a terminal, lines are fitted to its width and ids are shortened; elsewhere they are whole. Both forms may be given to the commands below.',
  options: {
    ...priorityOption,
    ...tagOption,
    source: { type: 'string', value: 'NAME', help: 'only from there' },
    search: { type: 'string', short: 's', value: 'TEXT', help: 'only what has this text' },
    snoozed: { type: 'boolean', help: 'what is hidden until later, instead' },
    limit: { type: 'string', short: 'n', value: 'N', help: `at most so many (${MAX_PAGE_LIMIT})` },
    ...jsonOption,
  },
  async run(words, output) {
    const limit = Number(textOption(words, 'limit') ?? MAX_PAGE_LIMIT);
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_LIMIT)
      throw new UsageError(`--limit must be a whole number from 1 to ${MAX_PAGE_LIMIT}.`);
    const filters: [string, string | undefined][] = [
      ['priority', textOption(words, 'priority')],
      ['source', textOption(words, 'source')],
      ['q', textOption(words, 'search')],
      ['snoozed', hasOption(words, 'snoozed') ? 'true' : undefined],
      ...listOption(words, 'tag').map((tag): [string, string] => ['tag', tag]),
    ];
    const given = filters.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
    const { tasks, total } = await fetchQueue(readLogin(), given, limit);
    if (hasOption(words, 'json')) return output.print(JSON.stringify(tasks));
    for (const line of linesOf(tasks)) output.draw(line);
    if (tasks.length === 0) output.note(given.length === 0 ? 'Queue is empty' : 'No task is like that');
    else if (total > tasks.length) output.note(`Showing ${tasks.length} of ${total} items`);
  },
};

function linesOf(tasks: readonly Task[]): string[] {
  const { isTTY, columns } = process.stdout;
  // A serial line says that it has none.
  const width = columns > 0 ? columns : COLUMNS;
  return isTTY ? taskRows(tasks, width, Date.now(), paintOutput) : tasks.map(taskLine);
}

const ID_DETAILS =
  'An id may be shortened to a beginning or an ending that only one task of the queue has, of 4 characters at least.';

const ack: Command = {
  name: 'ack',
  words: 'tasks',
  usage: 'ID… [--json]',
  summary: 'acknowledge tasks',
  details: ID_DETAILS,
  options: jsonOption,
  async run(words, output) {
    const login = readLogin();
    const ids = await idsOf(ack, words.positionals, login);
    const answer = await call<Answers['acknowledgeMany']>(login, {
      method: 'POST',
      path: '/tasks/acknowledge',
      body: { ids },
    });
    const { acknowledged, notFound } = answer;
    if (hasOption(words, 'json')) output.print(JSON.stringify({ acknowledged, notFound }));
    else if (acknowledged.length > 0) output.print(acknowledged.join('\n'));
    failWhenMissing(notFound);
  },
};

const pin: Command = {
  name: 'pin',
  words: 'tasks',
  usage: 'ID… [--undo] [--json]',
  summary: 'let tasks stay beyond their time',
  details: ID_DETAILS,
  options: { undo: { type: 'boolean', help: 'unpin them' }, ...jsonOption },
  async run(words, output) {
    const login = readLogin();
    const ids = await idsOf(pin, words.positionals, login);
    const pinned = !hasOption(words, 'undo');
    const { changed, notFound } = await call<Answers['changeMany']>(login, {
      method: 'PATCH',
      path: '/tasks',
      body: { tasks: ids.map((id) => ({ id, pinned })) },
    });
    if (hasOption(words, 'json')) output.print(JSON.stringify({ changed, notFound }));
    else if (changed.length > 0) output.print(changed.join('\n'));
    failWhenMissing(notFound);
  },
};

const snooze: Command = {
  name: 'snooze',
  words: 'task',
  usage: 'ID FOR [--json] · ID --undo',
  summary: 'hide a task for a while, or wake it',
  details: `FOR is a time such as 30m, 2h or 1d, or a time to come such as "tomorrow 08:00"; at most 7 days. ${ID_DETAILS}`,
  examples: [['qinbox snooze k2Pq81Zs tomorrow 08:00', 'hides it until the morning']],
  options: { undo: { type: 'boolean', help: 'wake it' }, ...jsonOption },
  async run(words, output) {
    const [given, ...when] = words.positionals;
    const wakes = hasOption(words, 'undo');
    if (given === undefined || wakes === when.length > 0) throw new UsageError(usageOf(snooze));
    const body = wakes ? { until: null } : await readWhen(when.join(' '), new Date());
    const login = readLogin();
    const [id = ''] = await wholeIds(login, [given]);
    const path = `/tasks/${encodeURIComponent(id)}/snooze`;
    const { task } = await call<Answers['snooze']>(login, { method: 'POST', path, body });
    const until = 'snoozedUntil' in task && !wakes ? task.snoozedUntil : null;
    if (hasOption(words, 'json')) return output.print(JSON.stringify(task));
    output.print(task.id);
    if (until !== null) output.note(`Hidden until ${timeText(until)}.`);
  },
};

/** Whole ids of what was given, each once; throws {@link UsageError} when nothing was. */
async function idsOf(
  command: Command,
  given: readonly string[],
  login: ReturnType<typeof readLogin>,
): Promise<string[]> {
  if (given.length === 0) throw new UsageError(usageOf(command));
  if (given.length > MAX_BATCH_ITEMS) throw new UsageError(`Give at most ${MAX_BATCH_ITEMS} ids at once.`);
  return [...new Set(await wholeIds(login, given))];
}

function failWhenMissing(notFound: readonly string[]): void {
  if (notFound.length > 0)
    throw new CommandError(`Not in the queue: ${notFound.join(', ')}. See: qinbox ls`, EXIT_REFUSED);
}

export const taskCommands: Command[] = [add, ls, ack, pin, snooze];
