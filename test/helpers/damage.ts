// Breaks a database file as a bad disk does: what is on one page is no longer what SQLite wrote there.
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** The page at the root of a table or an index. Nothing may have the file open. */
function rootOf(file: string, name: string): { at: number; size: number } {
  const db = new DatabaseSync(file);
  // What is in the log goes into the file first.
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const { page_size: size } = db.prepare('PRAGMA page_size').get() as { page_size: number };
  const found = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name);
  db.close();
  if (found === undefined) throw new Error(`there is no ${name} in ${file}`);
  return { at: (Number(found['rootpage']) - 1) * size, size };
}

/** Overwrites the page at the root of this table or index. */
export function breakPage(file: string, name: string): void {
  const { at, size } = rootOf(file, name);
  write(file, at, Buffer.alloc(size, 0xa5));
}

/**
 * Changes one byte of an entry on the page at the root of this index of texts; the form of the page stays
 * sound.
 */
export function breakEntry(file: string, name: string): void {
  const { at, size } = rootOf(file, name);
  const byte = Buffer.alloc(1);
  const opened = openSync(file, 'r');
  readSync(opened, byte, 0, 1, at + size - 5);
  closeSync(opened);
  write(file, at + size - 5, Buffer.from([(byte[0] ?? 0) ^ 1]));
}

function write(file: string, at: number, bytes: Buffer): void {
  const opened = openSync(file, 'r+');
  writeSync(opened, bytes, 0, bytes.length, at);
  closeSync(opened);
}
