// `qinbox watch`: prints what happens in the queue, live. It connects again by itself, and ends with Ctrl-C.
import type { LiveMessage } from '#core/contract/index.ts';
import { followLive } from '../client/live.ts';
import { readLogin } from '../client/login-file.ts';
import { jsonOption } from '../client/options.ts';
import { printable } from '../client/printable.ts';
import { paintOutput, taskLine } from '../client/rows.ts';
import { hasOption, type Command, type Output } from '../command.ts';

export const watch: Command = {
  name: 'watch',
  usage: '[--json]',
  summary: 'print what happens in the queue, live, until Ctrl-C',
  details:
    'Connects again by itself when the connection is lost; what happened meanwhile is not shown. With --json each line is a message of the live socket.',
  options: jsonOption,
  async run(words, output) {
    const login = readLogin();
    const ending = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
    const asJson = hasOption(words, 'json');
    await followLive(
      login,
      {
        message: (text) =>
          asJson ? output.print(text) : show(JSON.parse(text) as LiveMessage, login.url, output),
        lost: (waitMs, why) => {
          const wait = `${Math.ceil(waitMs / 1000)} s`;
          output.note(
            why === null
              ? `Connection lost; trying again in ${wait}.`
              : `${why.message} Trying again in ${wait}.`,
          );
        },
      },
      ending.signal,
    );
  },
};

function show(message: LiveMessage, url: string, output: Output): void {
  if (message.type === 'hello') return output.note(`Watching ${url}. Ctrl-C ends.`);
  if (message.type === 'queue.reset') return output.note('Some of it may be missing here. See: qinbox ls');
  const event = printable(message.type.slice('task.'.length)).padEnd(12);
  const line = taskLine(message.task);
  output.draw(`${paintOutput('gray', event)} ${line}`);
}
