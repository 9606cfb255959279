// `npm run dev`: the API, restarted when its files change, and Vite, which serves the web app and hands /api
// and the live socket on to it. One Ctrl-C ends both; when one ends by itself, so does the other.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { bin, env, node, nodeFlags, root } from './parts/project.mjs';

const webPort = process.env.WEB_PORT ?? '5173';
const shared = {
  ...env,
  PORT: process.env.PORT ?? '3000',
  PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${webPort}`,
};
const options = { cwd: root, env: shared, stdio: 'inherit' };
const children = [
  spawn(node, [...nodeFlags, '--watch', '--watch-preserve-output', 'api/main.ts'], options),
  spawn(
    node,
    [join(bin, 'vite'), 'web', '--port', webPort, '--strictPort', '--clearScreen', 'false'],
    options,
  ),
];

let ending = false;
for (const child of children)
  child.once('exit', (code) => {
    if (!ending) process.exitCode = code ?? 1;
    end('SIGTERM');
  });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));

function end(signal) {
  ending = true;
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill(signal);
}
