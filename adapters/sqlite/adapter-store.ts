// Data of ingestion adapters.
import type { DatabaseSync } from 'node:sqlite';
import type { AdapterKey, AdapterRecord } from '#core/domain/adapter-record.ts';
import type { AdapterStore } from '#core/ports/adapter-store.ts';
import { reading } from './faults.ts';
import type { GroupCommit } from './disk/group-commit.ts';
import { prepareRows, prepareWrite, tableOf } from './table-sql.ts';

export const ADAPTER_DATA = tableOf<AdapterRecord>('adapter_data', [
  'adapter',
  'kind',
  'key',
  'ownerId',
  'value',
  'expiresAt',
]);

export function createSqliteAdapterStore(db: DatabaseSync, group: GroupCommit): AdapterStore {
  const { columns, insert } = ADAPTER_DATA;
  const prepare = (sql: string) => prepareRows<AdapterRecord>(db, sql);
  const isNamed = 'adapter = ? AND kind = ? AND key = ?';
  const isLive = '(expires_at IS NULL OR expires_at > ?)';
  const ofKind = `SELECT ${columns} FROM adapter_data WHERE adapter = ? AND kind = ? AND ${isLive}`;

  const upsert =
    `${insert} ON CONFLICT (adapter, kind, key) ` +
    'DO UPDATE SET owner_id = excluded.owner_id, value = excluded.value, expires_at = excluded.expires_at';
  const put = prepareWrite<AdapterRecord>(db, upsert);
  const add = prepareWrite<AdapterRecord & { now: number }>(
    db,
    `${upsert} WHERE adapter_data.expires_at <= :now`,
  );
  const find = prepare(`SELECT ${columns} FROM adapter_data WHERE ${isNamed} AND ${isLive}`);
  const take = prepare(`DELETE FROM adapter_data WHERE ${isNamed} AND ${isLive} RETURNING ${columns}`);
  const list = prepare(`${ofKind} ORDER BY key`);
  const listOfOwner = prepare(`${ofKind} AND owner_id = ? ORDER BY key`);
  const remove = db.prepare(`DELETE FROM adapter_data WHERE ${isNamed}`);
  const removeOfOwner = db.prepare(`DELETE FROM adapter_data WHERE ${isNamed} AND owner_id = ?`);
  const removeUnchanged = db.prepare(`DELETE FROM adapter_data WHERE ${isNamed} AND value = ?`);
  const replace = db.prepare(
    `UPDATE adapter_data SET value = ?, expires_at = COALESCE(?, expires_at) WHERE ${isNamed} AND value = ? AND ${isLive}`,
  );
  const purge = db.prepare('DELETE FROM adapter_data WHERE expires_at <= ?');

  const named = ({ adapter, kind, key }: AdapterKey) => [adapter, kind, key] as const;
  const toRecord = (row: AdapterRecord | undefined): AdapterRecord | null =>
    row === undefined ? null : { ...row };

  return {
    add: (record, now) => group.write(() => add({ ...record, now }) > 0),
    put: (record) => group.write(() => void put(record)),
    get: (key, now) => reading(() => toRecord(find.get(...named(key), now))),
    // All rows, because a statement that was not read to its end has removed nothing.
    take: (key, now) => group.write(() => toRecord(take.all(...named(key), now)[0])),
    list: (adapter, kind, now, ownerId) =>
      reading(() =>
        ownerId === undefined ? list.all(adapter, kind, now) : listOfOwner.all(adapter, kind, now, ownerId),
      ),
    remove: (key, ownerId) =>
      group.write(() => {
        const { changes } =
          ownerId === undefined ? remove.run(...named(key)) : removeOfOwner.run(...named(key), ownerId);
        return changes > 0;
      }),
    replace: (record, value, now, expiresAt) =>
      group.write(
        () => replace.run(value, expiresAt ?? null, ...named(record), record.value, now).changes > 0,
      ),
    removeUnchanged: (record) => group.write(() => void removeUnchanged.run(...named(record), record.value)),
    purge: (now) => group.write(() => void purge.run(now)),
  };
}
