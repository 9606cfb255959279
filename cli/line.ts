// A command line: finds the command that was named, runs it, and turns what goes wrong into one line and an
// exit code.
import { PRODUCT } from '#api/product.ts';
import { escaped } from './client/printable.ts';
import { createCompletion } from './commands/completion.ts';
import { commandAlone } from './commands/inbox.ts';
import { createMan } from './commands/man.ts';
import {
  CommandError,
  EXIT_REFUSED,
  readWords,
  requireTerminator,
  UsageError,
  type Command,
  type CommandGroup,
  type Output,
} from './command.ts';
import { commandHelp, helpOfFirstWord, overview } from './help.ts';

const output: Output = {
  print: (text) => void process.stdout.write(`${escaped(text)}\n`),
  note: (text) => void process.stderr.write(`${escaped(text)}\n`),
  draw: (line) => void process.stdout.write(`${line}\n`),
};

/** All commands: those of the client, those of others, and those about the program itself. */
export async function allGroups(
  client: CommandGroup,
  loadOthers: () => Promise<readonly CommandGroup[]>,
): Promise<CommandGroup[]> {
  const load = () => allGroups(client, loadOthers);
  return [...(await loadOthers()), client, ['This program', [createCompletion(load), createMan(load)]]];
}

/** Runs command lines; `loadOthers` is called only where its commands are needed. Answers the exit code. */
export function createRunner(
  client: CommandGroup,
  loadOthers: () => Promise<readonly CommandGroup[]>,
): (args: string[]) => Promise<number> {
  const load = () => allGroups(client, loadOthers);

  async function carryOut(args: string[]): Promise<void> {
    if (args.length === 1 && isVersion(args[0])) return output.print(`qinbox ${PRODUCT.version}`);
    const end = args.indexOf('--');
    const own = end === -1 ? args : args.slice(0, end);
    const asksHelp = own[0] === 'help' || own.includes('--help') || own.includes('-h');
    const named = own.filter((word) => word !== 'help' && word !== '--help' && word !== '-h');
    if (named.length === 0) {
      if (end !== -1) throw unknown(args, await load());
      process.stdout.on('error', endWithOutput);
      const alone = asksHelp ? null : commandAlone(output);
      return alone === null
        ? output.print(overview(await load()))
        : alone.run({ positionals: [], values: {} }, output);
    }
    const words = asksHelp ? named : args;
    const command = await find(words);
    if (command === null) {
      // The first word of several commands, alone, asks for them, as `qinbox` alone does.
      const text = words.length === 1 ? helpOfFirstWord(words[0] ?? '', await load()) : null;
      if (text === null) throw unknown(words, await load());
      process.stdout.on('error', endWithOutput);
      return output.print(text);
    }
    // `-h` may be an option of the command that is to be run, which must not be left undone without a word.
    if (own[0] !== 'help') requireTerminator(command, args.slice(command.name.split(' ').length));
    if (asksHelp || command.passesOutput !== true) process.stdout.on('error', endWithOutput);
    if (asksHelp) return output.print(commandHelp(command));
    await command.run(readWords(command, args.slice(command.name.split(' ').length)), output);
  }

  async function find(args: string[]): Promise<Command | null> {
    const isNamed = ({ name }: Command) => name.split(' ').every((word, index) => args[index] === word);
    const others = async () => (await load()).flatMap(([, commands]) => commands);
    return client[1].find(isNamed) ?? (await others()).find(isNamed) ?? null;
  }

  return async (args) => {
    try {
      await carryOut(args);
      return Number(process.exitCode ?? 0);
    } catch (error) {
      output.note(`qinbox: ${error instanceof Error ? error.message : String(error)}`);
      return error instanceof CommandError ? error.exitCode : EXIT_REFUSED;
    }
  };
}

function isVersion(word: string | undefined): boolean {
  return word === '--version' || word === '-V';
}

function unknown(args: readonly string[], groups: readonly CommandGroup[]): UsageError {
  const [first = ''] = args;
  const more = helpOfFirstWord(first, groups) === null ? '' : ` ${first}`;
  return new UsageError(`there is no command "${args.slice(0, 2).join(' ')}". See: qinbox help${more}`);
}

// Nobody reads on, as with `qinbox ls | head`, or the terminal is gone: it ends quietly. A file that can take
// no more, on a full disk say, is told of.
function endWithOutput({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE' || code === 'EIO') process.exit(0);
  output.note(`qinbox: The output cannot be written (${code ?? message}).`);
  process.exit(EXIT_REFUSED);
}
