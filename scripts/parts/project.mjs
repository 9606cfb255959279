// Where things are and how to run the project's own programs: always under the Node of node_modules, whatever
// the system has. Runs on Node 20 and needs no package. Every start reads this file, so what few of them need
// is imported where it is used.
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
 * memory, but not while it starts; and to let one thread help with that instead of four, which on a busy core
 * keep the event loop off it for 20 ms at a time (docs/performance.md).
 */
export const nodeFlags = read('node-flags.json');
/**
 * What glibc is told then: one heap for all threads, which give hardly anything back from their own (8 MiB
 * at rest, 16 under load); and a mapping of its own for each block of 32 KiB that V8 compiles in, which goes
 * back at once (3 to 8 MiB at rest, 10 under load).
 */
export const nodeEnv = read('node-env.json');
function read(name) {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
}

const others = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== bin);
/** The environment of programs in node_modules/.bin: they find that folder's Node first. */
export const env = { ...process.env, PATH: [bin, ...others].join(delimiter) };

/** Ends with one line on stderr. */
export function fail(message, code = 1) {
  process.stderr.write(`qinbox: ${message}\n`);
  process.exit(code);
}

/** Runs a program to its end; resolves with its exit code (128 + n for a signal). */
export async function run(command, args, options = {}) {
  const { spawn } = await import('node:child_process');
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: 'inherit', ...options });
    child.once('error', (error) => {
      process.stderr.write(`qinbox: ${command} could not be started (${error.code})\n`);
      resolve(127);
    });
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}

/**
 * Compares files and folders with those that were noted in the stamp: by sizes and times first, which takes a
 * few milliseconds; where these differ, by contents, because a copy has other times. `note` stores what they
 * were at the time of this call. Names in `skip` are left out.
 */
export async function compareWithStamp(stamp, paths, skip = new Set()) {
  const files = paths.flatMap((path) => filesIn(path, skip));
  const listing = files.map(describe).join('\n');
  const [contents, ...lines] = existsSync(stamp) ? readFileSync(stamp, 'utf8').split('\n') : [];
  if (listing === lines.join('\n')) return { same: true, note() {} };
  const now = await hashOf(files);
  const note = () => {
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, `${now}\n${listing}`);
  };
  return { same: now === contents, note };
}

function filesIn(path, skip) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !skip.has(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isFile() ? [join(path, entry.name)] : filesIn(join(path, entry.name), skip)));
}

function describe(file) {
  const { size, mtimeMs, ctimeMs } = statSync(file);
  return `${file} ${size} ${mtimeMs} ${ctimeMs}`;
}

async function hashOf(files) {
  const { createHash } = await import('node:crypto');
  const sum = createHash('sha256');
  for (const file of files) sum.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return sum.digest('hex');
}
