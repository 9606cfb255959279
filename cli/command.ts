// What a command is, and how its words are read. Help, completion and the man page are made of the same.
import { parseArgs } from 'node:util';

export const EXIT_REFUSED = 1;
const EXIT_USAGE = 2;
/** The server cannot be reached (`EX_UNAVAILABLE` of sysexits.h). */
export const EXIT_UNREACHABLE = 69;
/** Not logged in (`EX_CONFIG` of sysexits.h). */
export const EXIT_NO_LOGIN = 78;
/** The key is refused, or lacks a scope (`EX_NOPERM` of sysexits.h). */
export const EXIT_KEY_REFUSED = 77;

/** Ends the command with this message and exit code. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The command line was wrong; the message says what to do. */
export class UsageError extends CommandError {
  constructor(message: string) {
    super(message, EXIT_USAGE);
  }
}

/** Where a command writes. */
export interface Output {
  /** The answer, for people or programs. What could command a terminal is escaped in it as in JSON. */
  print(text: string): void;
  /** A remark for people, on standard error; escaped as well. */
  note(text: string): void;
  /** A line in colours, whose texts must be printable. */
  draw(line: string): void;
}

/** An option, as `parseArgs` reads it and as help shows it. */
export interface Option {
  type: 'string' | 'boolean';
  short?: string;
  multiple?: boolean;
  /** What stands for its value in help: `TAG`. */
  value?: string;
  /** The values that it takes, where they are few. */
  choices?: readonly string[];
  help: string;
}

/** The words of a command, read. */
export interface Words {
  positionals: string[];
  values: Record<string, string | boolean | (string | boolean)[] | undefined>;
}

export interface Command {
  /** As typed after `qinbox`: `key create`. */
  name: string;
  /** What follows the name. */
  usage: string;
  summary: string;
  /** More for its own help: paragraphs. */
  details?: string;
  /** Command lines, with what each does. */
  examples?: readonly (readonly [line: string, does: string])[];
  options?: Record<string, Option>;
  /** What its words are, for completion: a task, tasks, another command with its own words, one of a few. */
  words?: 'task' | 'tasks' | 'command' | readonly string[];
  /** Whether standard output is not its own: it goes on when nobody reads that any more. */
  passesOutput?: boolean;
  /** What running it again does after a store failed in the middle, in a sentence, where that is known. */
  rerun?: string;
  run(words: Words, output: Output): Promise<void>;
}

/** A title, and the commands below it. */
export type CommandGroup = readonly [title: string, commands: readonly Command[]];

/** Reads the words after the command's name; throws {@link UsageError}. */
export function readWords(command: Command, args: string[]): Words {
  const { options = {} } = command;
  let words: Words;
  try {
    words = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usageOf(command)}`);
  }
  if (words.positionals.length > 0 && !takesWords(command))
    throw new UsageError(`${command.name} takes options alone.\n${usageOf(command)}`);
  for (const [name, { choices }] of Object.entries(options)) {
    const value = textOption(words, name);
    if (choices !== undefined && value !== undefined && !choices.includes(value))
      throw new UsageError(`--${name} must be one of: ${choices.join(', ')}.`);
  }
  return words;
}

/**
 * Of a command that takes another command: options behind that one's name may be meant for either, and a `--`
 * there is its own. Throws {@link UsageError} unless `--` is before it.
 */
export function requireTerminator(command: Command, args: string[]): void {
  if (command.words !== 'command') return;
  const { options = {} } = command;
  const { tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });
  const begin = tokens.findIndex(({ kind }) => kind !== 'option');
  const first = tokens[begin];
  if (first?.kind !== 'positional' || tokens.slice(begin).every(({ kind }) => kind === 'positional')) return;
  throw new UsageError(
    `put -- before "${first.value}": options after it may be meant for it or for qinbox.\n${usageOf(command)}`,
  );
}

/** Whether its usage names anything beside options. */
function takesWords({ usage }: Command): boolean {
  return usage.replaceAll(/\[options\]|\[?--[a-z-]+(?: [^\]\s]+)?\]?/g, '').trim() !== '';
}

/** One line: how it is called. */
export function usageOf({ name, usage }: Pick<Command, 'name' | 'usage'>): string {
  return `Usage: qinbox ${name} ${usage}`.trimEnd();
}

/** The value of an option that takes text, or undefined. */
export function textOption({ values }: Words, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** Whether an option without a value is there. */
export function hasOption({ values }: Words, name: string): boolean {
  return values[name] === true;
}

/** All values of an option that may be repeated. */
export function listOption({ values }: Words, name: string): string[] {
  const value = values[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The only positional, or a usage error. */
export function onlyPositional(command: Pick<Command, 'name' | 'usage'>, { positionals }: Words): string {
  const [first, ...rest] = positionals;
  if (first === undefined || rest.length > 0) throw new UsageError(usageOf(command));
  return first;
}
