// FerretDB 1.24 over SQLite, built once with Go.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { complaintOf, type Sought } from '../cache.ts';
import { findProgram } from '../service.ts';

const SOURCES = ['main.go', 'go.mod', 'go.sum'];
const MODULE = 'github.com/FerretDB/FerretDB';
/**
 * FerretDB 1.24 looks for an _id by another expression than that of its index on it, and so reads the whole collection each
 * time. This is the expression as it is, and as it must be.
 */
const ID_COLUMN = [`IDColumn = DefaultColumn + "->'$._id'"`, 'IDColumn = DefaultColumn + `->"_id"`'] as const;

/** Where FerretDB is in this folder, built now if it was not: minutes the first time. */
export async function buildFerretDb(cache: string): Promise<Sought> {
  const hash = createHash('sha256').update(ID_COLUMN.join());
  for (const file of SOURCES) hash.update(readFileSync(join(import.meta.dirname, file)));
  const path = join(cache, `ferretdb-1.24.0-${hash.digest('hex').slice(0, 12)}`);
  if (existsSync(path)) return { path };
  if (findProgram('go') === null) return { missing: 'there is no Go 1.23 to build FerretDB with' };
  const folder = mkdtempSync(join(tmpdir(), 'qinbox-ferretdb-'));
  try {
    await buildIn(folder);
    // The cache may be on another disk, and another run may be at it, too.
    copyFileSync(join(folder, 'out'), `${path}.${process.pid}`);
    renameSync(`${path}.${process.pid}`, path);
    return { path };
  } catch (error) {
    return { missing: `FerretDB could not be built (${complaintOf(error)})` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function buildIn(folder: string): Promise<void> {
  const go = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('go', args, { cwd: folder })).stdout;
  for (const file of SOURCES) copyFileSync(join(import.meta.dirname, file), join(folder, file));
  await go('mod', 'download', MODULE);
  const module = (await go('list', '-m', '-f', '{{.Dir}}', MODULE)).trim();
  cpSync(module, join(folder, 'module'), { recursive: true });
  // The module cache is read-only, and so is its copy.
  await promisify(execFile)('chmod', ['-R', 'u+w', join(folder, 'module')]);
  const metadata = join(folder, 'module', 'internal', 'backends', 'sqlite', 'metadata', 'metadata.go');
  const text = readFileSync(metadata, 'utf8');
  if (!text.includes(ID_COLUMN[0])) throw new Error('the sources of FerretDB are not those that are known');
  writeFileSync(metadata, text.replace(ID_COLUMN[0], ID_COLUMN[1]));
  await go('mod', 'edit', `-replace=${MODULE}=./module`);
  await go('build', '-mod=mod', '-o', 'out', '.');
}
