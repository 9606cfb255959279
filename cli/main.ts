// The qinbox command: finds the command that was named, runs it, and turns what goes wrong into one line and
// an exit code.
import { ConfigError, EXIT_CONFIG } from '#core/config.ts';
import {
  CommandError,
  EXIT_REFUSED,
  readWords,
  UsageError,
  type Command,
  type CommandGroup,
  type Output,
} from './command.ts';
import { loginCommands } from './commands/login.ts';
import { run as runCommand } from './commands/run.ts';
import { taskCommands } from './commands/tasks.ts';
import { watch } from './commands/watch.ts';
import { commandHelp, overview } from './help.ts';

const clientCommands: Command[] = [...loginCommands, ...taskCommands, runCommand, watch];

/** All commands. The operator's come with the whole server, which a client need not wait for. */
async function loadGroups(): Promise<CommandGroup[]> {
  const [{ serverCommands }, { operatorCommands }, { backupCommands }, { migrate }] = await Promise.all([
    import('./commands/server.ts'),
    import('./commands/operator.ts'),
    import('./commands/backup.ts'),
    import('./commands/migrate.ts'),
  ]);
  return [
    ['The server', serverCommands],
    ["The operator's, on the server's own store", [...operatorCommands, ...backupCommands, migrate]],
    ['Anybody with a key', clientCommands],
  ];
}

const output: Output = {
  print: (text) => void process.stdout.write(`${text}\n`),
  note: (text) => void process.stderr.write(`${text}\n`),
};

/** Runs one command line and answers the exit code. */
export async function run(args: string[]): Promise<number> {
  try {
    await carryOut(args);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    output.note(`qinbox: ${error instanceof Error ? error.message : String(error)}`);
    if (error instanceof ConfigError) return EXIT_CONFIG;
    return error instanceof CommandError ? error.exitCode : EXIT_REFUSED;
  }
}

async function carryOut(args: string[]): Promise<void> {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  const asksHelp = own[0] === 'help' || own.includes('--help') || own.includes('-h');
  const named = own.filter((word) => word !== 'help' && word !== '--help' && word !== '-h');
  if (named.length === 0) {
    if (end !== -1) throw unknown(args);
    return output.print(overview(await loadGroups()));
  }
  const command = await find(asksHelp ? named : args);
  if (asksHelp) return output.print(commandHelp(command));
  if (command.passesOutput !== true) process.stdout.on('error', endQuietly);
  await command.run(readWords(command, args.slice(command.name.split(' ').length)), output);
}

async function find(args: string[]): Promise<Command> {
  const isNamed = ({ name }: Command) => name.split(' ').every((word, index) => args[index] === word);
  const command =
    clientCommands.find(isNamed) ?? (await loadGroups()).flatMap(([, commands]) => commands).find(isNamed);
  if (command === undefined) throw unknown(args);
  return command;
}

function unknown(args: string[]): UsageError {
  return new UsageError(`there is no command "${args.slice(0, 2).join(' ')}". See: qinbox help`);
}

// Nobody reads on, as with `qinbox ls | head`.
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
}
