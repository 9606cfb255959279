// The commands for everybody with a key: push a task, read the queue, acknowledge, watch it live.
import { WebSocket } from 'ws';
import {
  API_BASE,
  LIVE_CLOSE,
  LIVE_PROTOCOL,
  type AnswerOf,
  type LiveMessage,
  type Routes,
  type Task,
  type TaskReceipt,
} from '#core/contract/index.ts';
import { listOption, textOption, UsageError, type Command, type Output } from '../command.ts';
import { call, readLogin, saveLogin, type Login } from '../remote.ts';

const json = { json: { type: 'boolean' } } as const;
const MARK = { high: '▲', normal: '●', low: '▽' } as const;
const MAX_PAGE = 1000;
const MAX_BACKOFF_MS = 30_000;

const login: Command = {
  name: 'login',
  usage: '--key qi_… [--url http://localhost:3000]',
  summary: 'keep a server address and key for the commands below',
  options: { key: { type: 'string' }, url: { type: 'string' } },
  async run(words, output) {
    const key = textOption(words, 'key')?.trim() ?? process.env['QINBOX_KEY'];
    if (key === undefined || key === '') throw new UsageError('Give the key: qinbox login --key qi_…');
    const url = (textOption(words, 'url') ?? 'http://localhost:3000').replace(/\/+$/, '');
    await call({ url, key }, 'GET', '/auth/profile');
    output.print(`Logged in to ${url}. Kept in ${saveLogin({ url, key })}.`);
  },
};

const add: Command = {
  name: 'add',
  usage: '"text" [-p high|normal|low] [-t tag]… [--minutes N] [--dedupe-key K] [--json]',
  summary: 'push a task (text from standard input when it is -)',
  options: {
    priority: { type: 'string', short: 'p' },
    tag: { type: 'string', short: 't', multiple: true },
    minutes: { type: 'string' },
    'dedupe-key': { type: 'string' },
    ...json,
  },
  async run(words, output) {
    const text = words.positionals.join(' ');
    const content = text === '-' ? await readStandardInput() : text;
    if (content.trim() === '') throw new UsageError(`Usage: qinbox ${add.name} ${add.usage}`);
    const minutes = textOption(words, 'minutes');
    const { task } = await call<{ task: Task | TaskReceipt }>(readLogin(), 'POST', '/tasks', {
      content,
      source: 'api',
      tags: listOption(words, 'tag'),
      // JSON leaves out what is undefined.
      priority: textOption(words, 'priority'),
      expiryMinutes: minutes === undefined ? undefined : Number(minutes),
      dedupeKey: textOption(words, 'dedupe-key'),
    });
    output.print(words.values['json'] === true ? JSON.stringify(task) : task.id);
  },
};

const ls: Command = {
  name: 'ls',
  usage: '[-p high|normal|low] [--json]',
  summary: 'list the queue',
  options: { priority: { type: 'string', short: 'p' }, ...json },
  async run(words, output) {
    const priority = textOption(words, 'priority');
    const { tasks, total } = await fetchQueue(readLogin(), priority === undefined ? {} : { priority });
    if (words.values['json'] === true) return output.print(JSON.stringify(tasks));
    for (const task of tasks) output.print(line(task));
    if (tasks.length === 0) output.note('Queue is empty');
    else if (total > tasks.length) output.note(`Showing ${tasks.length} of ${total} items`);
  },
};

/** Up to {@link MAX_PAGE} tasks, in as many answers as they take. */
async function fetchQueue(
  where: Login,
  filter: Record<string, string>,
): Promise<{ tasks: Task[]; total: number }> {
  // Between two answers the queue may move: a task that slid over is taken once.
  const tasks = new Map<string, Task>();
  for (let offset = 0; ;) {
    const query = new URLSearchParams({
      ...filter,
      limit: String(MAX_PAGE - offset),
      offset: String(offset),
    });
    const page = await call<AnswerOf<Routes['tasks']['list']>>(where, 'GET', `/tasks?${query.toString()}`);
    for (const task of page.tasks) tasks.set(task.id, task);
    const { total, returned } = page.pagination;
    offset += returned;
    if (returned === 0 || offset >= Math.min(total, MAX_PAGE)) return { tasks: [...tasks.values()], total };
  }
}

const ack: Command = {
  name: 'ack',
  usage: 'ID…',
  summary: 'acknowledge tasks',
  async run({ positionals }, output) {
    if (positionals.length === 0) throw new UsageError(`Usage: qinbox ${ack.name} ${ack.usage}`);
    const { acknowledged, notFound } = await call<{ acknowledged: string[]; notFound: string[] }>(
      readLogin(),
      'POST',
      '/tasks/acknowledge',
      { ids: positionals },
    );
    if (acknowledged.length > 0) output.print(acknowledged.join('\n'));
    if (notFound.length > 0) throw new Error(`Not in the queue: ${notFound.join(', ')}`);
  },
};

const watch: Command = {
  name: 'watch',
  usage: '[--json]',
  summary: 'print what happens in the queue, live, until Ctrl-C',
  options: json,
  async run(words, output) {
    const where = readLogin();
    for (let attempt = 0; ; attempt++) {
      const { code, opened } = await follow(where, words.values['json'] === true, output);
      if (code === LIVE_CLOSE.signedOut) throw new Error('The key was revoked.');
      if (opened) attempt = 0;
      const wait = Math.random() * Math.min(MAX_BACKOFF_MS, 1000 * 2 ** attempt);
      output.note(`Connection lost; trying again in ${Math.ceil(wait / 1000)} s.`);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  },
};

function follow(
  { url, key }: Login,
  asJson: boolean,
  output: Output,
): Promise<{ code: number; opened: boolean }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${API_BASE}/live`, [LIVE_PROTOCOL], {
      headers: { 'x-api-key': key },
    });
    let opened = false;
    socket.on('open', () => (opened = true));
    socket.on('unexpected-response', (_request, response) =>
      reject(new Error(`${url} refused the live connection (${response.statusCode}).`)),
    );
    socket.on('error', () => socket.terminate());
    socket.on('close', (code) => resolve({ code, opened }));
    socket.on('message', (data) => {
      const text = (data as Buffer).toString();
      const message = JSON.parse(text) as LiveMessage;
      if (asJson) output.print(text);
      else if (message.type === 'hello') output.note(`Watching ${url}. Ctrl-C ends.`);
      else if (message.type !== 'queue.reset')
        output.print(`${message.type.slice('task.'.length).padEnd(12)} ${line(message.task)}`);
    });
  });
}

function line({ id, priority, content, tags, pinned }: Task): string {
  const text = content.split('\n')[0] ?? '';
  const hashTags = tags.map((tag) => `#${printable(tag)}`);
  return [MARK[priority], id, ...(pinned ? ['(pinned)'] : []), printable(text), ...hashTags].join(' ');
}

// A task's text comes from outside; it must not be able to command the terminal.
function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the control characters are what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\uFFFD');
}

async function readStandardInput(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) text += String(chunk);
  return text;
}

export const remoteCommands: Command[] = [login, add, ls, ack, watch];
