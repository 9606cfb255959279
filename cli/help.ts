// The texts of `qinbox help` and of `--help` of each command.
import { usageOf, type Command, type CommandGroup, type Option } from './command.ts';

/** All commands, in their groups. */
export function overview(groups: readonly CommandGroup[]): string {
  return `Usage: qinbox COMMAND …\n\n${listOf(groups)}\n\nMore of each: qinbox COMMAND --help\nThe version: qinbox --version`;
}

/** The commands of two words whose first is this one; null where there is none. */
export function helpOfFirstWord(word: string, groups: readonly CommandGroup[]): string | null {
  const found = groups
    .map(([title, commands]) => [title, commands.filter(({ name }) => name.startsWith(`${word} `))] as const)
    .filter(([, commands]) => commands.length > 0);
  if (found.length === 0) return null;
  return `Usage: qinbox ${word} COMMAND …\n\n${listOf(found)}\n\nMore of each: qinbox ${word} COMMAND --help`;
}

function listOf(groups: readonly CommandGroup[]): string {
  const width = Math.max(...groups.flatMap(([, commands]) => commands.map(({ name }) => name.length)));
  const parts = groups.map(([title, commands]) => {
    const lines = commands.map(({ name, usage, summary }) =>
      `  qinbox ${name.padEnd(width)}  ${summary}\n${' '.repeat(width + 11)}${usage}`.trimEnd(),
    );
    return `${title}:\n${lines.join('\n')}`;
  });
  return parts.join('\n\n');
}

/** All that there is to know of one command. */
export function commandHelp(command: Command): string {
  const { summary, details, examples = [] } = command;
  const options = describedOptions(command);
  const width = Math.max(0, ...options.map(([form]) => form.length));
  return [
    usageOf(command),
    `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`,
    ...(details === undefined ? [] : [details]),
    ...(options.length === 0
      ? []
      : [`Options:\n${options.map(([form, help]) => `  ${form.padEnd(width)}  ${help}`).join('\n')}`]),
    ...(examples.length === 0
      ? []
      : [`Examples:\n${examples.map(([line, does]) => `  ${line}\n      ${does}`).join('\n')}`]),
  ].join('\n\n');
}

/** How each option is written, with what it does. */
export function describedOptions({ options = {} }: Command): [form: string, help: string][] {
  return Object.entries(options).map(([name, option]) => [optionForm(name, option), option.help]);
}

function optionForm(name: string, { short, type, value, choices }: Option): string {
  const given = type === 'boolean' ? '' : ` ${value ?? choices?.join('|') ?? 'TEXT'}`;
  return `${short === undefined ? '    ' : `-${short}, `}--${name}${given}`;
}
