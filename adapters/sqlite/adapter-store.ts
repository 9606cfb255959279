// What ingestion adapters remember, in SQLite.
import type { DatabaseSync } from 'node:sqlite';
import type { AdapterKey } from '#core/domain/adapter-record.ts';
import type { AdapterStore } from '#core/ports/adapter-store.ts';
import { prepareQuery } from './database.ts';
import { reading } from './faults.ts';
import type { GroupCommit } from './group-commit.ts';
import { ADAPTER_COLUMNS, adapterValues, toAdapterRecord } from './intake-rows.ts';

export function createSqliteAdapterStore(db: DatabaseSync, group: GroupCommit): AdapterStore {
  const columns = ADAPTER_COLUMNS.join(', ');
  const isNamed = 'adapter = ? AND kind = ? AND key = ?';
  const isThere = '(expires_at IS NULL OR expires_at > ?)';
  const put = db.prepare(
    `INSERT INTO adapter_data (${columns}) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (adapter, kind, key) ` +
      'DO UPDATE SET owner_id = excluded.owner_id, value = excluded.value, expires_at = excluded.expires_at',
  );
  const one = prepareQuery(db, `SELECT ${columns} FROM adapter_data WHERE ${isNamed} AND ${isThere}`);
  const takeOne = prepareQuery(
    db,
    `DELETE FROM adapter_data WHERE ${isNamed} AND ${isThere} RETURNING ${columns}`,
  );
  const ofKind = prepareQuery(
    db,
    `SELECT ${columns} FROM adapter_data WHERE adapter = ? AND kind = ? AND ${isThere} ORDER BY key`,
  );
  const ofOwner = prepareQuery(
    db,
    `SELECT ${columns} FROM adapter_data WHERE adapter = ? AND kind = ? AND ${isThere} AND owner_id = ? ORDER BY key`,
  );
  const drop = db.prepare(`DELETE FROM adapter_data WHERE ${isNamed}`);
  const dropOfOwner = db.prepare(`DELETE FROM adapter_data WHERE ${isNamed} AND owner_id = ?`);
  const dropExpired = db.prepare('DELETE FROM adapter_data WHERE expires_at <= ?');

  const values = ({ adapter, kind, key }: AdapterKey) => [adapter, kind, key] as const;

  return {
    put: (record) => group.write(() => void put.run(...adapterValues(record))),
    get: (key, now) =>
      reading(() => {
        const row = one.get(...values(key), now);
        return row === undefined ? null : toAdapterRecord(row);
      }),
    take: (key, now) =>
      group.write(() => {
        // All rows, because only a statement that ran to its end has removed what it answers.
        const [row] = takeOne.all(...values(key), now);
        return row === undefined ? null : toAdapterRecord(row);
      }),
    list: (adapter, kind, now, ownerId) =>
      reading(() =>
        (ownerId === undefined
          ? ofKind.all(adapter, kind, now)
          : ofOwner.all(adapter, kind, now, ownerId)
        ).map(toAdapterRecord),
      ),
    remove: (key, ownerId) =>
      group.write(() => {
        const { changes } =
          ownerId === undefined ? drop.run(...values(key)) : dropOfOwner.run(...values(key), ownerId);
        return changes > 0;
      }),
    purge: (now) => group.write(() => void dropExpired.run(now)),
  };
}
