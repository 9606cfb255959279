// Runs a command with this process's own streams, on a terminal of its own where those are one, and reads
// along what it prints.
import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { inOwnTerminal, signalWithin } from './own-terminal.ts';
import { createTail } from './tail.ts';

const EXIT_NOT_FOUND = 127;
const EXIT_CANNOT_RUN = 126;
const SIGNAL_BASE = 128;
/** How long output may come after its end, from what it left running. */
const LATE_OUTPUT_MS = 2000;

/** What became of a command. */
export interface Execution {
  /** As a shell has it: 128 and more for a signal, 127 when there is no such command. */
  exitCode: number;
  signal: NodeJS.Signals | null;
  /** Why it could not be started. */
  fault: string | null;
  durationMs: number;
  /** The last lines of both its streams, as they came. */
  lines: string[];
}

export async function execute(given: readonly string[]): Promise<Execution> {
  const startedAt = performance.now();
  const inTerminal = inOwnTerminal(given);
  const [command = '', ...args] = inTerminal ?? given;
  const child = spawn(command, args, { stdio: ['inherit', 'pipe', 'pipe'] });
  const stopPassing = passSignals((signal) => {
    if (inTerminal === null || child.pid === undefined) child.kill(signal);
    else signalWithin(child.pid, signal);
  });
  const tail = createTail();
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const) {
    const reader = tail.reader();
    from.on('data', (chunk: Buffer) => reader.write(chunk));
    from.on('close', () => reader.end());
    // When nobody reads on, the command is told so, as it would be without this process between.
    to.on('error', () => from.destroy());
    from.pipe(to, { end: false });
  }
  const { exitCode, signal, fault } = await endOf(child);
  stopPassing();
  return {
    exitCode,
    signal: signal ?? (inTerminal === null ? null : signalOf(exitCode)),
    fault,
    durationMs: performance.now() - startedAt,
    lines: tail.lines(),
  };
}

/** What `script` says as a shell does. */
function signalOf(exitCode: number): NodeJS.Signals | null {
  const names = Object.entries(constants.signals) as [NodeJS.Signals, number][];
  return names.find(([, number]) => exitCode === SIGNAL_BASE + number)?.[0] ?? null;
}

function endOf(child: ChildProcess): Promise<Pick<Execution, 'exitCode' | 'signal' | 'fault'>> {
  return new Promise((resolve) => {
    child.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (child.pid !== undefined) return;
      const fault = code === 'ENOENT' ? 'command not found' : message;
      resolve({ exitCode: code === 'ENOENT' ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN, signal: null, fault });
    });
    child.on('exit', (code, signal) => {
      const exitCode = signal === null ? (code ?? 1) : SIGNAL_BASE + constants.signals[signal];
      const end = () => resolve({ exitCode, signal, fault: null });
      const late = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, LATE_OUTPUT_MS);
      child.on('close', () => {
        clearTimeout(late);
        end();
      });
    });
  });
}

/** Hands signals on to the command, so that this process ends after it. */
function passSignals(kill: (signal: NodeJS.Signals) => void): () => void {
  const passed: [NodeJS.Signals, () => void][] = (['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const).map(
    (signal) => [
      signal,
      () => {
        // A terminal sends these to the command itself.
        const isSent = process.stdin.isTTY && (signal === 'SIGINT' || signal === 'SIGQUIT');
        if (!isSent) kill(signal);
      },
    ],
  );
  for (const [signal, pass] of passed) process.on(signal, pass);
  return () => {
    for (const [signal, pass] of passed) process.off(signal, pass);
  };
}
