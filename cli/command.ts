// What a command is, and how its words are read.
import { parseArgs, type ParseArgsConfig } from 'node:util';

/** The command line was wrong; the message says what to do. Exit code 2. */
export class UsageError extends Error {}

/** Where a command writes. */
export interface Output {
  /** The answer, for people or programs. */
  print(text: string): void;
  /** A remark for people, on standard error. */
  note(text: string): void;
}

type Options = NonNullable<ParseArgsConfig['options']>;

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
  options?: Options;
  run(words: Words, output: Output): Promise<void>;
}

/** Reads the words after the command's name; throws {@link UsageError}. */
export function readWords(command: Command, args: string[]): Words {
  try {
    return parseArgs({ args, options: command.options ?? {}, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\nUsage: qinbox ${command.name} ${command.usage}`);
  }
}

/** The value of an option that takes text, or undefined. */
export function textOption({ values }: Words, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** All values of an option that may be repeated. */
export function listOption({ values }: Words, name: string): string[] {
  const value = values[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The only positional, or a usage error. */
export function onlyPositional(command: Pick<Command, 'name' | 'usage'>, { positionals }: Words): string {
  const [first, ...rest] = positionals;
  if (first === undefined || rest.length > 0)
    throw new UsageError(`Usage: qinbox ${command.name} ${command.usage}`);
  return first;
}
