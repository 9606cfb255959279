// `qinbox completion`: what a shell needs to complete the words of this program.
import { bashCompletion } from '../completion/bash.ts';
import { fishCompletion } from '../completion/fish.ts';
import { shapesOf } from '../completion/shape.ts';
import { zshCompletion } from '../completion/zsh.ts';
import { onlyPositional, UsageError, usageOf, type Command, type CommandGroup } from '../command.ts';

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

export function createCompletion(load: () => Promise<readonly CommandGroup[]>): Command {
  const completion: Command = {
    name: 'completion',
    usage: 'bash|zsh|fish',
    summary: 'print what a shell needs to complete commands, options and ids',
    details:
      'bash: eval "$(qinbox completion bash)" in ~/.bashrc. zsh: the same with zsh, after compinit, in ~/.zshrc; or into a file _qinbox of a folder in fpath. fish: qinbox completion fish | source in config.fish. Ids are asked of the server.',
    examples: [
      ['eval "$(qinbox completion bash)"', 'for this shell'],
      ['qinbox completion fish > ~/.config/fish/completions/qinbox.fish', 'for every fish'],
    ],
    words: Object.keys(SHELLS),
    async run(words, output) {
      const shell = onlyPositional(completion, words);
      if (!Object.hasOwn(SHELLS, shell)) throw new UsageError(usageOf(completion));
      output.print(SHELLS[shell as keyof typeof SHELLS](shapesOf(await load())).trimEnd());
    },
  };
  return completion;
}
