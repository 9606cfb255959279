// Users. A unique index gives an e-mail address to one of them.
import { QinboxError } from '#core/errors.ts';
import type { AccountStore } from '#core/ports/account-store.ts';
import { toUser, userFields, type UserDocument } from './account-documents.ts';
import type { Database } from './collection.ts';
import { RETRY, retry } from './promises.ts';

export type Users = Pick<
  AccountStore,
  'ensureUser' | 'getUser' | 'findUserByEmail' | 'listUsers' | 'changeUser'
>;

export function createUsers(database: Database): Users {
  const users = database.collection<UserDocument>('users');

  async function findUserByEmail(email: string) {
    const [found] = await users.find({ email }, { limit: 1 });
    return found === undefined ? null : toUser(found);
  }

  return {
    async ensureUser(user) {
      if (await users.insert({ _id: user.id, v: 1, ...userFields(user) })) return { user, created: true };
      const other = await findUserByEmail(user.email);
      if (other === null) throw new QinboxError('CONFLICT', 'This user id is in use.');
      return { user: other, created: false };
    },
    async getUser(id) {
      const found = await users.read(id);
      return found === null ? null : toUser(found);
    },
    findUserByEmail,
    async listUsers() {
      return (await users.find({}, { sort: { createdAt: 1, _id: 1 }, hint: 'oldest' })).map(toUser);
    },
    changeUser: (id, rule) =>
      retry(async () => {
        const found = await users.read(id);
        if (found === null) return null;
        const before = toUser(found);
        const after = rule(before);
        return after === before || (await users.replace(found, userFields(after))) ? after : RETRY;
      }),
  };
}
