// Transcripts of the command line (docs/cli/*.txt): their commands are run in a terminal, and what they print
// takes the place of what stands there. What differs from run to run is written as a sample.
//
//   # a remark                      before a command
//   $ qinbox ls                     a command of bash, then what the terminal shows
//   [exit 1]                        its exit code, unless that is 0
//   other$ qinbox add x             meanwhile in another terminal, while the command above goes on,
//   other> task_…                   with what it prints
//   ^C                              Ctrl-C ends the command above
import { createHash } from 'node:crypto';
import { waitFor } from '#test/program/wait.ts';
import { openTerminal, type Terminal, type TerminalOptions } from './terminal.ts';

/** A part of a command's output, and what is done when so many lines of it are there. */
interface Part {
  lines: number;
  /** The command in the other terminal, or Ctrl-C. */
  next: { other: string } | 'interrupt' | null;
}

interface Step {
  /** Remarks and empty lines before it. */
  before: string[];
  command: string;
  parts: Part[];
}

const OTHER = 'other$ ';
const OTHER_OUTPUT = 'other> ';
const INTERRUPT = '^C';
const EXIT = /^\[exit (\d+)\]$/;

function readTranscript(text: string): Step[] {
  const steps: Step[] = [];
  let before: string[] = [];
  for (const line of text.trimEnd().split('\n')) {
    const step = steps.at(-1);
    const part = step?.parts.at(-1);
    if (line.startsWith('$ ')) {
      steps.push({ before, command: line.slice(2), parts: [{ lines: 0, next: null }] });
      before = [];
    } else if (line === '' || line.startsWith('# ')) before.push(line);
    else if (step === undefined || part === undefined) throw new Error(`No command before: ${line}`);
    else if (line.startsWith(OTHER)) {
      part.next = { other: line.slice(OTHER.length) };
      step.parts.push({ lines: 0, next: null });
    } else if (line === INTERRUPT) part.next = 'interrupt';
    else if (!line.startsWith(OTHER_OUTPUT) && !EXIT.test(line)) {
      part.lines += before.length + 1;
      before = [];
    }
  }
  return steps;
}

/** Ends what a command printed, with its exit code between two of them. */
const MARK = '\u001e';
/** Runs what is typed, line by line; a program of Ctrl-C ends without it. */
const SHELL = String.raw`stty -echo; trap : INT; printf '\036\036'
while IFS= read -r line; do eval "$line"; printf '\036%s\036' "$?"; done`;

/** A terminal in which one command is run after another, each with the terminal as its own. */
class Shell {
  readonly #terminal: Terminal;
  /** Where the output of the command begins. */
  #start = 0;

  constructor(options: TerminalOptions) {
    this.#terminal = openTerminal(['bash', '--norc', '--noprofile', '-c', SHELL], options);
  }

  async begin(command: string): Promise<void> {
    await this.ended();
    this.#start = this.#terminal.raw().lastIndexOf(MARK) + 1;
    this.#terminal.type(`${command}\n`);
  }

  /** The lines so far. */
  lines(): string[] {
    const [text = ''] = this.#terminal.raw().slice(this.#start).split(MARK);
    return text === '' ? [] : text.replaceAll(/\r+\n/g, '\n').replace(/\n$/, '').split('\n');
  }

  interrupt(): void {
    this.#terminal.type('\u0003');
  }

  /** Resolves with the exit code. */
  async ended(): Promise<number> {
    const code = () => this.#terminal.raw().slice(this.#start).split(MARK)[1];
    await waitFor(
      'the end of a command',
      () => this.#terminal.raw().endsWith(MARK) && code() !== undefined,
      60_000,
    );
    return Number(code());
  }

  close(): void {
    this.#terminal.kill();
  }
}

/** Runs each command; the same transcript with what they printed this time. */
export async function replay(
  text: string,
  options: TerminalOptions,
  samples: Samples,
  learn: (printed: string) => Promise<void>,
): Promise<string> {
  const [shell, otherShell] = [new Shell(options), new Shell(options)];
  try {
    const lines: string[] = [];
    for (const step of readTranscript(text)) {
      lines.push(...step.before, `$ ${step.command}`);
      await shell.begin(samples.toReal(step.command));
      lines.push(...(await meanwhile(step, shell, otherShell, samples, learn)));
      const code = await shell.ended();
      if (code !== 0) lines.push(`[exit ${code}]`);
      await learn(shell.lines().join('\n'));
    }
    return `${samples.toSample(lines.join('\n'))}\n`;
  } finally {
    shell.close();
    otherShell.close();
  }
}

/** What a command prints to its end, with what is done meanwhile. */
async function meanwhile(
  { parts }: Step,
  shell: Shell,
  otherShell: Shell,
  samples: Samples,
  learn: (printed: string) => Promise<void>,
): Promise<string[]> {
  const lines: string[] = [];
  let shown = 0;
  for (const { lines: expected, next } of parts) {
    if (next === null) continue;
    // Until they are there, or none more came for long: the comparison then says what is missing.
    await waitFor('lines', () => shell.lines().length >= shown + expected, 20_000).catch(() => undefined);
    lines.push(...shell.lines().slice(shown));
    shown = shell.lines().length;
    if (next === 'interrupt') {
      shell.interrupt();
      lines.push(INTERRUPT);
    } else {
      await otherShell.begin(samples.toReal(next.other));
      const code = await otherShell.ended();
      lines.push(`${OTHER}${next.other}`, ...otherShell.lines().map((line) => OTHER_OUTPUT + line));
      if (code !== 0) throw new Error(`"${next.other}" ended with ${code}`);
      await learn(otherShell.lines().join('\n'));
    }
  }
  await shell.ended();
  return [...lines, ...shell.lines().slice(shown)];
}

/** What is another in every run and is not asked for again. */
const PATTERNS: readonly (readonly [pattern: RegExp, sample: string])[] = [
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-11-24T08:00:00.000Z'],
  [/(?<=, of )[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d UTC/g, 'Wed 2026-11-25 08:00 UTC'],
  [/\b[A-Z][a-z]{2} \d{4}-\d\d-\d\d (\d\d:\d\d UTC)/g, 'Wed 2026-11-25 $1'],
  [/ \dm$/gm, 'now'],
  [/"durationMs":\d+/g, '"durationMs":12'],
  [/#signin=[\w-]{32}/g, '#signin=Jw3n0cX8mQe5VtA1yZpK7dRu2sLf9HgB'],
  [/\bqi_[0-9A-Za-z]{40}\b/g, 'qi_4mTq8Zc1Lw6Rk0Xv3Hn7Ys9Bd2Pf5Jg8aUe1Ci4o'],
  [/\bqi_[0-9A-Za-z]{5}…[0-9A-Za-z]{4}\b/g, 'qi_4mTq8…Ci4o'],
  [/\b[0-9a-f]{64}\b/g, '5f2c8e1d'.repeat(8)],
];

/** A duration changes how many spaces follow, up to the age at the end of a line. */
const DURATION = /\bafter (?:\d+ min )?\d+ (?:ms|s)\b(?:(.*?)( {2,})(?=now$))?/gm;

function sampleDuration(found: string, between?: string): string {
  return `after 12 ms${between ?? ''}`.padEnd(between === undefined ? 0 : found.length);
}

const SHORTEST_ENDING = 6;
const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** What stands in a transcript for what differs from run to run, both ways. */
export class Samples {
  readonly #pairs: { real: string; sample: string; hasEndings: boolean }[] = [];
  readonly #counts = new Map<string, number>();

  /** A text that stands for another, as it is. */
  add(real: string, sample: string): void {
    this.#pairs.push({ real, sample, hasEndings: false });
  }

  /** A random name, whose ending is shown and given as well: the same sample for the nth in every run. */
  addRandom(real: string, prefix: string): void {
    if (this.#pairs.some((pair) => pair.real === real)) return;
    const count = (this.#counts.get(prefix) ?? 0) + 1;
    this.#counts.set(prefix, count);
    const bytes = createHash('sha512').update(`${prefix} ${count}`).digest();
    const letters = Array.from(bytes, (byte) => LETTERS.charAt(byte % LETTERS.length)).join('');
    this.#pairs.push({
      real,
      sample: prefix + letters.slice(0, real.length - prefix.length),
      hasEndings: true,
    });
  }

  toReal(text: string): string {
    return this.#replace(text, ({ real, sample }) => [sample, real]);
  }

  toSample(text: string): string {
    const replaced = this.#replace(text, ({ real, sample }) => [real, sample]);
    const timeless = replaced.replace(DURATION, sampleDuration);
    return PATTERNS.reduce((each, [pattern, sample]) => each.replace(pattern, sample), timeless);
  }

  #replace(text: string, direction: (pair: { real: string; sample: string }) => [from: string, to: string]) {
    let replaced = text;
    for (const pair of this.#pairs) {
      const [from, to] = direction(pair);
      replaced = replaced.replaceAll(from, to);
      if (!pair.hasEndings) continue;
      for (let length = from.length - 1; length >= SHORTEST_ENDING; length--)
        replaced = replaced.replaceAll(from.slice(-length), to.slice(-length));
    }
    return replaced;
  }
}
