// Reads a whole database and prints what is wrong with it, as JSON. A process of its own: SQLite cannot be interrupted in the middle,
// a process can; and a file that makes SQLite fall over takes no server with it.
import { DatabaseSync } from 'node:sqlite';
import { isDamage } from './faults.ts';

/** What is printed: at most as many lines as were asked for, none when the file is sound; or why it could not be read. */
export type IntegrityReport = { findings: string[] } | { fault: string };

const BUSY_TIMEOUT_MS = 2000;
const [file = '', pragma = ''] = process.argv.slice(2);

function report(): IntegrityReport {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    const lines = db
      .prepare(`PRAGMA ${pragma}`)
      .all()
      .map((row) => String(Object.values(row)[0]));
    return { findings: lines.filter((line) => line !== 'ok') };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return isDamage(error) ? { findings: [message] } : { fault: message };
  } finally {
    if (db?.isOpen === true) db.close();
  }
}

process.stdout.write(JSON.stringify(report()));
