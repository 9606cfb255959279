// Reads a whole database and prints its damage as JSON, in a process of its own: it can be interrupted, and a
// file that crashes SQLite does not stop the server.
import { DatabaseSync } from 'node:sqlite';
import { isDamage } from './faults.ts';

/** What is printed: the findings, none for a sound file; or why it could not be read. */
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
