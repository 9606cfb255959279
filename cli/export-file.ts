// A file with everything that moves, as JSON lines: a header with its version, a record on each line, and a
// last line with their number and the SHA-256 of all before it. Secrets in it are hashed or sealed, as in the
// store. It is there whole or not at all, and read only after it was checked from its first to its last byte.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { isTransferred, type TransferRecord } from '#core/domain/transfer.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Transfer } from '#core/ports/transfer.ts';
import { KINDS, noCounts, type Counts } from './move.ts';
import { exists, writeNewFile } from './new-file.ts';

/** The version of the format. */
const VERSION = 1;
const BATCH = 500;

interface Header {
  qinbox: 'export';
  version: number;
  /** When it was begun, ISO 8601. */
  at: string;
}

interface Trailer {
  records: number;
  /** Of all lines before this one with their line ends, in hex. */
  sha256: string;
}

export interface Exported {
  counts: Counts;
  at: string;
}

/** Writes the file. Throws, leaving none, when there is one or it cannot be made. */
export async function writeExport(
  file: string,
  source: Pick<Transfer, 'exportAll'>,
  clock: Clock,
): Promise<Exported> {
  const at = new Date(clock.now()).toISOString();
  const counts = noCounts();
  const digest = createHash('sha256');
  let records = 0;
  await writeNewFile(file, async (out) => {
    async function write(lines: readonly object[]): Promise<void> {
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      digest.update(text);
      await out.writeFile(text);
    }
    await write([{ qinbox: 'export', version: VERSION, at } satisfies Header]);
    for await (const batch of source.exportAll(clock.now())) {
      await write(batch);
      for (const { kind } of batch) counts[kind]++;
      records += batch.length;
    }
    await write([{ records, sha256: digest.copy().digest('hex') } satisfies Trailer]);
  });
  return { counts, at };
}

/** Checks the file, and answers what can be copied from it. Throws when it is not whole. */
export async function openExport(file: string): Promise<Exported & Pick<Transfer, 'exportAll'>> {
  if (!(await exists(file))) throw new Error(`${file} is not there, or cannot be read.`);
  const counts = noCounts();
  /** The task that has a dedupe key: while a server writes, a file may get a task and its successor. */
  const holders = new Map<string, string>();
  const header = await check(file, (record) => {
    counts[record.kind]++;
    const held = heldKey(record);
    if (held !== null && (holders.get(held.key) ?? '') < held.id) holders.set(held.key, held.id);
  });

  function withoutLostKey(record: TransferRecord): TransferRecord {
    const held = heldKey(record);
    if (held === null || record.kind !== 'task' || holders.get(held.key) === held.id) return record;
    return { kind: 'task', record: { ...record.record, dedupeKey: null } };
  }

  return {
    counts,
    at: header.at,
    async *exportAll(at) {
      let batch: TransferRecord[] = [];
      for await (const record of recordsIn(file)) {
        if (isTransferred(record, at)) batch.push(withoutLostKey(record));
        if (batch.length < BATCH) continue;
        yield batch;
        batch = [];
      }
      yield batch;
    },
  };
}

/** A task that was not acknowledged, with its owner's dedupe key. */
function heldKey({ kind, record }: TransferRecord): { key: string; id: string } | null {
  if (kind !== 'task' || record.dedupeKey === null || record.acknowledgedAt !== null) return null;
  return { key: `${record.ownerId} ${record.dedupeKey}`, id: record.id };
}

async function check(file: string, see: (record: TransferRecord) => void): Promise<Header> {
  const digest = createHash('sha256');
  let header: Header | undefined;
  let trailer: Trailer | undefined;
  let records = 0;
  for await (const line of linesOf(file)) {
    if (trailer !== undefined) throw damaged(file, 'something follows its last line');
    const value = parse(file, line);
    if (header === undefined) header = headerOf(file, value);
    else if ('sha256' in value) {
      trailer = value as Trailer;
      if (trailer.records !== records) throw damaged(file, `it has ${records} of ${trailer.records} records`);
      if (trailer.sha256 !== digest.copy().digest('hex')) throw damaged(file, 'its checksum is another');
    } else {
      see(recordOf(file, value));
      records++;
    }
    digest.update(`${line}\n`);
  }
  if (header === undefined || trailer === undefined) throw damaged(file, 'it ends too soon');
  return header;
}

async function* recordsIn(file: string): AsyncGenerator<TransferRecord> {
  for await (const line of linesOf(file)) {
    const value = parse(file, line);
    if ('record' in value) yield recordOf(file, value);
  }
}

/** The lines, which end at a line feed and at nothing else: a text may have any other line end. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  for await (const chunk of chunksOf(file)) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, end)]).toString();
      rest = [];
      from = end + 1;
    }
    rest.push(chunk.subarray(from));
  }
  const last = Buffer.concat(rest).toString();
  if (last !== '') yield last;
}

/** Its bytes. Throws in words where it is no file, or cannot be read. */
async function* chunksOf(file: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(file) as AsyncIterable<Buffer>;
  } catch (error) {
    const { code = 'error' } = error as NodeJS.ErrnoException;
    const why = code === 'EISDIR' ? 'it is a folder. Name the file in it' : `${code}. Use another copy of it`;
    throw new Error(`${file} cannot be read: ${why}.`, { cause: error });
  }
}

function parse(file: string, line: string): object {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below.
  }
  throw damaged(file, 'a line of it is no JSON');
}

function headerOf(file: string, value: object): Header {
  const { qinbox, version, at } = value as Partial<Header>;
  if (qinbox !== 'export' || typeof version !== 'number' || typeof at !== 'string')
    throw new Error(`${file} is no export of Qinbox. Make one with: qinbox export --to FILE`);
  if (version > VERSION)
    throw new Error(
      `${file} was written by a newer Qinbox (its format is ${version}, this program knows ${VERSION}). Use the newer Qinbox.`,
    );
  return { qinbox, version, at };
}

function recordOf(file: string, value: object): TransferRecord {
  const { kind, record } = value as Partial<TransferRecord>;
  if (KINDS.every((known) => known !== kind) || typeof record !== 'object' || record === null)
    throw damaged(file, 'a line of it is no record');
  return value as TransferRecord;
}

function damaged(file: string, why: string): Error {
  return new Error(`${file} is damaged or was cut off: ${why}. Nothing was changed. Use another copy of it.`);
}
