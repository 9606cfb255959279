// What shells are told of the commands and their options, from the description that help is made of.
import type { Command, CommandGroup, Option } from '../command.ts';

/** What follows an option: nothing, anything, a file, or one of these. */
export type Value = 'none' | 'any' | 'file' | readonly string[];

export interface OptionShape {
  /** As typed: `--priority`, and `-p` where there is one. */
  forms: string[];
  help: string;
  value: Value;
  isMultiple: boolean;
}

export interface CommandShape {
  name: string;
  summary: string;
  options: OptionShape[];
  words: NonNullable<Command['words']> | 'none';
}

const HELP: OptionShape = {
  forms: ['--help', '-h'],
  help: 'all of this command',
  value: 'none',
  isMultiple: false,
};

/** What may stand in the place of a command. */
export const OPTIONS_ALONE: readonly OptionShape[] = [
  { ...HELP, help: 'all commands' },
  { forms: ['--version', '-V'], help: 'the version', value: 'none', isMultiple: false },
];

export function shapesOf(groups: readonly CommandGroup[]): CommandShape[] {
  return groups.flatMap(([, commands]) => commands).map(shapeOf);
}

function shapeOf({ name, summary, options = {}, words }: Command): CommandShape {
  const shapes = Object.entries(options).map(([long, option]): OptionShape => ({
    forms: [`--${long}`, ...(option.short === undefined ? [] : [`-${option.short}`])],
    help: option.help,
    value: valueOf(option),
    isMultiple: option.multiple === true,
  }));
  return { name, summary, options: [...shapes, HELP], words: words ?? 'none' };
}

function valueOf({ type, value, choices }: Option): Value {
  if (type === 'boolean') return 'none';
  if (choices !== undefined) return choices;
  return value === 'FILE' ? 'file' : 'any';
}

/** The words that may stand first, each with what it does. */
export function firstWords(shapes: readonly CommandShape[]): (readonly [word: string, does: string])[] {
  const words = new Map<string, string>();
  for (const { name, summary } of shapes) {
    const [first = '', second] = name.split(' ');
    if (second === undefined) words.set(first, summary);
    else words.set(first, [words.get(first), second].filter((part) => part !== undefined).join(', '));
  }
  return [...words, ['help', 'all commands, or all of one']];
}

/** The commands of two words, by their first. */
export function secondWords(shapes: readonly CommandShape[]): Map<string, CommandShape[]> {
  const seconds = new Map<string, CommandShape[]>();
  for (const shape of shapes) {
    const [first = '', second] = shape.name.split(' ');
    if (second !== undefined) seconds.set(first, [...(seconds.get(first) ?? []), shape]);
  }
  return seconds;
}

/** A text between single quotes, for bash and zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
