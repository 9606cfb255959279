// API keys by the hash of the key.
import type { DatabaseSync } from 'node:sqlite';
import type { AccountStore } from '#core/ports/account-store.ts';
import { KEYS, keyRow, toKey, toUser, USERS, type KeyRow, type UserRow } from './account-rows.ts';
import { orConflict, reading } from './faults.ts';
import type { GroupCommit } from './group-commit.ts';
import { prepareRows, prepareWrite } from './tables.ts';

type ApiKeys = Pick<AccountStore, 'createKey' | 'findKeyByHash' | 'listKeys' | 'revokeKey'>;

export function createApiKeys(db: DatabaseSync, group: GroupCommit): ApiKeys {
  const insert = prepareWrite<KeyRow>(db, KEYS.insert);
  const countActive = prepareRows<{ count: number }>(
    db,
    'SELECT count(*) AS count FROM api_keys WHERE user_id = ? AND revoked_at IS NULL',
  );
  const byHash = prepareRows<KeyRow>(db, `SELECT ${KEYS.columns} FROM api_keys WHERE hash = ?`);
  const userById = prepareRows<UserRow>(db, `SELECT ${USERS.columns} FROM users WHERE id = ?`);
  const active = prepareRows<KeyRow>(
    db,
    `SELECT ${KEYS.columns} FROM api_keys WHERE user_id = ? AND revoked_at IS NULL ` +
      'ORDER BY api_keys.created_at DESC, id DESC',
  );
  const revoke = db.prepare(
    'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND user_id = ? AND revoked_at IS NULL',
  );

  return {
    createKey: (key, limit) =>
      group.write(() => {
        if ((countActive.get(key.userId)?.count ?? 0) >= limit) return false;
        orConflict(() => insert(keyRow(key)));
        return true;
      }),
    findKeyByHash: (hash) =>
      reading(() => {
        const key = byHash.get(hash);
        const user = key === undefined ? undefined : userById.get(key.userId);
        return key === undefined || user === undefined ? null : { key: toKey(key), user: toUser(user) };
      }),
    listKeys: (userId) => reading(() => active.all(userId).map(toKey)),
    revokeKey: (userId, id, at) => group.write(() => revoke.run(at, id, userId).changes > 0),
  };
}
