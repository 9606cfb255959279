// Installs the packages when they are missing or package-lock.json has changed since; does nothing, in
// milliseconds, otherwise. npm runs it before start, test and the rest; it needs Node 20 and no package, and
// writes to stderr only.
import { existsSync, readFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { bin, compareWithStamp, fail, node, root } from './parts/project.mjs';

const lockFile = join(root, 'package-lock.json');
const installedFile = join(root, 'node_modules', '.package-lock.json');
const stampFile = join(root, 'node_modules', '.qinbox-installed');
const REASONS = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ECONNRESET/,
    'the package registry cannot be reached; check the network, then try again',
  ],
  [/ENOSPC/, 'the disk is full'],
  [/EACCES|EPERM|EROFS/, 'node_modules cannot be written; check who owns this folder'],
  [/EUSAGE|in sync/, 'package.json and package-lock.json do not fit together; run `npm install`'],
  [
    /EINTEGRITY/,
    'a package does not have the checksum in package-lock.json; run `npm cache verify`, then try again',
  ],
];

if (Number(process.versions.node.split('.')[0]) < 20)
  fail(`Node 20 or newer is needed; this is ${process.version}`);
const locked = await compareWithStamp(stampFile, [lockFile]);
if (!existsSync(node) || !(locked.same || matches())) await install();
locked.note();

// Somebody may have run `npm ci` or `npm install` by hand: npm notes what it installed.
function matches() {
  if (!existsSync(node) || !existsSync(installedFile)) return false;
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages;
  const locked = JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  return (
    Object.keys(installed).every((path) => path in locked) &&
    Object.entries(locked).every(
      ([path, entry]) =>
        path === '' ||
        entry.link ||
        (installed[path] ? installed[path].version === entry.version : entry.optional),
    )
  );
}

async function install() {
  const { spawnSync } = await import('node:child_process');
  const first = !existsSync(join(root, 'node_modules'));
  process.stderr.write(
    `qinbox: installing packages (${first ? 'first run, about a minute' : 'package-lock.json has changed'}) …\n`,
  );
  const args = ['ci', '--include=dev', '--loglevel=error', '--no-audit', '--no-fund'];
  args.push('--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000');
  const [command, before] = npm();
  const done = spawnSync(command, [...before, ...args], {
    cwd: root,
    env: cleanEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (done.error) fail(`packages are not installed: npm could not be started (${done.error.code})`);
  if (done.status !== 0) fail(`packages are not installed: ${reason(done.stderr)}`);
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? '';
  if (!/^v2[4-9]/.test(version))
    fail(
      'packages are installed, but not Node 24: npm must be allowed to run the install script of the package `node`',
    );
}

// The npm that runs this script if one does, under the Node that it runs on: the one in node_modules is about
// to be replaced.
function npm() {
  const script = process.env.npm_execpath ?? '';
  const runner = process.env.npm_node_execpath ?? '';
  const usable =
    basename(script) === 'npm-cli.js' && existsSync(script) && existsSync(runner) && !runner.startsWith(root);
  return usable ? [runner, [script]] : ['npm', []];
}

// npm hands its own settings and the calling script's down by the environment; `npm ci` must see only the
// user's.
function cleanEnvironment() {
  const dropped =
    /^(npm_(lifecycle|package|command|execpath|node_execpath|config_(omit|include|only|production|dry_run|global|location|loglevel|json|silent|prefix|local_prefix))|NODE_ENV|INIT_CWD)/i;
  const entries = Object.entries(process.env).filter(([name]) => !dropped.test(name));
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== bin && !folder.includes('node-gyp-bin'));
  return { ...Object.fromEntries(entries), PATH: path.join(delimiter) };
}

function reason(stderr) {
  const known = REASONS.find(([pattern]) => pattern.test(stderr));
  if (known) return known[1];
  const lines = stderr.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim());
  return lines.find((line) => line !== '' && !line.startsWith('code ')) ?? 'npm ci failed';
}
