// Completion for zsh: a file `_qinbox` of a folder in `fpath`, or sourced after `compinit`.
import {
  firstWords,
  OPTIONS_ALONE,
  quoted,
  secondWords,
  type CommandShape,
  type OptionShape,
} from './shape.ts';

export function zshCompletion(shapes: readonly CommandShape[]): string {
  const pairs = [...secondWords(shapes)];
  return `#compdef qinbox
# Completion of qinbox for zsh. Made by: qinbox completion zsh

_qinbox_tasks() {
  local -a tasks
  local mark id text
  qinbox ls 2>/dev/null | while read -r mark id text; do
    [[ $id == task_* ]] && tasks+=("$id:$text")
  done
  _describe -t tasks task tasks
}

# For words that are anything: without it, options would be listed and not completed.
_qinbox_nothing() {
  return 1
}

_qinbox() {
  local curcontext="$curcontext" helps=0
  local -a commands alone
  if (( CURRENT == 2 )) && [[ $words[2] == -* ]]; then
    alone=(
${OPTIONS_ALONE.flatMap(({ forms, help }) => forms.map((form) => described([form, help]))).join('\n')}
    )
    _describe -o -t options option alone
    return
  fi
  if [[ $words[2] == help ]] && (( CURRENT > 2 )); then
    helps=1
    shift words
    (( CURRENT-- ))
  fi
  if (( CURRENT == 2 )); then
    commands=(
${firstWords(shapes).map(described).join('\n')}
    )
    _describe -t commands command commands
    return
  fi
  case $words[2] in
${pairs.map(([first, commands]) => secondCase(first, commands)).join('\n')}
    *)
      shift words
      (( CURRENT-- ))
      ;;
  esac
  (( helps )) && return 1
  case $words[1] in
${shapes.map(commandCase).join('\n')}
  esac
}

if [[ $funcstack[1] == _qinbox ]]; then
  _qinbox "$@"
else
  compdef _qinbox qinbox
fi
`;
}

function described([word, does]: readonly [word: string, does: string]): string {
  return `      ${quoted(`${word.replaceAll(':', String.raw`\:`)}:${does}`)}`;
}

function secondCase(first: string, commands: readonly CommandShape[]): string {
  const words = commands.map(({ name, summary }) => described([name.split(' ')[1] ?? '', summary]));
  return `    ${first})
      if (( CURRENT == 3 )); then
        commands=(
${words.map((line) => `    ${line}`).join('\n')}
        )
        _describe -t commands command commands
        return
      fi
      words=("$words[2] $words[3]" "\${(@)words[4,-1]}")
      (( CURRENT -= 2 ))
      ;;`;
}

function commandCase({ name, options, words }: CommandShape): string {
  return `    ${quoted(name)})
      _arguments -s -S : \\
${[...options.map(optionSpec), ...wordSpecs(words)].map((spec) => `        ${spec}`).join(' \\\n')}
      ;;`;
}

function optionSpec({ forms, help, value, isMultiple }: OptionShape): string {
  const text = help.replaceAll(/[[\]:\\]/g, String.raw`\$&`);
  const action =
    typeof value === 'string'
      ? { none: '', any: ':value:', file: ':file:_files' }[value]
      : `:value:(${value.join(' ')})`;
  const before = isMultiple ? '*' : `(${forms.join(' ')})`;
  const names = forms.length === 1 ? (forms[0] ?? '') : `{${forms.join(',')}}`;
  return `${quoted(before)}${names}${quoted(`[${text}]${action}`)}`;
}

function wordSpecs(words: CommandShape['words']): string[] {
  if (typeof words !== 'string') return [quoted(`1:word:(${words.join(' ')})`)];
  return {
    none: [quoted('*:word:_qinbox_nothing')],
    task: [quoted('1:task:_qinbox_tasks'), quoted('*:when:_qinbox_nothing')],
    tasks: [quoted('*:task:_qinbox_tasks')],
    command: [quoted('*:::command:_normal')],
  }[words];
}
