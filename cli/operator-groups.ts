// The commands that work beside the server's own store. They come with the whole server, which the commands
// of everybody with a key need not wait for.
import { ConfigError, EXIT_CONFIG } from '#core/config-error.ts';
import { CommandError, type Command, type CommandGroup } from './command.ts';
import { accountCommands } from './commands/account.ts';
import { backupCommands } from './commands/backup.ts';
import { migrate } from './commands/migrate.ts';
import { operatorCommands } from './commands/operator.ts';
import { serverCommands } from './commands/server.ts';

export const operatorGroups: readonly CommandGroup[] = [
  ['The server', serverCommands.map(withExitCode)],
  [
    "The operator's, on the server's own store",
    [...operatorCommands, ...accountCommands, ...backupCommands, migrate].map(withExitCode),
  ],
];

/** A wrong variable of the server has an exit code of its own. */
function withExitCode(command: Command): Command {
  return {
    ...command,
    run: async (words, output) => {
      try {
        await command.run(words, output);
      } catch (error) {
        throw error instanceof ConfigError
          ? new CommandError(error.message, EXIT_CONFIG, { cause: error })
          : error;
      }
    },
  };
}
