// A real terminal for the commands: a pseudo-terminal of the system, and of what is drawn on it the screen as
// a person would see it.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import headless from '@xterm/headless';
import { waitFor } from '#test/program/wait.ts';

const RELAY = join(import.meta.dirname, 'terminal.py');

export interface Terminal {
  type: (keys: string) => void;
  resize: (columns: number, rows: number) => void;
  /** Everything drawn so far, as it came. */
  raw: () => string;
  /** The lines that are seen now, without spaces at their ends. */
  screen: () => string[];
  /** Resolves with the screen when it has this text. */
  shows: (text: string | RegExp) => Promise<string>;
  /** Resolves with the exit code; a signal of the command is 256 less its number. */
  ended: Promise<number | null>;
  /** Closes the terminal, as closing its window would: the command is told by SIGHUP. */
  kill: () => void;
}

export interface TerminalOptions {
  env: Record<string, string>;
  cwd?: string;
  columns?: number;
  rows?: number;
}

export function openTerminal(
  command: readonly string[],
  { env, cwd, columns = 80, rows = 24 }: TerminalOptions,
): Terminal {
  const relay = spawn('python3', [RELAY, String(columns), String(rows), ...command], {
    env: { TERM: 'xterm-256color', ...env },
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
  });
  const [input, output, , sizes] = relay.stdio as unknown as [Writable, Readable, null, Writable];
  const emulator = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });
  let drawn = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    drawn += text;
    emulator.write(text);
  });
  input.on('error', () => undefined);
  sizes.on('error', () => undefined);
  const screen = () => {
    const { active } = emulator.buffer;
    return Array.from({ length: emulator.rows }, (_, row) =>
      (active.getLine(active.baseY + row)?.translateToString(true) ?? '').trimEnd(),
    );
  };
  const has = (text: string | RegExp) => {
    const seen = screen().join('\n');
    return typeof text === 'string' ? seen.includes(text) : text.test(seen);
  };
  return {
    type: (keys) => void input.write(keys),
    resize: (newColumns, newRows) => {
      emulator.resize(newColumns, newRows);
      sizes.write(`${newColumns} ${newRows}\n`);
    },
    raw: () => drawn,
    screen,
    shows: async (text) => {
      await waitFor(`${String(text)} on the screen`, () => has(text), 30_000).catch((error: Error) => {
        throw new Error(`${error.message}; it shows:\n${screen().join('\n').trimEnd()}`);
      });
      return screen().join('\n');
    },
    ended: new Promise((done) => relay.on('close', done)),
    kill: () => void relay.kill('SIGKILL'),
  };
}
