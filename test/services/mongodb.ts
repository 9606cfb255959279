// A server that speaks MongoDB's protocol, for tests: MONGODB_TEST_URL, else mongod on the PATH, else FerretDB 1.24 over
// SQLite, built here once with Go, else none. No rung downloads a mongod: an operator who wants MongoDB itself names one.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findProgram, foundService, startService, type Found } from './service.ts';

const source = join(import.meta.dirname, 'ferretdb');

/** The MongoDB-speaking server that this machine has. */
export async function findMongo(): Promise<Found> {
  const url = process.env['MONGODB_TEST_URL'] ?? '';
  return url === '' ? startMongo() : { service: foundService(url, 'MongoDB at MONGODB_TEST_URL') };
}

/** A server of one's own, to stop, kill and restart. */
export async function startMongo(): Promise<Found> {
  const mongod = findProgram('mongod');
  if (mongod !== null)
    return {
      service: await startService({
        kind: 'MongoDB',
        program: mongod,
        args: (port, folder) => [
          '--port',
          `${port}`,
          '--bind_ip',
          '127.0.0.1',
          '--dbpath',
          folder,
          '--quiet',
        ],
        url: (port) => `mongodb://127.0.0.1:${port}/`,
      }),
    };
  const ferretdb = buildFerretDb();
  if ('missing' in ferretdb) return ferretdb;
  return {
    service: await startService({
      kind: 'FerretDB 1.24 over SQLite',
      program: ferretdb.path,
      args: (port, folder) => [`127.0.0.1:${port}`, folder],
      url: (port) => `mongodb://127.0.0.1:${port}/`,
    }),
  };
}

/** Whether {@link startMongo} would have to build FerretDB first. */
export function needsFerretDb(): boolean {
  return (process.env['MONGODB_TEST_URL'] ?? '') === '' && findProgram('mongod') === null;
}

/** Where FerretDB is, built now if it was not: minutes the first time. */
export function buildFerretDb(): { path: string } | { missing: string } {
  const hash = createHash('sha256').update(ID_COLUMN.join());
  for (const file of SOURCES) hash.update(readFileSync(join(source, file)));
  const path = join(homedir(), '.cache', 'qinbox', `ferretdb-1.24.0-${hash.digest('hex').slice(0, 12)}`);
  if (existsSync(path)) return { path };
  if (findProgram('go') === null)
    return {
      missing: 'there is no MongoDB (set MONGODB_TEST_URL, or install mongod, or Go 1.23 to build FerretDB)',
    };
  mkdirSync(dirname(path), { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'qinbox-ferretdb-'));
  try {
    buildIn(folder);
    // The cache may be on another disk, and another run may be at it, too.
    copyFileSync(join(folder, 'out'), `${path}.${process.pid}`);
    renameSync(`${path}.${process.pid}`, path);
    return { path };
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    const line = said.trim().split('\n').at(-1) ?? '';
    return { missing: `there is no MongoDB, and FerretDB could not be built (${line})` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const SOURCES = ['main.go', 'go.mod', 'go.sum'];
const MODULE = 'github.com/FerretDB/FerretDB';
/**
 * FerretDB 1.24 looks for an _id by another expression than that of its index on it, and so reads the whole collection each
 * time. This is the expression as it is, and as it must be.
 */
const ID_COLUMN = [`IDColumn = DefaultColumn + "->'$._id'"`, 'IDColumn = DefaultColumn + `->"_id"`'] as const;

function buildIn(folder: string): void {
  const go = (...args: string[]): string =>
    execFileSync('go', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  for (const file of SOURCES) copyFileSync(join(source, file), join(folder, file));
  go('mod', 'download', MODULE);
  const module = go('list', '-m', '-f', '{{.Dir}}', MODULE).trim();
  cpSync(module, join(folder, 'module'), { recursive: true });
  // The module cache is read-only, and so is its copy.
  execFileSync('chmod', ['-R', 'u+w', join(folder, 'module')]);
  const metadata = join(folder, 'module', 'internal', 'backends', 'sqlite', 'metadata', 'metadata.go');
  const text = readFileSync(metadata, 'utf8');
  if (!text.includes(ID_COLUMN[0])) throw new Error('the sources of FerretDB are not those that are known');
  writeFileSync(metadata, text.replace(ID_COLUMN[0], ID_COLUMN[1]));
  go('mod', 'edit', `-replace=${MODULE}=./module`);
  go('build', '-mod=mod', '-o', 'out', '.');
}
