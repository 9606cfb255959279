// Builds the web app into web/dist; with `--if-needed` only when its sources changed since it was last built.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bin, fail, hashOf, readStamp, root, run, writeStamp } from './parts/project.mjs';

const stampFile = join(root, 'node_modules', '.cache', 'qinbox', 'web-sources');
const page = join(root, 'web', 'dist', 'index.html');

/** Builds when the sources of the web app differ from those it was last built from, or when forced. */
export async function buildWeb({ force }) {
  const sources = ['web', 'core/contract', 'package-lock.json'].map((path) => join(root, path));
  const wanted = hashOf(sources, new Set(['dist', 'node_modules', '.DS_Store']));
  if (!force && existsSync(page) && readStamp(stampFile) === wanted) return;
  process.stderr.write('qinbox: building the web app …\n');
  const code = await run(join(bin, 'vite'), ['build', 'web', '--logLevel=warn'], { stdio: ['ignore', 2, 2] });
  if (code !== 0) fail('the web app could not be built; see above');
  writeStamp(stampFile, wanted);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await buildWeb({ force: !process.argv.includes('--if-needed') });
