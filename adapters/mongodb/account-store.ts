// The port of users, keys, sessions and sign-in links over MongoDB. Only hashes of secrets arrive here, so only hashes are
// stored.
import { QinboxError } from '#core/errors.ts';
import type { SessionRecord } from '#core/domain/account.ts';
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
import type { Calls } from './deadline.ts';
import { allEnded, until, type Documents, type Kept } from './documents.ts';
import { purge } from './sweeper.ts';
import { createUsers } from './users.ts';

interface LinkDocument extends Kept {
  userId: string;
  expiresAt: Date;
  purgeAt: Date;
}

/** Most documents that are removed at once. */
const PURGE_BATCH = 500;

/** An account store that may hold back the last uses of keys. */
export interface MongoAccountStore extends AccountStore {
  /** Stores what was held back. */
  flush(): Promise<void>;
}

export function createMongoAccountStore(documents: Documents, calls: Calls, clock: Clock): MongoAccountStore {
  const users = createUsers(documents, clock);
  const keys = createApiKeys(documents, calls, clock);
  const userTable = documents.table<UserDocument>('users');
  const sessions = documents.table<SessionDocument>('sessions');
  const links = documents.table<LinkDocument>('signin_links');

  async function mustInsert(inserted: Promise<boolean>): Promise<void> {
    if (!(await inserted)) throw new QinboxError('CONFLICT');
  }

  function changeSession(
    id: string,
    rule: (session: SessionRecord) => SessionRecord,
  ): Promise<SessionRecord | null> {
    return until(async () => {
      const document = await sessions.read(id);
      if (document === null) return { answer: null };
      const before = toSession(document);
      const after = rule(before);
      if (after === before) return { answer: after };
      return (await sessions.swap(document, sessionFields(after))) ? { answer: after } : null;
    });
  }

  return {
    flush: () => calls.run(() => keys.flush()),

    ensureUser: (user) => calls.run(() => users.ensureUser(user)),
    getUser: (id) => calls.run(() => users.getUser(id)),
    findUserByEmail: (email) => calls.run(() => users.findUserByEmail(email)),
    listUsers: () => calls.run(() => users.listUsers()),
    changeUser: (id, rule) => calls.run(() => users.changeUser(id, rule)),

    createKey: (key, limit) => calls.run(() => keys.createKey(key, limit)),
    findKeyByHash: (hash) => calls.run(() => keys.findKeyByHash(hash)),
    listKeys: (userId) => calls.run(() => keys.listKeys(userId)),
    revokeKey: (userId, id, at) => calls.run(() => keys.revokeKey(userId, id, at)),
    touchKey: (id, at) => keys.touchKey(id, at),

    createSession: (session) =>
      calls.run(() => mustInsert(sessions.insert({ _id: session.id, v: 1, ...sessionFields(session) }))),
    getSession: (id) =>
      calls.run(async () => {
        const session = await sessions.read(id);
        const user = session === null ? null : await userTable.read(session.userId);
        return session === null || user === null ? null : { session: toSession(session), user: toUser(user) };
      }),
    changeSession: (id, rule) => calls.run(() => changeSession(id, rule)),
    revokeSessions: (userId, at) =>
      calls.run(async () => {
        const live = await sessions.find({ userId, revokedAt: null }, { fields: ['_id'], index: 'user' });
        await allEnded(
          live.map(({ _id }) =>
            changeSession(_id, (session) =>
              session.revokedAt === null ? { ...session, revokedAt: at } : session,
            ),
          ),
        );
      }),

    createLink: (hash, userId, expiresAt) =>
      calls.run(() => {
        const end = new Date(expiresAt);
        return mustInsert(links.insert({ _id: hash, v: 1, userId, expiresAt: end, purgeAt: end }));
      }),
    consumeLink: (hash, now) =>
      calls.run(async () => {
        const link = await links.read(hash);
        if (link === null || link.expiresAt.getTime() <= now) return null;
        return (await links.take(hash)) ? link.userId : null;
      }),

    purge: (now) =>
      calls.run(async () => {
        while ((await purge(sessions, {}, now - 1, PURGE_BATCH)) === PURGE_BATCH);
        while ((await purge(links, {}, now - 1, PURGE_BATCH)) === PURGE_BATCH);
      }),
  };
}
