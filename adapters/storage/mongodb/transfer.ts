// Moving what a store keeps, over MongoDB. Each record is a document of its own; what depends on it (the place of a key in its
// user's list, the dedupe key of a task) is made after it and made again if it is missing, so that a cut in between heals when
// the copy is done again.
import { isRestorable, isVisible, type Task } from '#core/domain/task.ts';
import type { ApiKeyRecord, UserRecord } from '#core/domain/account.ts';
import { QinboxError } from '#core/errors.ts';
import type { Clock } from '#core/ports/clock.ts';
import { recordsOf, type KeptRecord, type Transfer } from '#core/ports/transfer.ts';
import { keyFields, toKey, toUser, type KeyDocument, type UserDocument } from './account-documents.ts';
import type { KeyRing } from './api-keys.ts';
import type { Calls } from './deadline.ts';
import { createDedupeKeys } from './dedupe-keys.ts';
import { allEnded, until, type Documents, type Kept, type Table } from './documents.ts';
import { rejectedDocument, toRejected, type RejectedDocument } from './rejected-store.ts';
import { fieldsOf, GONE, stateOf, toTask, type TaskDocument } from './task-documents.ts';
import { createUsers } from './users.ts';

const BATCH = 500;
/** Few enough for a slow server to add within the time of a call. */
const ADDED_AT_ONCE = 100;

export function createMongoTransfer(documents: Documents, calls: Calls, clock: Clock): Transfer {
  const users = documents.table<UserDocument>('users');
  const keys = documents.table<KeyDocument>('api_keys');
  const rings = documents.table<KeyRing>('key_rings');
  const tasks = documents.table<TaskDocument>('tasks');
  const rejected = documents.table<RejectedDocument>('rejected');
  const dedupeKeys = createDedupeKeys(documents, tasks, clock);
  const { ensureUser } = createUsers(documents, clock);
  const isLive = (document: TaskDocument) => isVisible(toTask(document), clock.now());

  async function* read<T extends Kept>(
    table: Table<T>,
    toRecord: (document: T) => KeptRecord | null,
  ): AsyncGenerator<readonly KeptRecord[]> {
    for (let last = ''; ;) {
      const found = await calls.run(() =>
        table.find({ _id: { $gt: last } }, { sort: { _id: 1 }, limit: BATCH }),
      );
      yield found.map(toRecord).filter((record) => record !== null);
      if (found.length < BATCH) return;
      last = found.at(-1)?._id ?? last;
    }
  }

  /** The document with this id that is kept: this one, or the one that was there. */
  async function keep<T extends Kept>(table: Table<T>, document: T): Promise<T> {
    if (await table.insert(document)) return document;
    return (await table.read(document._id)) ?? document;
  }

  async function addUser(record: UserRecord): Promise<void> {
    const { user } = await ensureUser(record);
    if (user.id !== record.id) throw new QinboxError('CONFLICT', 'This e-mail address is in use.');
  }

  async function addKey(key: ApiKeyRecord): Promise<void> {
    const kept = await keep(keys, { _id: key.hash, v: 1, ...keyFields(key) });
    if (kept.id !== key.id) throw new QinboxError('CONFLICT', 'This key exists already.');
    if (kept.revokedAt !== null) return;
    const entry = { hash: key.hash, at: new Date(clock.now()) };
    await until(async () => {
      const ring = await rings.read(key.userId);
      if (ring === null)
        return (await rings.insert({ _id: key.userId, v: 1, active: [entry] })) ? { answer: null } : null;
      if (ring.active.some(({ hash }) => hash === key.hash)) return { answer: null };
      return (await rings.swap(ring, { active: [...ring.active, entry] })) ? { answer: null } : null;
    });
  }

  async function addTask(task: Task): Promise<void> {
    const kept = await keep(tasks, { _id: task.id, v: 1, ...fieldsOf(task, stateOf(task), []) });
    if (kept.owner !== task.ownerId) throw new QinboxError('CONFLICT', 'This task id is in use.');
    if (kept.dedupeKey === null || kept.state === GONE) return;
    if (!(await dedupeKeys.reclaim(kept.owner, kept.dedupeKey, kept._id, isLive)))
      throw new QinboxError('CONFLICT', 'Another live task has this dedupe key.');
  }

  async function addAll<R>(all: readonly R[], add: (record: R) => Promise<unknown>): Promise<void> {
    for (let from = 0; from < all.length; from += ADDED_AT_ONCE)
      await calls.run(() => allEnded(all.slice(from, from + ADDED_AT_ONCE).map(add)));
  }

  return {
    async *exportAll(at) {
      yield* read(users, (document) => ({ kind: 'user', record: toUser(document) }));
      yield* read(keys, (document) => ({ kind: 'key', record: toKey(document) }));
      yield* read(tasks, (document) => {
        const record = toTask(document);
        return isVisible(record, at) || isRestorable(record, at) ? { kind: 'task', record } : null;
      });
      yield* read(rejected, (document) =>
        document.purgeAt.getTime() > at ? { kind: 'rejected', record: toRejected(document) } : null,
      );
    },
    async importAll(records) {
      await addAll(recordsOf(records, 'user'), addUser);
      for (const key of recordsOf(records, 'key')) await calls.run(() => addKey(key));
      await addAll(recordsOf(records, 'task'), addTask);
      await addAll(recordsOf(records, 'rejected'), (one) => keep(rejected, rejectedDocument(one)));
    },
  };
}
