// Users.
import type { DatabaseSync } from 'node:sqlite';
import type { UserRecord } from '#core/domain/account.ts';
import { QinboxError } from '#core/errors.ts';
import type { AccountStore } from '#core/ports/account-store.ts';
import { toUser, USERS, userRow, type UserRow } from './account-rows.ts';
import { orConflict, reading } from './faults.ts';
import type { GroupCommit } from './group-commit.ts';
import { prepareRows, prepareWrite, type Rows } from './tables.ts';

type Users = Pick<AccountStore, 'ensureUser' | 'getUser' | 'findUserByEmail' | 'listUsers' | 'changeUser'>;

export function createUsers(db: DatabaseSync, group: GroupCommit): Users {
  const insert = prepareWrite<UserRow>(db, `${USERS.insert} ON CONFLICT (email) DO NOTHING`);
  const update = prepareWrite<UserRow>(db, USERS.update);
  const select = (where: string) => prepareRows<UserRow>(db, `SELECT ${USERS.columns} FROM users ${where}`);
  const byId = select('WHERE id = ?');
  const byEmail = select('WHERE email = ?');
  const all = select('ORDER BY created_at, id');

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
