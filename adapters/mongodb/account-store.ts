// Users, keys, sessions and sign-in links. Secrets arrive hashed.
import { leastUsed, type ApiKeyRecord, type SessionRecord, type UserRecord } from '#core/domain/account.ts';
import { QinboxError } from '#core/errors.ts';
import type { LastUses } from '#core/last-uses.ts';
import { MAX_SESSIONS, STORED_REVOKED_KEYS, type AccountStore } from '#core/ports/account-store.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Database, Fields, Versioned, VersionedCollection } from './server/collection.ts';
import { removeSurplus } from './server/surplus.ts';
import { createMemberList } from './member-list.ts';
import { RETRY, retry } from './promises.ts';

/** The record with dates for these times; its id is the document's `_id`. */
type Dates<T, K extends keyof T> = Omit<T, K | 'id'> & {
  [P in K]: null extends T[P] ? Date | null : Date;
};

/** Documents of before there were saved views have none. */
export type UserDocument = Versioned &
  Omit<Dates<UserRecord, 'createdAt' | 'lastLoginAt'>, 'views' | 'deletingAt'> & {
    views?: UserRecord['views'];
    deletingAt?: Date;
  };

const usersOf = (database: Database) =>
  database.collection<UserDocument>('users', { optional: { views: true, deletingAt: true } });

/** `_id` is the hash, so that no two keys can have one. */
export type KeyDocument = Versioned &
  Omit<Dates<ApiKeyRecord, 'createdAt' | 'lastUsedAt' | 'revokedAt'>, 'hash' | 'expiresAt'> & {
    id: string;
    /** Not in documents of before keys could expire. */
    expiresAt?: Date | null;
  };

type SessionDocument = Versioned &
  Dates<SessionRecord, 'previousUntil' | 'createdAt' | 'expiresAt' | 'revokedAt'> & { purgeAt: Date };

export const toDate = (time: number | null): Date | null => (time === null ? null : new Date(time));
const toTime = (date: Date | null): number | null => date?.getTime() ?? null;

function userFields({ id: _id, deletingAt, ...user }: UserRecord): Fields<UserDocument> {
  return {
    ...user,
    createdAt: new Date(user.createdAt),
    lastLoginAt: toDate(user.lastLoginAt),
    ...(deletingAt === undefined ? {} : { deletingAt: new Date(deletingAt) }),
  };
}

export function toUser({ _id, v: _v, deletingAt, ...user }: UserDocument): UserRecord {
  return {
    id: _id,
    ...user,
    createdAt: user.createdAt.getTime(),
    lastLoginAt: toTime(user.lastLoginAt),
    views: user.views ?? [],
    ...(deletingAt === undefined ? {} : { deletingAt: deletingAt.getTime() }),
  };
}

export function keyFields({ hash: _hash, ...key }: ApiKeyRecord): Fields<KeyDocument> {
  return {
    ...key,
    createdAt: new Date(key.createdAt),
    expiresAt: toDate(key.expiresAt),
    lastUsedAt: toDate(key.lastUsedAt),
    revokedAt: toDate(key.revokedAt),
  };
}

export function toKey({ _id, v: _v, ...key }: KeyDocument): ApiKeyRecord {
  return {
    ...key,
    hash: _id,
    createdAt: key.createdAt.getTime(),
    expiresAt: toTime(key.expiresAt ?? null),
    lastUsedAt: toTime(key.lastUsedAt),
    revokedAt: toTime(key.revokedAt),
  };
}

function sessionFields({ id: _id, ...session }: SessionRecord): Fields<SessionDocument> {
  return {
    ...session,
    previousUntil: new Date(session.previousUntil),
    createdAt: new Date(session.createdAt),
    expiresAt: new Date(session.expiresAt),
    revokedAt: toDate(session.revokedAt),
    purgeAt: new Date(Math.min(session.revokedAt ?? session.expiresAt, session.expiresAt)),
  };
}

function toSession({ _id, v: _v, purgeAt: _purgeAt, ...session }: SessionDocument): SessionRecord {
  return {
    id: _id,
    ...session,
    previousUntil: session.previousUntil.getTime(),
    createdAt: session.createdAt.getTime(),
    expiresAt: session.expiresAt.getTime(),
    revokedAt: toTime(session.revokedAt),
  };
}

/** How a document of a collection becomes a record, and back. */
interface Conversion<D extends Versioned, R> {
  toRecord: (document: D) => R;
  fieldsOf: (record: R) => Fields<D>;
}

/** Replaces a record by what the rule makes of it, however many do so at once; null when there is none. */
function change<D extends Versioned, R>(
  documents: VersionedCollection<D>,
  id: string,
  { toRecord, fieldsOf }: Conversion<D, R>,
  rule: (record: R) => R,
): Promise<R | null> {
  return retry(async () => {
    const found = await documents.read(id);
    if (found === null) return null;
    const before = toRecord(found);
    const after = rule(before);
    return after === before || (await documents.replace(found, fieldsOf(after))) ? after : RETRY;
  });
}

type Users = Pick<
  AccountStore,
  'ensureUser' | 'getUser' | 'findUserByEmail' | 'listUsers' | 'listBeingDeleted' | 'changeUser'
>;

export function createUsers(database: Database): Users {
  const users = usersOf(database);

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
    async listBeingDeleted() {
      return (await users.find({ deletingAt: { $exists: true } }, { hint: 'deleting' })).map(toUser);
    },
    changeUser: (id, rule) => change(users, id, { toRecord: toUser, fieldsOf: userFields }, rule),
  };
}

/** Documents that one operation removes. */
const REMOVED_AT_ONCE = 500;

type ApiKeys = Pick<AccountStore, 'createKey' | 'findKeyByHash' | 'listKeys' | 'revokeKey'>;

function createApiKeys(database: Database, clock: Clock): ApiKeys {
  const keys = database.collection<KeyDocument>('api_keys');
  const users = usersOf(database);
  const activeKeys = createMemberList(database, 'key_rings', keys, clock);

  return {
    async createKey(key, limit) {
      const revoked = { userId: key.userId, revokedAt: { $ne: null } };
      await removeSurplus(keys, revoked, {
        sort: { revokedAt: -1 },
        skip: STORED_REVOKED_KEYS,
        limit: REMOVED_AT_ONCE,
        projection: { _id: 1 },
        hint: 'active',
      });
      if (!(await activeKeys.add(key.userId, key.hash, limit))) return false;
      if (await keys.insert({ _id: key.hash, v: 1, ...keyFields(key) })) return true;
      throw new QinboxError('CONFLICT', 'This key exists already.');
    },
    async findKeyByHash(hash) {
      const key = await keys.read(hash);
      const user = key === null ? null : await users.read(key.userId);
      return key === null || user === null ? null : { key: toKey(key), user: toUser(user) };
    },
    async listKeys(userId) {
      const query = { userId, revokedAt: null };
      return (await keys.find(query, { sort: { createdAt: -1, id: -1 }, hint: 'active' })).map(toKey);
    },
    async revokeKey(userId, id, at) {
      const revoked = await keys.run((collection) =>
        collection.findOneAndUpdate(
          { id, userId, revokedAt: null },
          { $set: { revokedAt: new Date(at) }, $inc: { v: 1 } },
        ),
      );
      if (revoked !== null) await activeKeys.remove(userId, revoked._id);
      return revoked !== null;
    },
  };
}

/** `_id` is the hash of the link's token. */
interface LinkDocument extends Versioned {
  userId: string;
  expiresAt: Date;
  purgeAt: Date;
}

export function createMongoAccountStore(database: Database, clock: Clock, keyUses: LastUses): AccountStore {
  const users = usersOf(database);
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

    async createSession(session) {
      const { userId } = session;
      await removeSurplus(
        sessions,
        { userId, revokedAt: { $ne: null } },
        { limit: REMOVED_AT_ONCE, projection: { _id: 1 }, hint: 'user' },
      );
      const others = (await sessions.find({ userId, revokedAt: null }, { hint: 'user' })).map(toSession);
      const surplus = leastUsed(others, MAX_SESSIONS - 1);
      if (surplus.length > 0) await sessions.removeMany({ _id: { $in: surplus.map(({ id }) => id) } });
      await mustInsert(sessions.insert({ _id: session.id, v: 1, ...sessionFields(session) }));
      return surplus.length > 0;
    },
    async getSession(id) {
      const session = await sessions.read(id);
      const user = session === null ? null : await users.read(session.userId);
      return session === null || user === null ? null : { session: toSession(session), user: toUser(user) };
    },
    changeSession: (id, rule) => change(sessions, id, { toRecord: toSession, fieldsOf: sessionFields }, rule),
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
