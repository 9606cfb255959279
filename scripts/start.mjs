// `npm start`: packages as locked, the web app as its sources are, then the server in place of this process,
// so that signals and the exit code are its own.
import './ensure.mjs';
import { join } from 'node:path';
import { buildWeb } from './build.mjs';
import { env, node, nodeFlags, root, run } from './parts/project.mjs';

await buildWeb({ force: false });
const args = [...nodeFlags, join(root, 'api', 'main.ts'), ...process.argv.slice(2)];
process.chdir(root);
if (typeof process.execve === 'function' && process.platform !== 'win32')
  process.execve(node, [node, ...args], env);
else {
  // The server hears signals from the terminal itself; this process only has to outlive it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
  process.exitCode = await run(node, args);
}
