// Prepares a database: refuses one that a newer Qinbox made unreadable, and builds the indexes that are
// missing. One process at a time builds, for as long as that takes; others wait for it, while processes that
// run already go on.
import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { QinboxError } from '#core/errors.ts';
import { withTimeLimit } from '#core/time-limit.ts';
import { buildIndexes, dropRetired, INDEXES_HASH, isComplete, isListed } from './collections.ts';
import { createLease, type LeaseDocument } from './lease.ts';

/**
 * The version of what this program writes, and the oldest program that can read it. Programs side by side
 * leave fields alone that they do not know, so that a new field raises `version` alone; `minimum` is raised
 * by what older programs would misread.
 */
export const SCHEMA = { version: 4, minimum: 1 };

interface SchemaDocument {
  _id: string;
  v: number;
  version: number;
  minimum: number;
  /** When this version was first seen. */
  since: Date;
  /** The {@link INDEXES_HASH} of those that were last seen whole. */
  indexes?: string;
}

const LEASE = 'indexes';
/** A holder that builds takes it again well before it ends. */
const LEASE_MS = 30_000;
const RENEWAL_MS = 10_000;
/** How often one that waits looks. */
const LOOK_MS = 500;
/** How long processes of an older version may still read by indexes that are retired. */
const SIDE_BY_SIDE_MS = 24 * 3_600_000;
/** A server that does not even answer this soon hangs. */
const ANSWER_MS = 8000;
/** No writer that waits for ever for a majority. */
const MAJORITY_MS = 8000;

interface Options {
  /** What this program writes; another one in tests. */
  known?: typeof SCHEMA;
  /** Hears once that another process builds indexes. */
  onWait?: () => void;
  leaseMs?: number;
}

/** `db` must not limit the time of an operation. Throws SERVICE_UNAVAILABLE for a newer database. */
export async function prepareSchema(db: Db, options: Options = {}): Promise<void> {
  const { known = SCHEMA, onWait, leaseMs = LEASE_MS } = options;
  const before = await withTimeLimit(ANSWER_MS, readVersion(db, known));
  const wereWhole = before?.indexes === INDEXES_HASH;
  if (!(wereWhole && (await areStillWhole(db))) && !(await isComplete(db)))
    await buildInTurn(db, leaseMs, onWait);
  const isRaised = before === null || before.version < known.version || before.minimum < known.minimum;
  if (isRaised || !wereWhole) await writeVersion(db, known, isRaised);
  if (isRaised) return;
  if (Date.now() - before.since.getTime() > SIDE_BY_SIDE_MS) await dropRetired(db);
}

async function readVersion(db: Db, known: typeof SCHEMA): Promise<SchemaDocument | null> {
  const found = await db.collection<SchemaDocument>('schema').findOne({ _id: 'schema' });
  if (found !== null && found.minimum > known.version)
    throw new QinboxError(
      'SERVICE_UNAVAILABLE',
      `The database ${db.databaseName} was written by a newer Qinbox (its schema needs ${found.minimum}, this program knows ${known.version}). ` +
        'Start the newer Qinbox, or name another database in MONGODB_URL.',
    );
  return found;
}

/**
 * False also while a process builds, and after one that died has left its lease. A builder has the lease
 * before the server lists an index, so the lease is read after the list.
 */
async function areStillWhole(db: Db): Promise<boolean> {
  return (
    (await isListed(db)) && (await db.collection<LeaseDocument>('leases').findOne({ _id: LEASE })) === null
  );
}

async function writeVersion(db: Db, { version, minimum }: typeof SCHEMA, isRaised: boolean): Promise<void> {
  const $set = { indexes: INDEXES_HASH, ...(isRaised ? { since: new Date() } : {}) };
  await db
    .collection<SchemaDocument>('schema')
    .updateOne(
      { _id: 'schema' },
      { $max: { version, minimum }, $set, $inc: { v: 1 } },
      { upsert: true, writeConcern: { w: 'majority', journal: true, wtimeoutMS: MAJORITY_MS } },
    );
}

/** Builds what is missing, or waits until another process has. */
async function buildInTurn(db: Db, leaseMs: number, onWait: (() => void) | undefined): Promise<void> {
  const lease = createLease((work) => work(db.collection<LeaseDocument>('leases')), LEASE, leaseMs);
  for (let waits = 0; !(await lease.take()); waits++) {
    if (waits === 0) onWait?.();
    await delay(LOOK_MS);
    if (await isComplete(db)) return;
  }
  const renewal = setInterval(() => void lease.take().catch(() => {}), Math.min(RENEWAL_MS, leaseMs / 3));
  try {
    await buildIndexes(db);
  } finally {
    clearInterval(renewal);
    await lease.release().catch(() => {});
  }
}
