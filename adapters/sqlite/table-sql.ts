// SQL for tables whose columns have the names of their rows' fields in snake case (`avatarUrl`:
// `avatar_url`).
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** A record as a row: booleans are 0 or 1. */
export type RowOf<R> = { [K in keyof R]: R[K] extends boolean ? number : R[K] };

export interface Table<Row> {
  name: string;
  fields: readonly (keyof Row & string)[];
  /** The columns under the names of the fields, for SELECT and RETURNING. */
  columns: string;
  /** INSERT of a row by the names of its fields, without what follows VALUES. */
  insert: string;
  /** UPDATE of all columns of the row with the same `id`. */
  update: string;
}

export function tableOf<Row>(name: string, fields: readonly (keyof Row & string)[]): Table<Row> {
  const columns = fields.map((field) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  return {
    name,
    fields,
    columns: columns.map((column, index) => `${name}.${column} AS ${fields[index]}`).join(', '),
    insert: `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${fields.map((field) => `:${field}`).join(', ')})`,
    update: `UPDATE ${name} SET ${columns.map((column, index) => `${column} = :${fields[index]}`).join(', ')} WHERE id = :id`,
  };
}

/** A statement that reads rows. */
export interface Rows<Row> {
  get(...parameters: SQLInputValue[]): Row | undefined;
  all(...parameters: SQLInputValue[]): Row[];
}

export function prepareRows<Row>(db: DatabaseSync, sql: string): Rows<Row> {
  // The tables are STRICT: each column has the type that the schema says.
  return db.prepare(sql) as unknown as Rows<Row>;
}

/** A statement that writes rows; how many it changed. Ignores fields that the statement does not name. */
export function prepareWrite<Row extends Record<keyof Row, SQLInputValue>>(
  db: DatabaseSync,
  sql: string,
): (row: Row) => number {
  const statement = db.prepare(sql);
  statement.setAllowUnknownNamedParameters(true);
  return (row) => Number(statement.run(row as Record<string, SQLInputValue>).changes);
}
