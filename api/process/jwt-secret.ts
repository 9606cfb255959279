// The embedded size's own secret: written at the first start next to the data, readable by its owner alone. A
// crash at any moment leaves no secret or a whole one; a damaged one is replaced only while nothing depends
// on it.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '#core/config-error.ts';

const MIN_CHARACTERS = 32;
const DISK_FULL = ['ENOSPC', 'EDQUOT'];
/** Codes of file systems without hard links, or that cannot sync a folder. */
const NOT_SUPPORTED = ['EPERM', 'EISDIR', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** The secret in `folder`, made when there is none. `database` depends on it. Throws {@link ConfigError}. */
export function readJwtSecret(folder: string, database: string): string {
  const file = join(folder, 'jwt-secret');
  try {
    const stored = read(file);
    if (isWhole(stored)) return stored;
    if (stored !== null && hasData(database)) throw damaged(file);
    create(folder, file, stored !== null);
    // Read again: another process may have been quicker.
    const created = read(file);
    if (isWhole(created)) return created;
    throw damaged(file);
  } catch (error) {
    throw error instanceof ConfigError ? error : new ConfigError('DATA_DIR', explain(folder, error));
  }
}

function isWhole(secret: string | null): secret is string {
  return secret !== null && secret.length >= MIN_CHARACTERS;
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

// An empty database was opened and never written to.
function hasData(database: string): boolean {
  return (statSync(database, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function create(folder: string, file: string, replace: boolean): void {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeDurably(temporary, randomBytes(48).toString('base64url'));
    if (replace) renameSync(temporary, file);
    else publish(temporary, file);
    syncFolder(folder);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function writeDurably(file: string, text: string): void {
  const opened = openSync(file, 'wx', 0o600);
  try {
    writeFileSync(opened, text);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** Gives the file its name unless another process was quicker. */
function publish(temporary: string, file: string): void {
  try {
    linkSync(temporary, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    if (!NOT_SUPPORTED.includes(codeOf(error))) throw error;
    renameSync(temporary, file);
  }
}

function syncFolder(folder: string): void {
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } catch (error) {
    if (!NOT_SUPPORTED.includes(codeOf(error))) throw error;
  } finally {
    closeSync(opened);
  }
}

function damaged(file: string): ConfigError {
  return new ConfigError(
    'DATA_DIR',
    `holds a damaged ${file}; put it back from a backup, or remove it to have a new one made (everybody must sign in again, and the secrets of intakes be entered again)`,
  );
}

function explain(folder: string, error: unknown): string {
  const code = codeOf(error);
  return DISK_FULL.includes(code)
    ? `is on a disk that is full: ${folder} (${code}). Free some space, then start again.`
    : `must be a folder that can be written: ${folder} (${code})`;
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'error';
}
