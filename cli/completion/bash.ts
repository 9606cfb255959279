// Completion for bash, 3.2 (macOS) and newer.
import {
  firstWords,
  OPTIONS_ALONE,
  quoted,
  secondWords,
  type CommandShape,
  type OptionShape,
} from './shape.ts';

/** What the function below calls. */
const FUNCTIONS = `_qinbox_choose() {
  local word
  for word in $1; do
    if [[ $word == "$2"* ]]; then COMPREPLY+=("$word"); fi
  done
}

_qinbox_tasks() {
  local mark id text
  while read -r mark id text; do
    if [[ $id == task_* && $id != *[^0-9A-Za-z_]* && $id == "$1"* ]]; then COMPREPLY+=("$id"); fi
  done < <(qinbox ls 2>/dev/null)
}

_qinbox_files() {
  local file
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$1")
}

# The command after "--", with its own completion where bash-completion is there.
_qinbox_command() {
  local word
  if declare -F _comp_command_offset >/dev/null; then
    _comp_command_offset "$1"
  elif declare -F _command_offset >/dev/null; then
    _command_offset "$1"
  elif ((COMP_CWORD == $1)); then
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -c -- "\${COMP_WORDS[COMP_CWORD]}")
  else
    _qinbox_files "\${COMP_WORDS[COMP_CWORD]}"
  fi
}
`;

export function bashCompletion(shapes: readonly CommandShape[]): string {
  const seconds = [...secondWords(shapes)].map(
    ([first, commands]) => `    ${first}) choices=${quoted(commands.map(secondOf).join(' '))} ;;`,
  );
  return `# Completion of qinbox for bash. Made by: qinbox completion bash

${FUNCTIONS}
_qinbox() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  local first=\${COMP_WORDS[1]} second=\${COMP_WORDS[2]} at=1 index end=0
  local command='' choices='' options='' words='' value=''
  COMPREPLY=()
  # Bash takes "--priority=high" for three words.
  if [[ $current == = ]]; then
    current=''
  elif [[ $previous == = ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if [[ $first == help && $COMP_CWORD -gt 1 ]]; then
    at=2
    first=\${COMP_WORDS[2]}
    second=\${COMP_WORDS[3]}
  fi
  if ((COMP_CWORD == 1)) && [[ $current == -* ]]; then
    _qinbox_choose ${quoted(OPTIONS_ALONE.flatMap(({ forms }) => forms).join(' '))} "$current"
    return
  fi
  if ((COMP_CWORD == at)); then
    _qinbox_choose ${quoted(
      firstWords(shapes)
        .map(([word]) => word)
        .join(' '),
    )} "$current"
    return
  fi
  case $first in
${seconds.join('\n')}
  esac
  if [[ $choices != '' ]]; then
    if ((COMP_CWORD == at + 1)); then
      _qinbox_choose "$choices" "$current"
      return
    fi
    command="$first $second"
  else
    command=$first
  fi
  for ((index = at + 1; index < COMP_CWORD; index++)); do
    if [[ $end -eq 0 && \${COMP_WORDS[index]} == -- ]]; then end=$index; fi
  done
  case $command in
${shapes.map(commandCase).join('\n')}
  *) return ;;
  esac
  if ((end > 0)); then
    if [[ $words == command ]]; then _qinbox_command $((end + 1)); fi
    return
  fi
  case $value in
  none) ;;
  any) return ;;
  file)
    _qinbox_files "$current"
    return
    ;;
  *)
    _qinbox_choose "$value" "$current"
    return
    ;;
  esac
  if ((at == 2)); then return; fi
  case $current in
  -*) _qinbox_choose "$options" "$current" ;;
  *)
    case $words in
    none) ;;
    tasks) _qinbox_tasks "$current" ;;
    task) if ((COMP_CWORD == 2)); then _qinbox_tasks "$current"; fi ;;
    command) _qinbox_choose -- "$current" ;;
    *) _qinbox_choose "$words" "$current" ;;
    esac
    ;;
  esac
}

complete -F _qinbox qinbox
`;
}

function secondOf({ name }: CommandShape): string {
  return name.split(' ')[1] ?? '';
}

function commandCase({ name, options, words }: CommandShape): string {
  const forms = options.flatMap((option) => option.forms).join(' ');
  const values = options.filter(({ value }) => value !== 'none').map(valueCase);
  return `  ${quoted(name)})
    options=${quoted(forms)}
    words=${quoted(typeof words === 'string' ? words : words.join(' '))}
    case $previous in
${values.join('')}    *) value=none ;;
    esac
    ;;`;
}

function valueCase({ forms, value }: OptionShape): string {
  return `    ${forms.join(' | ')}) value=${quoted(typeof value === 'string' ? value : value.join(' '))} ;;\n`;
}
