// The `qinbox` that is one file: the commands of everybody with a key, without the server. It runs on the
// Node that the machine has, from 20 on.
import { clientCommands } from './client-commands.ts';
import { createRunner } from './line.ts';

const run = createRunner(clientCommands, () => Promise.resolve([]));

async function main(): Promise<void> {
  process.exitCode = await run(process.argv.slice(2));
}

void main();
