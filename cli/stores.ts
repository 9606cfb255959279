// Opens a store for the commands that copy all of it.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sqliteCode } from '#adapters/sqlite/faults.ts';
import { openSqliteStorage } from '#adapters/sqlite/storage.ts';
import type { Config } from '#core/config.ts';
import { systemClock } from '#core/system-clock.ts';
import type { Storage } from '#core/ports/storage.ts';

const SQLITE_BUSY = 5;

/** The database of the embedded size. */
export function databaseFile({ dataDir }: Config): string {
  return resolve(join(dataDir, 'qinbox.db'));
}

/** Opens the file for this process alone. Throws while a server runs on it, or another command does. */
export function openAlone(file: string): Storage {
  try {
    return openSqliteStorage({ file, clock: systemClock, exclusive: true });
  } catch (error) {
    if (!(error instanceof Error) || sqliteCode(error.cause) !== SQLITE_BUSY) throw error;
    const advice = 'Stop it, so that nothing is left behind, and run this again.';
    throw new Error(`A server or another command is working on ${file}. ${advice}`, { cause: error });
  }
}

/** Opens MongoDB. Its driver is loaded only here: it takes longer than most commands take to run. */
export async function openMongo(url: string, givenAs = 'MONGODB_URL'): Promise<Storage> {
  const { openMongoStorage } = await import('#adapters/mongodb/storage.ts');
  return openMongoStorage({ url, givenAs, clock: systemClock });
}

/** The server's own store, beside a server that runs. Throws where there is none. */
export async function openToRead(config: Config): Promise<Storage> {
  if (config.production !== null) return openMongo(config.production.mongoUrl);
  const file = databaseFile(config);
  if (!existsSync(file))
    throw new Error(`There is nothing to export: ${file} is not there. Set DATA_DIR to its folder.`);
  return openSqliteStorage({ file, clock: systemClock });
}

/** The server's own store, to be filled. */
export async function openToFill(config: Config): Promise<Storage> {
  return config.production === null ? openAlone(databaseFile(config)) : openMongo(config.production.mongoUrl);
}
