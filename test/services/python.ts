// Python packages for tests, installed once on a machine and as pinned.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, complaintOf, type Sought } from './cache.ts';
import { findProgram } from './service.ts';

/** The folder with the packages that the file names, for PYTHONPATH; installed now if they were not. */
export async function installPackages(name: string, requirements: string): Promise<Sought> {
  const python = findProgram('python3');
  if (python === null) return { missing: `there is no Python to run ${name} with` };
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const path = join(cacheFolder(), `${name}-${hash}`);
  if (existsSync(path)) return { path };
  const folder = mkdtempSync(join(cacheFolder(), `${name}-`));
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps'];
  try {
    await promisify(execFile)(python, [...install, '-r', requirements, '--target', folder]);
    // In one step: another run may be at it, too.
    if (!existsSync(path)) renameSync(folder, path);
    return { path };
  } catch (error) {
    return { missing: `${name} could not be installed (${complaintOf(error)})` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
