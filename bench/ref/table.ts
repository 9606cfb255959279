// The least that a durable task store can be: one table, WAL, every commit synced. What Qinbox is measured
// against.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface Row {
  id: string;
  owner: string;
  content: string;
  priority: string;
  source: string;
  tags: string;
  metadata: string;
  createdAt: number;
  updatedAt: number;
  expiresAt: number;
}

/** Opens the table in this folder; returns what the reference servers do with it. */
export function openTable(folder: string) {
  const database = new DatabaseSync(join(folder, 'reference.db'));
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS tasks (
      id TEXT PRIMARY KEY, owner TEXT NOT NULL, content TEXT NOT NULL, priority TEXT NOT NULL, source TEXT NOT NULL,
      tags TEXT NOT NULL, metadata TEXT NOT NULL,
      createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL, expiresAt INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `);
  const insertOne = database.prepare('INSERT INTO tasks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const newest = database.prepare('SELECT * FROM tasks ORDER BY id DESC LIMIT 50');
  const insert = (row: Row): void => {
    const { id, owner, content, priority, source, tags, metadata, createdAt, updatedAt, expiresAt } = row;
    insertOne.run(id, owner, content, priority, source, tags, metadata, createdAt, updatedAt, expiresAt);
  };

  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  let waiting: { row: Row; done: () => void }[] = [];
  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    begin.run();
    for (const { row } of batch) insert(row);
    commit.run();
    for (const { done } of batch) done();
  };

  return {
    /** One transaction, one sync, for this row alone. */
    insert,
    /** All rows that arrive in the same turn of the event loop share one transaction and one sync. */
    insertGrouped: (row: Row): Promise<void> =>
      new Promise((done) => {
        if (waiting.push({ row, done }) === 1) setImmediate(flush);
      }),
    /** The newest 50. */
    newest: () => newest.all(),
    /** Rows for the list measure, in one transaction. */
    fill: (rows: Iterable<Row>): void => {
      begin.run();
      for (const row of rows) insert(row);
      commit.run();
    },
  };
}
