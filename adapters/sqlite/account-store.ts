// Users, keys, sessions and sign-in links. Secrets arrive hashed.
import type { DatabaseSync } from 'node:sqlite';
import type { Scope } from '#core/contract/index.ts';
import { leastUsed, type ApiKeyRecord, type SessionRecord, type UserRecord } from '#core/domain/account.ts';
import { QinboxError } from '#core/errors.ts';
import type { LastUses } from '#core/last-uses.ts';
import { MAX_SESSIONS, STORED_REVOKED_KEYS, type AccountStore } from '#core/ports/account-store.ts';
import { orConflict, reading } from './faults.ts';
import type { GroupCommit } from './disk/group-commit.ts';
import { prepareRows, prepareWrite, tableOf, type RowOf, type Rows } from './table-sql.ts';

/** `views` are JSON, or null when there are none. */
type UserRow = RowOf<Omit<UserRecord, 'views' | 'deletingAt'>> & {
  views: string | null;
  deletingAt: number | null;
};

export const USERS = tableOf<UserRow>('users', [
  'id',
  'email',
  'name',
  'avatarUrl',
  'authProvider',
  'emailVerified',
  'isActive',
  'isAdmin',
  'createdAt',
  'lastLoginAt',
  'passwordHash',
  'views',
  'deletingAt',
]);

export function userRow(user: UserRecord): UserRow {
  return {
    ...user,
    emailVerified: Number(user.emailVerified),
    isActive: Number(user.isActive),
    isAdmin: Number(user.isAdmin),
    views: user.views.length === 0 ? null : JSON.stringify(user.views),
    deletingAt: user.deletingAt ?? null,
  };
}

export function toUser({ deletingAt, ...row }: UserRow): UserRecord {
  return {
    ...row,
    emailVerified: row.emailVerified === 1,
    isActive: row.isActive === 1,
    isAdmin: row.isAdmin === 1,
    views: row.views === null ? [] : (JSON.parse(row.views) as UserRecord['views']),
    ...(deletingAt === null ? {} : { deletingAt }),
  };
}

/** `scopes` are separated by commas. */
type KeyRow = Omit<ApiKeyRecord, 'scopes'> & { scopes: string };

export const KEYS = tableOf<KeyRow>('api_keys', [
  'id',
  'userId',
  'name',
  'description',
  'hash',
  'prefix',
  'last4',
  'scopes',
  'createdAt',
  'expiresAt',
  'lastUsedAt',
  'revokedAt',
]);

export function keyRow(key: ApiKeyRecord): KeyRow {
  return { ...key, scopes: key.scopes.join(',') };
}

export function toKey(row: KeyRow): ApiKeyRecord {
  return { ...row, scopes: row.scopes === '' ? [] : (row.scopes.split(',') as Scope[]) };
}

const SESSIONS = tableOf<SessionRecord>('sessions', [
  'id',
  'userId',
  'refreshHash',
  'generation',
  'previousHash',
  'previousUntil',
  'createdAt',
  'expiresAt',
  'revokedAt',
]);

type Users = Pick<
  AccountStore,
  'ensureUser' | 'getUser' | 'findUserByEmail' | 'listUsers' | 'listBeingDeleted' | 'changeUser'
>;

function createUsers(db: DatabaseSync, group: GroupCommit): Users {
  const insert = prepareWrite<UserRow>(db, `${USERS.insert} ON CONFLICT (email) DO NOTHING`);
  const update = prepareWrite<UserRow>(db, USERS.update);
  const select = (where: string) => prepareRows<UserRow>(db, `SELECT ${USERS.columns} FROM users ${where}`);
  const byId = select('WHERE id = ?');
  const byEmail = select('WHERE email = ?');
  const all = select('ORDER BY created_at, id');
  const beingDeleted = select('WHERE deleting_at IS NOT NULL ORDER BY created_at, id');

  function find(rows: Rows<UserRow>, value: string): UserRecord | null {
    const row = rows.get(value);
    return row === undefined ? null : toUser(row);
  }

  return {
    ensureUser: (user) =>
      group.write(() => {
        if (orConflict(() => insert(userRow(user))) > 0) return { user, created: true };
        const other = find(byEmail, user.email);
        if (other === null) throw new QinboxError('CONFLICT');
        return { user: other, created: false };
      }),
    getUser: (id) => reading(() => find(byId, id)),
    findUserByEmail: (email) => reading(() => find(byEmail, email)),
    listUsers: () => reading(() => all.all().map(toUser)),
    listBeingDeleted: () => reading(() => beingDeleted.all().map(toUser)),
    changeUser: (id, rule) =>
      group.write(() => {
        const before = find(byId, id);
        if (before === null) return null;
        const after = rule(before);
        if (after !== before) orConflict(() => update(userRow({ ...after, id })));
        return after;
      }),
  };
}

/** Rows that one transaction removes. */
const REMOVED_AT_ONCE = 500;

type ApiKeys = Pick<AccountStore, 'createKey' | 'findKeyByHash' | 'listKeys' | 'revokeKey'>;

function createApiKeys(db: DatabaseSync, group: GroupCommit): ApiKeys {
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
  const removeRevoked = db.prepare(
    'DELETE FROM api_keys WHERE rowid IN (SELECT rowid FROM api_keys INDEXED BY api_keys_revoked ' +
      'WHERE user_id = ? AND revoked_at IS NOT NULL ORDER BY revoked_at DESC ' +
      `LIMIT ${REMOVED_AT_ONCE} OFFSET ${STORED_REVOKED_KEYS})`,
  );

  return {
    createKey: (key, limit) =>
      group.write(() => {
        removeRevoked.run(key.userId);
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

type Sessions = Pick<AccountStore, 'createSession' | 'getSession' | 'changeSession' | 'revokeSessions'>;

function createSessions(db: DatabaseSync, group: GroupCommit): Sessions {
  const insert = prepareWrite<SessionRecord>(db, SESSIONS.insert);
  const update = prepareWrite<SessionRecord>(db, SESSIONS.update);
  const byId = prepareRows<SessionRecord>(db, `SELECT ${SESSIONS.columns} FROM sessions WHERE id = ?`);
  const userById = prepareRows<UserRow>(db, `SELECT ${USERS.columns} FROM users WHERE id = ?`);
  const revokeOf = db.prepare('UPDATE sessions SET revoked_at = ? WHERE user_id = ? AND revoked_at IS NULL');
  const removeRevoked = db.prepare(
    'DELETE FROM sessions WHERE rowid IN (SELECT rowid FROM sessions INDEXED BY sessions_user ' +
      `WHERE user_id = ? AND revoked_at IS NOT NULL LIMIT ${REMOVED_AT_ONCE})`,
  );
  const othersOf = prepareRows<SessionRecord>(
    db,
    `SELECT ${SESSIONS.columns} FROM sessions INDEXED BY sessions_user WHERE user_id = ? AND revoked_at IS NULL`,
  );
  const remove = db.prepare('DELETE FROM sessions WHERE id = ?');

  return {
    createSession: (session) =>
      group.write(() => {
        removeRevoked.run(session.userId);
        const surplus = leastUsed(othersOf.all(session.userId), MAX_SESSIONS - 1);
        for (const { id } of surplus) remove.run(id);
        orConflict(() => insert(session));
        return surplus.length > 0;
      }),
    getSession: (id) =>
      reading(() => {
        const session = byId.get(id);
        const user = session === undefined ? undefined : userById.get(session.userId);
        if (session === undefined || user === undefined) return null;
        return { session: { ...session }, user: toUser(user) };
      }),
    changeSession: (id, rule) =>
      group.write(() => {
        const before = byId.get(id);
        if (before === undefined) return null;
        const after = rule(before);
        if (after !== before) update({ ...after, id });
        return { ...after };
      }),
    revokeSessions: (userId, at) => group.write(() => void revokeOf.run(at, userId)),
  };
}

export function createSqliteAccountStore(
  db: DatabaseSync,
  group: GroupCommit,
  keyUses: LastUses,
): AccountStore {
  const purgeSessions = db.prepare('DELETE FROM sessions WHERE expires_at < ?1 OR revoked_at < ?1');

  const insertLink = db.prepare('INSERT INTO signin_links (hash, user_id, expires_at) VALUES (?, ?, ?)');
  const takeLink = prepareRows<{ userId: string }>(
    db,
    'DELETE FROM signin_links WHERE hash = ? AND expires_at > ? RETURNING user_id AS userId',
  );
  const purgeLinks = db.prepare('DELETE FROM signin_links WHERE expires_at < ?');

  return {
    ...createUsers(db, group),
    ...createApiKeys(db, group),
    ...createSessions(db, group),
    touchKey(id, at) {
      keyUses.note(id, at);
      return Promise.resolve();
    },

    createLink: (hash, userId, expiresAt) =>
      group.write(() => void orConflict(() => insertLink.run(hash, userId, expiresAt))),
    // All rows, because a statement that was not read to its end has removed nothing.
    consumeLink: (hash, now) => group.write(() => takeLink.all(hash, now)[0]?.userId ?? null),

    purge: (now) =>
      group.write(() => {
        purgeLinks.run(now);
        purgeSessions.run(now);
      }),
  };
}
