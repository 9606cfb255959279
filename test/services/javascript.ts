// JavaScript packages for tests, installed once on a machine and as locked.
import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installOnce, type Sought } from './cache.ts';

const NPM = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];

/** The folder that has the packages of `from`, which has their lock; installed now if they were not. */
export function installModules(name: string, from: string): Promise<Sought> {
  return installOnce(name, readFileSync(join(from, 'package-lock.json')), async (folder) => {
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(join(from, file), join(folder, file));
    await promisify(execFile)('npm', NPM, { cwd: folder });
  });
}
