// Python packages for tests, installed once on a machine and as pinned.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { installOnce, type Sought } from './cache.ts';
import { findProgram } from './service.ts';

const PIP = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps'];

/** The folder with the packages that the file names, for PYTHONPATH; installed now if they were not. */
export async function installPackages(name: string, requirements: string): Promise<Sought> {
  const python = findProgram('python3');
  if (python === null) return { missing: `there is no Python to run ${name} with` };
  return installOnce(name, readFileSync(requirements), (folder) =>
    promisify(execFile)(python, [...PIP, '-r', requirements, '--target', folder]),
  );
}
