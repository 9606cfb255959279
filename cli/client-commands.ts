// The commands of everybody with a key: they talk to a server over its API, and need nothing else of Qinbox.
import type { CommandGroup } from './command.ts';
import { inbox } from './commands/inbox.ts';
import { loginCommands } from './commands/login.ts';
import { run } from './commands/run.ts';
import { taskCommands } from './commands/tasks.ts';
import { watch } from './commands/watch.ts';

export const clientCommands: CommandGroup = [
  'Anybody with a key',
  [...loginCommands, inbox, ...taskCommands, run, watch],
];
