// Where things are and how to run the project's own programs: always under the Node of node_modules, whatever
// the system has. Runs on Node 20 and needs no package.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const bin = join(root, 'node_modules', '.bin');
const nodeFile = process.platform === 'win32' ? 'node.exe' : 'node';
/** The server as it is built. */
export const server = join(root, 'dist', 'server.js');
/** The Node that the project runs on. */
export const node = join(root, 'node_modules', 'node', 'bin', nodeFile);
/**
 * What Node is told when it runs the server: to keep quiet about `node:sqlite`, which may still change and
 * which nobody who starts Qinbox can do anything about; to collect short-lived objects early, which saves
 * memory; and to let one thread help with that instead of four, which on a busy core keep the event loop off
 * it for 20 ms at a time (docs/performance.md).
 */
export const nodeFlags = JSON.parse(readFileSync(new URL('node-flags.json', import.meta.url), 'utf8'));

const others = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== bin);
/** The environment of programs in node_modules/.bin: they find that folder's Node first. */
export const env = { ...process.env, PATH: [bin, ...others].join(delimiter) };

/** Ends with one line on stderr. */
export function fail(message, code = 1) {
  process.stderr.write(`qinbox: ${message}\n`);
  process.exit(code);
}

/** Runs a program to its end; resolves with its exit code (128 + n for a signal). */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: 'inherit', ...options });
    child.once('error', (error) => {
      process.stderr.write(`qinbox: ${command} could not be started (${error.code})\n`);
      resolve(127);
    });
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}

/** A hash over the names and contents of files and folders, which differs when they changed. */
export function hashOf(paths, skip = new Set()) {
  const hash = createHash('sha256');
  const visit = (path) => {
    if (!existsSync(path)) return;
    if (statSync(path).isDirectory())
      for (const name of readdirSync(path).toSorted()) {
        if (!skip.has(name)) visit(join(path, name));
      }
    else hash.update(`${path}\0`).update(readFileSync(path)).update('\0');
  };
  for (const path of paths) visit(path);
  return hash.digest('hex');
}

/** What was noted under this path, or an empty text. */
export function readStamp(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** Notes a text under this path. */
export function writeStamp(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
