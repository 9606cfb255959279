// Runs a start command as a person at a terminal would, and times it to the first answer.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { end, plainEnvironment } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';

export interface Started {
  /** From the command to the first answer of /ready. */
  readyMs: number;
  output: () => string;
  /**
   * Ctrl-C: the signal goes to every process of the terminal's group. Resolves with the exit code, or with
   * the signal, which npm passes on.
   */
  interrupt: () => Promise<number | string | null>;
}

/** Runs a command in a folder; resolves when the server answers on this port. */
export async function timeStart(
  command: readonly [string, ...string[]],
  folder: string,
  env: Record<string, string> & { PORT: string },
  limitMs: number,
): Promise<Started> {
  const from = performance.now();
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: folder,
    env: plainEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const output = () => Buffer.concat(chunks).toString();
  const killGroup = () => process.kill(-(child.pid ?? process.pid), 'SIGKILL');
  process.once('exit', killGroup);
  child.once('exit', () => process.off('exit', killGroup));
  try {
    await waitFor(
      `${command.join(' ')} to serve`,
      async () => {
        if (child.exitCode !== null)
          throw new Error(`${command.join(' ')} ended with ${child.exitCode}:\n${output()}`);
        return (await fetch(`http://127.0.0.1:${env.PORT}/ready`).catch(() => null))?.ok === true;
      },
      limitMs,
    );
  } catch (error) {
    await end(child, 'SIGKILL', -(child.pid ?? 0));
    throw error;
  }
  const readyMs = performance.now() - from;
  return {
    readyMs,
    output,
    interrupt: async () => {
      const exit = once(child, 'exit');
      process.kill(-(child.pid ?? 0), 'SIGINT');
      await exit;
      return child.exitCode ?? child.signalCode;
    },
  };
}
