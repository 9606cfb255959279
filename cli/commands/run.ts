// `qinbox run`: runs a command as it would run alone, and makes a task when it fails, which it closes when it
// succeeds again. Its exit code passes on, whatever becomes of the task.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { AnswerOf, Routes, Task, TaskReceipt } from '#core/contract/index.ts';
import { call } from '../client/call.ts';
import { execute, type Execution } from '../client/execute.ts';
import { readLogin, type Login } from '../client/login-file.ts';
import { taskOptions } from '../client/options.ts';
import { commandKey, reportText } from '../client/run-report.ts';
import { readMinutes } from '../client/when.ts';
import {
  hasOption,
  listOption,
  textOption,
  UsageError,
  usageOf,
  type Command,
  type Output,
  type Words,
} from '../command.ts';

type TaskFields = ReturnType<typeof readFields>;

/** What was told to the server. */
interface Told {
  task: string | null;
  resolved: number;
}

export const run: Command = {
  name: 'run',
  usage: '[options] -- COMMAND [ARGUMENT…]',
  summary: 'run a command, and make a task only when it fails',
  details:
    'Its streams and its exit code pass on. The task says exit code, duration and its last 20 lines; a repeat raises its count, and the next run that succeeds closes it. A command is the same by its words, its folder and the machine, or by --key. When the server cannot be reached, a line on standard error says that no task was made.',
  examples: [
    ['qinbox run -- backup.sh --full', 'a task when the backup fails'],
    ['qinbox run --name "nightly backup" -p high -- backup.sh --token x', 'says no argument'],
  ],
  options: {
    ...taskOptions,
    key: { type: 'string', value: 'KEY', help: 'dedupe key, instead of one made of the command' },
    name: { type: 'string', value: 'NAME', help: 'what the task calls it, instead of the command line' },
    always: { type: 'boolean', help: 'a task also when it succeeds' },
    json: { type: 'boolean', help: 'what became of it, in JSON on standard error' },
  },
  words: 'command',
  passesOutput: true,
  async run(words, output) {
    if ((words.positionals[0] ?? '') === '') throw new UsageError(usageOf(run));
    const fields = readFields(words);
    const execution = await execute(words.positionals);
    process.exitCode = execution.exitCode;
    const told = await tell(fields, execution, hasOption(words, 'always'), output);
    if (hasOption(words, 'json')) {
      const { exitCode, signal, durationMs } = execution;
      output.note(JSON.stringify({ exitCode, signal, durationMs: Math.round(durationMs), ...told }));
    }
  },
};

function readFields(words: Words) {
  const expires = textOption(words, 'expires');
  const command = words.positionals;
  return {
    name: textOption(words, 'name') || command.join(' '),
    expiryMinutes: expires === undefined ? undefined : readMinutes(expires, '--expires'),
    tags: listOption(words, 'tag'),
    source: textOption(words, 'source') ?? 'run',
    priority: textOption(words, 'priority'),
    dedupeKey: textOption(words, 'key') || commandKey(hostname(), process.cwd(), command),
    pinned: hasOption(words, 'pin') ? true : undefined,
  };
}

async function tell(
  fields: TaskFields,
  execution: Execution,
  always: boolean,
  output: Output,
): Promise<Told> {
  const isOver = execution.exitCode === 0;
  let login: Login;
  let resolved = 0;
  try {
    login = readLogin();
    if (isOver) resolved = await resolve(login, fields.dedupeKey);
  } catch (error) {
    const what = isOver ? 'an earlier task of it may still be open' : 'no task was made';
    output.note(`qinbox: ${what}: ${(error as Error).message}`);
    return { task: null, resolved };
  }
  if (isOver && !always) return { task: null, resolved };
  return { task: await report(login, fields, execution, output), resolved };
}

async function resolve(login: Login, dedupeKey: string): Promise<number> {
  const body = { dedupeKeys: [dedupeKey] };
  const request = { method: 'POST', path: '/tasks/resolve', body, mayRepeat: true } as const;
  return (await call<AnswerOf<Routes['tasks']['resolve']>>(login, request)).resolved;
}

/** Makes the task, or repeats it and has it say the latest; its id, or null. */
async function report(
  login: Login,
  { name, ...fields }: TaskFields,
  execution: Execution,
  output: Output,
): Promise<string | null> {
  const content = reportText(name, execution);
  const { exitCode, signal, durationMs } = execution;
  const metadata = { exitCode, signal, durationMs: Math.round(durationMs), host: hostname() };
  let task: Task | TaskReceipt;
  try {
    const body = { ...fields, content, metadata };
    const request = { method: 'POST', path: '/tasks', body, idempotencyKey: randomUUID() } as const;
    ({ task } = await call<{ task: Task | TaskReceipt }>(login, request));
  } catch (error) {
    output.note(`qinbox: no task was made: ${(error as Error).message}`);
    return null;
  }
  if (task.occurrences > 1) await renew(login, task.id, content, output);
  return task.id;
}

// A repeat leaves the text as it was, which told of the first failure.
async function renew(login: Login, id: string, content: string, output: Output): Promise<void> {
  const path = `/tasks/${encodeURIComponent(id)}`;
  try {
    await call(login, { method: 'PUT', path, body: { content }, mayRepeat: true });
  } catch (error) {
    output.note(`qinbox: the task still tells of an earlier failure: ${(error as Error).message}`);
  }
}
