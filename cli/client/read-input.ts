// Reads what is typed or piped in: a secret without showing it, or all of standard input.
import { CommandError, EXIT_REFUSED } from '../command.ts';

const EXIT_INTERRUPTED = 130;
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

/** All of standard input. */
export async function readStandardInput(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) text += String(chunk);
  return text;
}

/** One line that is typed at a terminal and not shown, or the first line of what is piped in. */
export async function readSecret(prompt: string): Promise<string> {
  if (!process.stdin.isTTY) return (await readStandardInput()).split('\n')[0]?.trim() ?? '';
  // Before the prompt: who types at once must not be shown either.
  process.stdin.setRawMode(true);
  process.stderr.write(prompt);
  try {
    return (await readHiddenLine()).trim();
  } finally {
    process.stdin.setRawMode(false);
    process.stdin.pause();
    process.stderr.write('\n');
  }
}

async function readHiddenLine(): Promise<string> {
  let line = '';
  for await (const chunk of process.stdin.setEncoding('utf8').iterator({ destroyOnReturn: false }))
    for (const character of String(chunk)) {
      if (character === CTRL_C) throw new CommandError('Interrupted.', EXIT_INTERRUPTED);
      if (character === '\r' || character === '\n' || character === CTRL_D) return line;
      if (character === '\u007f' || character === '\b') line = line.slice(0, -1);
      else line += character;
    }
  throw new CommandError('Nothing was typed.', EXIT_REFUSED);
}
