// The commands that work beside the server's own store. They come with the whole server, which the commands
// of everybody with a key need not wait for.
import { ConfigError, EXIT_CONFIG } from '#core/config-error.ts';
import { CommandError, EXIT_REFUSED, type Command, type CommandGroup } from './command.ts';
import { accountCommands } from './commands/account.ts';
import { backupCommands } from './commands/backup.ts';
import { migrate } from './commands/migrate.ts';
import { operatorCommands } from './commands/operator.ts';
import { serverCommands } from './commands/server.ts';
import { outageText } from './outage.ts';

export const operatorGroups: readonly CommandGroup[] = [
  ['The server', serverCommands.map(inOperatorsWords)],
  [
    "The operator's, on the server's own store",
    [...operatorCommands, ...accountCommands, ...backupCommands, migrate].map(inOperatorsWords),
  ],
];

/** A wrong variable of the server has an exit code of its own; a store that fails is named. */
function inOperatorsWords(command: Command): Command {
  return {
    ...command,
    run: async (words, output) => {
      try {
        await command.run(words, output);
      } catch (error) {
        if (error instanceof ConfigError)
          throw new CommandError(error.message, EXIT_CONFIG, { cause: error });
        const outage = outageText(error, command);
        throw outage === null ? error : new CommandError(outage, EXIT_REFUSED, { cause: error });
      }
    },
  };
}
