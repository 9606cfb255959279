// Completion for fish, 3.1 and newer.
import { firstWords, OPTIONS_ALONE, secondWords, type CommandShape, type OptionShape } from './shape.ts';

export function fishCompletion(shapes: readonly CommandShape[]): string {
  const firsts = firstWords(shapes);
  const helped = firsts.filter(([word]) => word !== 'help').map(([word]) => word);
  const lines = [
    ...firsts.map(([word, does]) => complete('__qinbox_is', `-a ${word}`, does)),
    ...OPTIONS_ALONE.map((option) => complete('__qinbox_is', optionArguments(option), option.help)),
    complete('__qinbox_is help', `-a ${quoted(helped.join(' '))}`),
    ...[...secondWords(shapes)].flatMap(([first, commands]) => secondLines(first, commands)),
    ...shapes.flatMap(commandLines),
  ];
  return `# Completion of qinbox for fish. Made by: qinbox completion fish

# Whether these are the only words so far.
function __qinbox_is
    set -l words (commandline -opc)
    test "$words[2..]" = "$argv"
end

# Whether this is the command, and no other command follows it.
function __qinbox_in
    set -l words (commandline -opc)
    set -l count (count (string split ' ' -- $argv))
    set -l last (math $count + 1)
    test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"; and not contains -- -- $words
end

# Whether another command follows "--".
function __qinbox_runs
    set -l words (commandline -opc)
    test (count $words) -ge 3; and test "$words[2]" = run; and contains -- -- $words
end

function __qinbox_command
    set -l words (commandline -opc)
    set -l end (contains -i -- -- $words)
    set -l line (string escape -- $words[(math $end + 1)..]) (commandline -ct)
    complete -C "$line"
end

function __qinbox_tasks
    qinbox ls 2>/dev/null | string replace -rf '^\\S+ (task_\\w+) (.*)$' '$1\\t$2'
end

complete -c qinbox -e
complete -c qinbox -f
${lines.join('\n')}
complete -c qinbox -n __qinbox_runs -a '(__qinbox_command)'
`;
}

function complete(condition: string, what: string, does?: string): string {
  const named = condition.includes(' ') ? quoted(condition) : condition;
  return `complete -c qinbox -n ${named} ${what}${does === undefined ? '' : ` -d ${quoted(does)}`}`;
}

function secondLines(first: string, commands: readonly CommandShape[]): string[] {
  const words = commands.map(({ name, summary }) => [name.split(' ')[1] ?? '', summary] as const);
  return [
    ...words.map(([word, does]) => complete(`__qinbox_is ${first}`, `-a ${word}`, does)),
    complete(`__qinbox_is help ${first}`, `-a ${quoted(words.map(([word]) => word).join(' '))}`),
  ];
}

function commandLines({ name, options, words }: CommandShape): string[] {
  const within = `__qinbox_in ${name}`;
  const lines = options.map((option) => complete(within, optionArguments(option), option.help));
  if (typeof words !== 'string') return [...lines, complete(within, `-a ${quoted(words.join(' '))}`)];
  const tasks = `-a ${quoted('(__qinbox_tasks)')}`;
  const more = {
    none: [],
    task: [complete(`__qinbox_is ${name}`, tasks)],
    tasks: [complete(within, tasks)],
    command: [],
  }[words];
  return [...lines, ...more];
}

function optionArguments({ forms, value }: OptionShape): string {
  const names = forms.map((form) => (form.startsWith('--') ? `-l ${form.slice(2)}` : `-s ${form.slice(1)}`));
  const given =
    typeof value === 'string'
      ? { none: [], any: ['-x'], file: ['-r -F'] }[value]
      : [`-x -a ${quoted(value.join(' '))}`];
  return [...names, ...given].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`)}'`;
}
