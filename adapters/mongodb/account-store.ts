// Users, keys, sessions and sign-in links. Secrets arrive hashed.
import { QinboxError } from '#core/errors.ts';
import type { LastUses } from '#core/last-uses.ts';
import type { AccountStore } from '#core/ports/account-store.ts';
import type { Clock } from '#core/ports/clock.ts';
import {
  sessionFields,
  toSession,
  toUser,
  type SessionDocument,
  type UserDocument,
} from './account-documents.ts';
import { createApiKeys } from './api-keys.ts';
import type { Database, Versioned } from './collection.ts';
import { RETRY, retry } from './promises.ts';
import { createUsers } from './users.ts';

/** `_id` is the hash of the link's token. */
interface LinkDocument extends Versioned {
  userId: string;
  expiresAt: Date;
  purgeAt: Date;
}

export function createMongoAccountStore(database: Database, clock: Clock, keyUses: LastUses): AccountStore {
  const users = database.collection<UserDocument>('users');
  const sessions = database.collection<SessionDocument>('sessions');
  const links = database.collection<LinkDocument>('signin_links');

  async function mustInsert(inserted: Promise<boolean>): Promise<void> {
    if (!(await inserted)) throw new QinboxError('CONFLICT');
  }

  return {
    ...createUsers(database),
    ...createApiKeys(database, clock),
    touchKey(id, at) {
      keyUses.note(id, at);
      return Promise.resolve();
    },

    createSession: (session) =>
      mustInsert(sessions.insert({ _id: session.id, v: 1, ...sessionFields(session) })),
    async getSession(id) {
      const session = await sessions.read(id);
      const user = session === null ? null : await users.read(session.userId);
      return session === null || user === null ? null : { session: toSession(session), user: toUser(user) };
    },
    changeSession: (id, rule) =>
      retry(async () => {
        const found = await sessions.read(id);
        if (found === null) return null;
        const before = toSession(found);
        const after = rule(before);
        return after === before || (await sessions.replace(found, sessionFields(after))) ? after : RETRY;
      }),
    async revokeSessions(userId, at) {
      const end = new Date(at);
      const purgeAt = { $min: [end, '$expiresAt'] };
      await sessions.run((collection) =>
        collection.updateMany({ userId, revokedAt: null }, [
          { $set: { revokedAt: end, purgeAt, v: { $add: ['$v', 1] } } },
        ]),
      );
    },

    createLink(hash, userId, expiresAt) {
      const end = new Date(expiresAt);
      return mustInsert(links.insert({ _id: hash, v: 1, userId, expiresAt: end, purgeAt: end }));
    },
    async consumeLink(hash, now) {
      const link = await links.run((collection) =>
        collection.findOneAndDelete({ _id: hash, expiresAt: { $gt: new Date(now) } }),
      );
      return link?.userId ?? null;
    },

    async purge(now) {
      const ended = { purgeAt: { $lt: new Date(now) } };
      await Promise.all([sessions.removeMany(ended), links.removeMany(ended)]);
    },
  };
}
