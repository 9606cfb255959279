// JavaScript packages for tests, installed once on a machine and as locked.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, complaintOf, type Sought } from './cache.ts';

/** The folder that has the packages of `from`, which has their lock; installed now if they were not. */
export async function installModules(name: string, from: string): Promise<Sought> {
  const lock = readFileSync(join(from, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  const path = join(cacheFolder(), `${name}-${hash}`);
  if (existsSync(path)) return { path };
  const folder = mkdtempSync(join(cacheFolder(), `${name}-`));
  try {
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(join(from, file), join(folder, file));
    await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
    // In one step: another run may be at it, too.
    if (!existsSync(path)) renameSync(folder, path);
    return { path };
  } catch (error) {
    return { missing: `${name} could not be installed (${complaintOf(error)})` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
