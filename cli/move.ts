// Copies everything that moves from one store to another, and proves that the copy is whole. Nothing is ever
// overwritten: a target that holds anything else is refused, and a copy that was cut off is completed by
// running it again.
import { hash } from 'node:crypto';
import type { Clock } from '#core/ports/clock.ts';
import { nameOf, recordsOf, type TransferRecord } from '#core/domain/transfer.ts';
import { QinboxError } from '#core/errors.ts';
import type { Transfer } from '#core/ports/transfer.ts';

/**
 * What is compared is what will still be there after this time, so that nothing runs out while it is
 * compared.
 */
const SETTLED_MS = 60_000;

export const KINDS = [
  'user',
  'key',
  'task',
  'rejected',
  'intake',
  'adapter',
  'push',
  'secret',
  'webhook',
  'followUps',
] as const satisfies TransferRecord['kind'][];
export type Counts = Record<TransferRecord['kind'], number>;

export interface Moved {
  /** What the source holds. */
  counts: Counts;
  /** How many of them an earlier run had copied. */
  before: number;
  /** SHA-256 over all records that were compared, in hex; the same on both sides. */
  checksum: string;
}

type Source = Pick<Transfer, 'exportAll'>;

/**
 * Copies and compares. Throws, in words for the operator, when the target holds something else or the copy is
 * not whole.
 */
export async function move(source: Source, target: Transfer, clock: Clock): Promise<Moved> {
  const begun = clock.now();
  const ours = await takeInventory(source, begun);
  const there = await takeInventory(target, begun);
  const foreign = [...there].filter(([name, digest]) => ours.get(name) !== digest);
  if (foreign.length > 0)
    throw new Error(
      `The target is not empty: ${describe(countKinds(foreign.map(([name]) => name)))} there are not from this install, or ` +
        'were changed since. Name another database (in the address, MONGODB_URL or DATA_DIR), or drop that one, and run this again.',
    );
  try {
    for await (const batch of source.exportAll(begun)) await target.importAll(batch);
  } catch (error) {
    const why =
      error instanceof QinboxError && error.code === 'CONFLICT' ? await explain(source, begun) : null;
    throw why === null ? error : new Error(why, { cause: error });
  }
  return {
    counts: countKinds([...ours.keys()]),
    before: there.size,
    checksum: await compare(source, target, clock.now() + SETTLED_MS),
  };
}

// SQLite names a task by its owner and its id, MongoDB by its id alone. No way in makes two of one id.
async function explain(source: Source, at: number): Promise<string | null> {
  const emails = new Map<string, string>();
  const ownerOf = new Map<string, string>();
  for await (const batch of source.exportAll(at)) {
    for (const user of recordsOf(batch, 'user')) emails.set(user.id, user.email);
    for (const { id, ownerId } of recordsOf(batch, 'task')) {
      const other = ownerOf.get(id);
      ownerOf.set(id, ownerId);
      if (other === undefined) continue;
      const [one, two] = [other, ownerId].map((owner) => emails.get(owner) ?? owner);
      return (
        `Two tasks have the id ${id}, of ${one} and of ${two}, and the target can hold one of them. ` +
        'The source is unchanged. Start its server, acknowledge one of the two and wait ten minutes, until that cannot be undone; ' +
        'then stop the server, drop the target, and run this again.'
      );
    }
  }
  return null;
}

async function compare(source: Source, target: Source, at: number): Promise<string> {
  const wanted = await takeInventory(source, at);
  const found = await takeInventory(target, at);
  const missing = [...wanted].filter(([name, digest]) => found.get(name) !== digest).length;
  const sum = checksumOf(wanted);
  if (missing > 0 || checksumOf(found) !== sum)
    throw new Error(
      `The copy is not whole: ${missing} of ${wanted.size} records are missing or differ, and ${found.size} are there. ` +
        'The source is unchanged. Drop the target, make sure that nothing else writes to it, and run this again.',
    );
  return sum;
}

/** A digest of each record by its kind and id. */
type Inventory = ReadonlyMap<string, string>;

async function takeInventory(store: Source, at: number): Promise<Inventory> {
  const inventory = new Map<string, string>();
  for await (const batch of store.exportAll(at))
    for (const record of batch) inventory.set(`${record.kind} ${nameOf(record)}`, digestOf(record.record));
  return inventory;
}

// The order of a record's fields is the store's own affair; what is inside them is not.
function digestOf(record: TransferRecord['record']): string {
  const fields = Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify(fields));
}

function checksumOf(inventory: Inventory): string {
  const entries = [...inventory].map((entry) => entry.join(' '));
  return hash('sha256', entries.toSorted().join('\n'));
}

export function noCounts(): Counts {
  return Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Counts;
}

function countKinds(names: readonly string[]): Counts {
  const counts = noCounts();
  for (const name of names) counts[name.slice(0, name.indexOf(' ')) as TransferRecord['kind']]++;
  return counts;
}

function describe(counts: Counts): string {
  return KINDS.filter((kind) => counts[kind] > 0)
    .map((kind) => `${counts[kind]} ${NAMES[kind]}`)
    .join(', ');
}

/** What the kinds are called where there are many. */
export const NAMES: Record<TransferRecord['kind'], string> = {
  user: 'users',
  key: 'API keys',
  task: 'tasks',
  rejected: 'rejected submissions',
  intake: 'intakes',
  adapter: 'records of adapters',
  push: 'choices of what is pushed where',
  secret: 'secrets of the program',
  webhook: 'webhooks',
  followUps: 'choices of escalations and digests',
};
