// The man page, in the macros of man(7), from the description that help is made of.
import { describedOptions } from './help.ts';
import type { Command, CommandGroup } from './command.ts';

/** Of the page: man pages show one. */
const DATE = '2026-11-24';
const LINE_COLUMNS = 79;
const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'done'],
  [1, 'refused, or not found'],
  [2, 'the command line is wrong'],
  [69, 'the server cannot be reached, or cannot do it now'],
  [77, 'the key is refused, or lacks a scope'],
  [78, 'not logged in, or a variable is wrong'],
];
const VARIABLES: readonly (readonly [name: string, meaning: string])[] = [
  ['QINBOX_URL', 'address of the server; wins over what login stored'],
  ['QINBOX_KEY', 'the API key; wins over what login stored'],
  ['XDG_CONFIG_HOME', 'the folder of configuration, instead of that of the platform'],
  ['NO_COLOR', 'no colours, whatever its value'],
];

export function manPage(groups: readonly CommandGroup[]): string {
  return [
    `.TH QINBOX 1 ${DATE} Qinbox "Qinbox"`,
    section('NAME', text('qinbox - the tasks of today, from the command line')),
    section('SYNOPSIS', '.B qinbox', text('COMMAND [options] [words]'), '.br', bold('qinbox --version')),
    section(
      'DESCRIPTION',
      text(
        'Makes tasks, lists, watches and triages the queue of a Qinbox server, over its API. Beside the server it works on its store as well. Words and options may be mixed; after -- everything is a word.',
      ),
    ),
    section('OPTIONS', term('-V, --version', 'the version of this program, and nothing else')),
    section('COMMANDS', ...groups.flatMap(([title, commands]) => [sub(title), ...commands.map(commandPart)])),
    section(
      'FILES',
      term('~/.config/qinbox/login.json', 'what login stored, of mode 0600 (Linux)'),
      term('~/Library/Application Support/qinbox/login.json', 'the same on macOS'),
      term(String.raw`%APPDATA%\qinbox\login.json`, 'the same on Windows'),
    ),
    section('ENVIRONMENT', ...VARIABLES.map(([name, meaning]) => term(name, meaning))),
    section(
      'EXIT STATUS',
      ...EXIT_CODES.map(([code, meaning]) => term(String(code), meaning)),
      '.PP',
      text('run exits as its command does.'),
    ),
    '',
  ].join('\n');
}

function section(title: string, ...parts: string[]): string {
  return [`.SH ${title}`, ...parts].join('\n');
}

function sub(title: string): string {
  return `.SS ${escaped(title)}`;
}

function commandPart(command: Command): string {
  const { name, usage, summary, details, examples = [] } = command;
  const options = describedOptions(command);
  return [
    '.TP',
    `${bold(`qinbox ${name}`)} ${escaped(usage)}`.trimEnd(),
    text(sentence(summary)),
    ...(details === undefined ? [] : ['.sp', text(details)]),
    ...(options.length === 0
      ? []
      : ['.RS', ...options.map(([form, help]) => term(form.trim(), help)), '.RE']),
    ...examples.flatMap(([line, does]) => ['.RS', '.PP', text(sentence(does)), '.br', bold(line), '.RE']),
  ].join('\n');
}

function sentence(part: string): string {
  return `${part.slice(0, 1).toUpperCase()}${part.slice(1)}.`;
}

function term(name: string, meaning: string): string {
  return `.TP\n${bold(name)}\n${text(meaning)}`;
}

function bold(line: string): string {
  return String.raw`\fB${escaped(line)}\fP`;
}

/** Text in short lines; one that begins with a dot or an apostrophe would be a request. */
function text(line: string): string {
  const lines = [''];
  for (const word of escaped(line).split(' ')) {
    const last = lines.pop() ?? '';
    if (last === '') lines.push(word);
    else if (last.length + word.length < LINE_COLUMNS) lines.push(`${last} ${word}`);
    else lines.push(last, word);
  }
  return lines.map((each) => each.replace(/^(?=[.'])/, String.raw`\&`)).join('\n');
}

function escaped(line: string): string {
  const ascii = line.replaceAll('\\', String.raw`\e`).replaceAll('-', String.raw`\-`);
  return ascii.replace(/[^ -~]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return String.raw`\[u${code.padStart(4, '0')}]`;
  });
}
