// The port of users, keys, sessions and sign-in links over SQLite. Only hashes of secrets arrive here, so only hashes
// are in the file. Writes share the group commit with the tasks.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { QinboxError } from '#core/errors.ts';
import type { ApiKeyRecord, SessionRecord, UserRecord } from '#core/domain/account.ts';
import type { AccountStore } from '#core/ports/account-store.ts';
import {
  KEY_COLUMNS,
  SESSION_COLUMNS,
  toKey,
  toSession,
  toUser,
  USER_COLUMNS,
  userValues,
  keyValues,
  sessionValues,
} from './account-rows.ts';
import { prepareQuery } from './database.ts';
import { isConstraintFault, reading } from './faults.ts';
import type { GroupCommit } from './group-commit.ts';
import { createLastUses } from './last-uses.ts';

/** An account store that may hold back the last uses of keys. */
export interface SqliteAccountStore extends AccountStore {
  /** Hands what was held back to the group commit. */
  flush(): void;
}

export function createSqliteAccountStore(db: DatabaseSync, group: GroupCommit): SqliteAccountStore {
  const list = (columns: readonly string[], table: string): string =>
    columns.map((column) => `${table}.${column}`).join(', ');
  const insertInto = (table: string, columns: readonly string[], more = '') =>
    db.prepare(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) ${more}`,
    );
  const updateOf = (table: string, columns: readonly string[]) =>
    db.prepare(`UPDATE ${table} SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`);

  const user = list(USER_COLUMNS, 'users');
  const key = list(KEY_COLUMNS, 'api_keys');
  const session = list(SESSION_COLUMNS, 'sessions');

  const insertUser = insertInto('users', USER_COLUMNS, 'ON CONFLICT (email) DO NOTHING');
  const updateUser = updateOf('users', USER_COLUMNS);
  const userById = prepareQuery(db, `SELECT ${user} FROM users WHERE id = ?`);
  const userByEmail = prepareQuery(db, `SELECT ${user} FROM users WHERE email = ?`);
  const allUsers = prepareQuery(db, `SELECT ${user} FROM users ORDER BY created_at, id`);

  const insertKey = insertInto('api_keys', KEY_COLUMNS);
  const countKeys = prepareQuery(
    db,
    'SELECT count(*) FROM api_keys WHERE user_id = ? AND revoked_at IS NULL',
  );
  const keyByHash = prepareQuery(
    db,
    `SELECT ${key}, ${user} FROM api_keys JOIN users ON users.id = api_keys.user_id WHERE api_keys.hash = ?`,
  );
  const activeKeys = prepareQuery(
    db,
    `SELECT ${key} FROM api_keys WHERE user_id = ? AND revoked_at IS NULL ORDER BY created_at DESC, id DESC`,
  );
  const revoke = db.prepare(
    'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND user_id = ? AND revoked_at IS NULL',
  );

  const insertSession = insertInto('sessions', SESSION_COLUMNS);
  const updateSession = updateOf('sessions', SESSION_COLUMNS);
  const sessionById = prepareQuery(db, `SELECT ${session} FROM sessions WHERE id = ?`);
  const sessionWithUser = prepareQuery(
    db,
    `SELECT ${session}, ${user} FROM sessions JOIN users ON users.id = sessions.user_id WHERE sessions.id = ?`,
  );

  const revokeOf = db.prepare('UPDATE sessions SET revoked_at = ? WHERE user_id = ? AND revoked_at IS NULL');

  const insertLink = db.prepare('INSERT INTO signin_links (hash, user_id, expires_at) VALUES (?, ?, ?)');
  const takeLink = prepareQuery(
    db,
    'DELETE FROM signin_links WHERE hash = ? AND expires_at > ? RETURNING user_id',
  );
  const purgeLinks = db.prepare('DELETE FROM signin_links WHERE expires_at < ?');
  const purgeSessions = db.prepare('DELETE FROM sessions WHERE expires_at < ? OR revoked_at < ?');

  const uses = createLastUses(db, group, 'api_keys');

  /** A second record with the same id, hash or e-mail is a conflict and not a fault of the store. */
  function unique<T>(write: () => T): T {
    try {
      return write();
    } catch (error) {
      throw isConstraintFault(error) ? new QinboxError('CONFLICT', undefined, { cause: error }) : error;
    }
  }

  function change<R extends UserRecord | SessionRecord>(
    before: R | null,
    rule: (record: R) => R,
    save: (after: R) => void,
  ): R | null {
    if (before === null) return null;
    const after = rule(before);
    if (after !== before) unique(() => save(after));
    return after;
  }

  const readUser = (row: ReturnType<typeof userById.get>): UserRecord | null =>
    row === undefined ? null : toUser(row);
  const run = (statement: { run(...values: SQLInputValue[]): unknown }, values: SQLInputValue[]): void => {
    statement.run(...values);
  };

  return {
    flush: () => uses.flush(),

    ensureUser: (record) =>
      group.write(() => {
        const created = unique(() => insertUser.run(...userValues(record))).changes > 0;
        return { user: created ? record : toUser(userByEmail.get(record.email) ?? []), created };
      }),
    getUser: (id) => reading(() => readUser(userById.get(id))),
    findUserByEmail: (email) => reading(() => readUser(userByEmail.get(email))),
    listUsers: () => reading(() => allUsers.all().map((row) => toUser(row))),
    changeUser: (id, rule) =>
      group.write(() =>
        change(readUser(userById.get(id)), rule, (after) => run(updateUser, [...userValues(after), id])),
      ),

    createKey: (record: ApiKeyRecord, limit) =>
      group.write(() => {
        if ((countKeys.get(record.userId)?.[0] as number) >= limit) return false;
        unique(() => insertKey.run(...keyValues(record)));
        return true;
      }),
    findKeyByHash: (hash) =>
      reading(() => {
        const row = keyByHash.get(hash);
        return row === undefined ? null : { key: toKey(row), user: toUser(row, KEY_COLUMNS.length) };
      }),
    listKeys: (userId) => reading(() => activeKeys.all(userId).map((row) => toKey(row))),
    revokeKey: (userId, id, at) => group.write(() => revoke.run(at, id, userId).changes > 0),
    touchKey(id, at) {
      uses.note(id, at);
      return Promise.resolve();
    },

    createSession: (record) => group.write(() => unique(() => run(insertSession, sessionValues(record)))),
    getSession: (id) =>
      reading(() => {
        const row = sessionWithUser.get(id);
        return row === undefined
          ? null
          : { session: toSession(row), user: toUser(row, SESSION_COLUMNS.length) };
      }),
    changeSession: (id, rule) =>
      group.write(() => {
        const row = sessionById.get(id);
        const before = row === undefined ? null : toSession(row);
        return change(before, rule, (after) => run(updateSession, [...sessionValues(after), id]));
      }),

    revokeSessions: (userId, at) => group.write(() => void revokeOf.run(at, userId)),

    createLink: (hash, userId, expiresAt) =>
      group.write(() => unique(() => run(insertLink, [hash, userId, expiresAt]))),
    consumeLink: (hash, now) => group.write(() => (takeLink.get(hash, now)?.[0] ?? null) as string | null),

    purge: (now) =>
      group.write(() => {
        purgeLinks.run(now);
        purgeSessions.run(now, now);
      }),
  };
}
