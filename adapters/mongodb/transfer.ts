// Moving what a store keeps, over MongoDB. Each record is a document of its own; what depends on it (the place of a key in its
// user's list, the dedupe key of a task) is made after it and made again if it is missing, so that a cut in between heals when
// the copy is done again.
import { isVisible, suppressesRepeats, type Task } from '#core/domain/task.ts';
import type { ApiKeyRecord, UserRecord } from '#core/domain/account.ts';
import type { IntakeRecord } from '#core/domain/intake.ts';
import { QinboxError } from '#core/errors.ts';
import type { Clock } from '#core/ports/clock.ts';
import { isTransferred, recordsOf, type TransferRecord, type Transfer } from '#core/ports/transfer.ts';
import { keyFields, toKey, toUser, type KeyDocument, type UserDocument } from './account-documents.ts';
import { createKeyRings } from './api-keys.ts';
import type { Calls } from './deadline.ts';
import { createDedupeKeys } from './dedupe-keys.ts';
import { allEnded, type Documents, type Kept, type Table } from './documents.ts';
import {
  adapterDocument,
  intakeFields,
  toAdapterRecord,
  toIntake,
  type AdapterDocument,
  type IntakeDocument,
} from './intake-documents.ts';
import { createIntakeRings } from './intake-store.ts';
import { createIntakeTokens } from './intake-tokens.ts';
import { rejectedDocument, toRejected, type RejectedDocument } from './rejected-store.ts';
import { fieldsOf, GONE, stateOf, toTask, type TaskDocument } from './task-documents.ts';
import { createUsers } from './users.ts';

const BATCH = 500;
/** Few enough for a slow server to add within the time of a call. */
const ADDED_AT_ONCE = 100;

export function createMongoTransfer(documents: Documents, calls: Calls, clock: Clock): Transfer {
  const users = documents.table<UserDocument>('users');
  const keys = documents.table<KeyDocument>('api_keys');
  const keyRings = createKeyRings(documents, keys, clock);
  const tasks = documents.table<TaskDocument>('tasks');
  const rejected = documents.table<RejectedDocument>('rejected');
  const intakes = documents.table<IntakeDocument>('intakes');
  const intakeRings = createIntakeRings(documents, intakes, clock);
  const intakeTokens = createIntakeTokens(documents, intakes, clock);
  const adapterData = documents.table<AdapterDocument>('adapter_data');
  const dedupeKeys = createDedupeKeys(documents, tasks, clock);
  const { ensureUser } = createUsers(documents, clock);
  const isLive = (document: TaskDocument) => isVisible(toTask(document), clock.now());

  async function* read<T extends Kept>(
    table: Table<T>,
    toRecord: (document: T) => TransferRecord | null,
  ): AsyncGenerator<readonly TransferRecord[]> {
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
    await keyRings.enter(key.userId, key.hash, Infinity);
  }

  async function addIntake(intake: IntakeRecord): Promise<void> {
    const before = await intakes.read(intake.id);
    if (before === null) await intakeTokens.keep(intake.id, intake.tokens);
    const kept = before ?? (await keep(intakes, { _id: intake.id, v: 1, ...intakeFields(intake) }));
    if (kept.owner !== intake.ownerId) throw new QinboxError('CONFLICT', 'This intake id is in use.');
    if (kept.revokedAt === null) await intakeRings.enter(kept.owner, kept._id, Infinity);
  }

  /** Gives a silent task its dedupe key, unless a live one has it, or one that was silenced later. */
  async function addSilent(document: TaskDocument, key: string): Promise<void> {
    const silencedAt = (other: TaskDocument) => {
      const { acknowledgedAt } = toTask(other);
      return acknowledgedAt !== null && suppressesRepeats(toTask(other), acknowledgedAt)
        ? acknowledgedAt
        : null;
    };
    const mine = silencedAt(document);
    if (mine === null) return;
    const isAhead = (other: TaskDocument) => (silencedAt(other) ?? Infinity) >= mine;
    await dedupeKeys.reclaim(document.owner, key, document._id, isAhead);
  }

  async function addTask(task: Task): Promise<void> {
    const kept = await keep(tasks, { _id: task.id, v: 1, ...fieldsOf(task, stateOf(task), []) });
    if (kept.owner !== task.ownerId) throw new QinboxError('CONFLICT', 'This task id is in use.');
    if (kept.dedupeKey === null) return;
    if (kept.state === GONE) return addSilent(kept, kept.dedupeKey);
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
        return isTransferred(record, at) ? { kind: 'task', record } : null;
      });
      yield* read(rejected, (document) =>
        document.purgeAt.getTime() > at ? { kind: 'rejected', record: toRejected(document) } : null,
      );
      yield* read(intakes, (document) =>
        document.revokedAt === null ? { kind: 'intake', record: toIntake(document) } : null,
      );
      yield* read(adapterData, (document) =>
        document.purgeAt === undefined || document.purgeAt.getTime() > at
          ? { kind: 'adapter', record: toAdapterRecord(document) }
          : null,
      );
    },
    async importAll(records) {
      await addAll(recordsOf(records, 'user'), addUser);
      for (const key of recordsOf(records, 'key')) await calls.run(() => addKey(key));
      await addAll(recordsOf(records, 'task'), addTask);
      await addAll(recordsOf(records, 'rejected'), (one) => keep(rejected, rejectedDocument(one)));
      for (const intake of recordsOf(records, 'intake')) await calls.run(() => addIntake(intake));
      await addAll(recordsOf(records, 'adapter'), (one) => keep(adapterData, adapterDocument(one)));
    },
  };
}
