// Where servers for tests are kept between runs, so that they are built or downloaded once on a machine.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** A program that can be started, or why there is none on this machine. */
export type Sought = { path: string } | { missing: string };

/** The folder itself; made if it is not there. */
export function cacheFolder(): string {
  const folder = join(homedir(), '.cache', 'qinbox');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The folder that `install` fills, for this name and these contents of a lock; filled now if it was not. */
export async function installOnce(
  name: string,
  lock: Buffer,
  install: (folder: string) => Promise<unknown>,
): Promise<Sought> {
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  const path = join(cacheFolder(), `${name}-${hash}`);
  if (existsSync(path)) return { path };
  const folder = mkdtempSync(join(cacheFolder(), `${name}-`));
  try {
    await install(folder);
    // In one step: another run may be at it, too.
    if (!existsSync(path)) renameSync(folder, path);
    return { path };
  } catch (error) {
    return { missing: `${name} could not be installed (${complaintOf(error)})` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes a file that others may read at the same moment. */
export function writeWhole(path: string, text: string): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

/** The last line of what a failed command complained, or of the fault itself. */
export function complaintOf(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  return (said.trim() === '' ? String(error) : said).trim().split('\n').at(-1) ?? '';
}
