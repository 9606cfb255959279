// Users, keys, sessions and sign-in links. Secrets arrive hashed.
import type { DatabaseSync } from 'node:sqlite';
import type { SessionRecord } from '#core/domain/account.ts';
import type { LastUses } from '#core/last-uses.ts';
import type { AccountStore } from '#core/ports/account-store.ts';
import { SESSIONS, toUser, USERS, type UserRow } from './account-rows.ts';
import { createApiKeys } from './api-keys.ts';
import { orConflict, reading } from './faults.ts';
import type { GroupCommit } from './group-commit.ts';
import { prepareRows, prepareWrite } from './tables.ts';
import { createUsers } from './users.ts';

export function createSqliteAccountStore(
  db: DatabaseSync,
  group: GroupCommit,
  keyUses: LastUses,
): AccountStore {
  const insertSession = prepareWrite<SessionRecord>(db, SESSIONS.insert);
  const updateSession = prepareWrite<SessionRecord>(db, SESSIONS.update);
  const sessionById = prepareRows<SessionRecord>(db, `SELECT ${SESSIONS.columns} FROM sessions WHERE id = ?`);
  const userById = prepareRows<UserRow>(db, `SELECT ${USERS.columns} FROM users WHERE id = ?`);
  const revokeOf = db.prepare('UPDATE sessions SET revoked_at = ? WHERE user_id = ? AND revoked_at IS NULL');
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
    touchKey(id, at) {
      keyUses.note(id, at);
      return Promise.resolve();
    },

    createSession: (session) => group.write(() => void orConflict(() => insertSession(session))),
    getSession: (id) =>
      reading(() => {
        const session = sessionById.get(id);
        const user = session === undefined ? undefined : userById.get(session.userId);
        if (session === undefined || user === undefined) return null;
        return { session: { ...session }, user: toUser(user) };
      }),
    changeSession: (id, rule) =>
      group.write(() => {
        const before = sessionById.get(id);
        if (before === undefined) return null;
        const after = rule(before);
        if (after !== before) updateSession({ ...after, id });
        return { ...after };
      }),
    revokeSessions: (userId, at) => group.write(() => void revokeOf.run(at, userId)),

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
