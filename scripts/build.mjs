// Builds the web app into web/dist and the server into dist; with `--if-needed` only what has other sources
// than it was last built from.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bin, compareWithStamp, fail, node, root, run, server } from './parts/project.mjs';

const stamps = join(root, 'node_modules', '.cache', 'qinbox');
const PARTS = [
  {
    name: 'the web app',
    sources: ['web', 'docs', 'CHANGELOG.md', 'CONTRIBUTING.md', 'core/contract', 'package-lock.json'],
    result: join(root, 'web', 'dist', 'index.html'),
    stamp: join(stamps, 'web-sources'),
    command: join(bin, 'vite'),
    args: ['build', 'web', '--logLevel=warn'],
  },
  {
    name: 'the server and the command line',
    sources: [
      'core',
      'adapters',
      'api',
      'cli',
      'scripts/parts/bundle.mjs',
      'package.json',
      'package-lock.json',
    ],
    result: server,
    stamp: join(stamps, 'server-sources'),
    command: node,
    args: [join(root, 'scripts', 'parts', 'bundle.mjs')],
  },
];
const NO_SOURCES = new Set(['dist', 'fixtures', 'node_modules', '.DS_Store']);

/** Builds what has other sources than it was last built from, or everything. */
export async function build({ force }) {
  await Promise.all(PARTS.map((part) => buildPart(part, force)));
}

async function buildPart({ name, sources, result, stamp, command, args }, force) {
  const paths = sources.map((path) => join(root, path));
  const sourcesNow = await compareWithStamp(stamp, paths, NO_SOURCES);
  if (!force && existsSync(result) && sourcesNow.same) return sourcesNow.note();
  process.stderr.write(`qinbox: building ${name} …\n`);
  const code = await run(command, args, { stdio: ['ignore', 2, 2] });
  if (code !== 0) fail(`${name} could not be built; see above`);
  sourcesNow.note();
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await build({ force: !process.argv.includes('--if-needed') });
