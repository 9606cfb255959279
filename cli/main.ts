// The qinbox command: finds the command that was named, runs it, and turns what goes wrong into one line and
// an exit code.
import { ConfigError, EXIT_CONFIG } from '#core/config.ts';
import { readWords, UsageError, type Command, type Output } from './command.ts';
import { backupCommands } from './commands/backup.ts';
import { migrate } from './commands/migrate.ts';
import { operatorCommands } from './commands/operator.ts';
import { remoteCommands } from './commands/remote.ts';
import { serverCommands } from './commands/server.ts';

const EXIT_USAGE = 2;

const GROUPS: [title: string, commands: Command[]][] = [
  ['The server', serverCommands],
  ["The operator's, on the server's own store", [...operatorCommands, ...backupCommands, migrate]],
  ['Anybody with a key', remoteCommands],
];
const COMMANDS = GROUPS.flatMap(([, commands]) => commands);

const output: Output = {
  print: (text) => void process.stdout.write(`${text}\n`),
  note: (text) => void process.stderr.write(`${text}\n`),
};

/** Runs one command line and answers the exit code. */
export async function run(args: string[]): Promise<number> {
  try {
    if (args.length === 0 || args[0] === 'help' || args.includes('--help') || args.includes('-h'))
      output.print(help());
    else {
      const command = find(args);
      await command.run(readWords(command, args.slice(command.name.split(' ').length)), output);
    }
    return Number(process.exitCode ?? 0);
  } catch (error) {
    output.note(`qinbox: ${error instanceof Error ? error.message : String(error)}`);
    if (error instanceof ConfigError) return EXIT_CONFIG;
    return error instanceof UsageError ? EXIT_USAGE : 1;
  }
}

function find(args: string[]): Command {
  const command = COMMANDS.find(({ name }) => name.split(' ').every((word, index) => args[index] === word));
  if (command === undefined)
    throw new UsageError(`there is no command "${args.slice(0, 2).join(' ')}". See: qinbox help`);
  return command;
}

function help(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  const groups = GROUPS.map(([title, commands]) => {
    const lines = commands.map(({ name, usage, summary }) =>
      `  qinbox ${name.padEnd(width)}  ${summary}\n${' '.repeat(width + 11)}${usage}`.trimEnd(),
    );
    return `${title}:\n${lines.join('\n')}`;
  });
  return `Usage: qinbox COMMAND …\n\n${groups.join('\n\n')}`;
}
