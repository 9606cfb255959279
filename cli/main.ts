// The `qinbox` of a clone and of the image: the commands of everybody with a key, and the operator's.
import { clientCommands } from './client-commands.ts';
import type { CommandGroup } from './command.ts';
import { allGroups, createRunner } from './line.ts';

const loadOperator = async () => (await import('./operator-groups.ts')).operatorGroups;

/** All commands that there are. */
export const groups = (): Promise<CommandGroup[]> => allGroups(clientCommands, loadOperator);

/** Runs one command line and answers the exit code. */
export const run = createRunner(clientCommands, loadOperator);
