// A mongod from MongoDB's own download site, fetched once into the cache folder. Where that cannot be had,
// this is found out in bounded time and remembered, so that a machine without a way to it waits once and not
// at every run.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import flags from '../../../scripts/parts/node-flags.json' with { type: 'json' };
import { complaintOf, writeWhole, type Sought } from '../cache.ts';

/** What production runs, as a version that its site keeps. */
const VERSION = '8.2.6';
/** How long nothing may arrive. */
const STALL_MS = 20_000;
/** How long all of it may take. */
const LIMIT_MS = 15 * 60_000;
/** How long a failure is believed to last. */
export const RETRY_AFTER_MS = 4 * 24 * 3_600_000;

interface Outcome {
  sought: Sought;
  /** When it was tried, in milliseconds. */
  at: number;
}

/**
 * The mongod in this folder, downloaded if it is not there and no download failed within the last 4 days. Its
 * environment may set what mongodb-memory-server reads: `MONGOMS_DOWNLOAD_MIRROR`.
 */
export async function downloadMongod(
  cache: string,
  now = Date.now(),
  stallMs = STALL_MS,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Sought> {
  const folder = join(cache, `mongod-${VERSION}`);
  const note = join(folder, 'outcome.json');
  const before = existsSync(note) ? (JSON.parse(readFileSync(note, 'utf8')) as Outcome) : null;
  if (before !== null && 'path' in before.sought && existsSync(before.sought.path)) return before.sought;
  if (before !== null && 'missing' in before.sought && now - before.at < RETRY_AFTER_MS)
    return {
      missing: `${before.sought.missing}; not tried again for some days, or until ${note} is removed`,
    };
  mkdirSync(folder, { recursive: true });
  const sought = await download(folder, stallMs, env);
  writeWhole(note, JSON.stringify({ sought, at: now } satisfies Outcome));
  return sought;
}

// In a process of its own: whatever a download that hangs holds open ends with it.
async function download(folder: string, stallMs: number, env: NodeJS.ProcessEnv): Promise<Sought> {
  const script = join(import.meta.dirname, 'download-process.ts');
  try {
    const ran = await promisify(execFile)(
      process.execPath,
      [...flags, script, folder, VERSION, String(stallMs)],
      {
        // The downloader asks for no valid certificate unless it is told to.
        env: { ...env, npm_config_strict_ssl: 'true' },
        timeout: LIMIT_MS,
        killSignal: 'SIGKILL',
      },
    );
    return { path: ran.stdout.trim().split('\n').at(-1) ?? '' };
  } catch (error) {
    return { missing: `mongod ${VERSION} could not be downloaded (${complaintOf(error)})` };
  }
}
