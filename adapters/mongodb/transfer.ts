// Copies records out of and into MongoDB. What depends on a record (the place of a key in its user's list,
// the dedupe key of a task) is stored after it and restored if missing: repeating an interrupted copy
// completes it.
import type { ApiKeyRecord, UserRecord } from '#core/domain/account.ts';
import type { IntakeRecord } from '#core/domain/intake.ts';
import type { PushRecord } from '#core/domain/push.ts';
import { GONE } from '#core/domain/task-state.ts';
import { isVisible, suppressesRepeats, type Task } from '#core/domain/task.ts';
import { isTransferred, recordsOf, type SecretRecord, type TransferRecord } from '#core/domain/transfer.ts';
import type { FollowUps } from '#core/domain/follow-ups.ts';
import type { WebhookRecord } from '#core/domain/webhook.ts';
import { QinboxError } from '#core/errors.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Transfer } from '#core/ports/transfer.ts';
import {
  keyFields,
  toKey,
  toUser,
  type KeyDocument,
  type UserDocument,
  createUsers,
} from './account-store.ts';
import type { Database, Versioned, VersionedCollection } from './server/collection.ts';
import type { Deadline } from './server/deadline.ts';
import { createDedupeKeys } from './tasks/dedupe-keys.ts';
import {
  adapterDocument,
  intakeFields,
  intakesOf,
  toAdapterRecord,
  toIntake,
  type AdapterDocument,
} from './intake-documents.ts';
import { createIntakeTokens } from './intake-tokens.ts';
import { createMemberList } from './member-list.ts';
import { waitForAll } from './promises.ts';
import { pushFields, pushOf, toPush } from './push-documents.ts';
import type { SecretDocument } from './push-store.ts';
import { rejectedDocument, toRejected, type RejectedDocument } from './rejected-store.ts';
import type { TaskEvents } from './tasks/task-events.ts';
import { newDocument, tasksOf, toTask, type TaskDocument } from './tasks/task-documents.ts';
import { followUpDocument, followUpsOf, toFollowUps } from './follow-up-documents.ts';
import { toWebhook, webhookDocument, webhooksOf } from './webhook-documents.ts';
import { WEBHOOK_LISTS } from './webhook-store.ts';

const BATCH = 500;
/** Few enough for a slow server to add within the time of a call. */
const ADDED_AT_ONCE = 100;

interface Parts {
  database: Database;
  deadline: Deadline;
  events: TaskEvents;
  clock: Clock;
}

export function createMongoTransfer({ database, deadline, events, clock }: Parts): Transfer {
  const all = collectionsOf(database);
  const add = createAdd(database, all, clock);

  async function* read<T extends Versioned>(
    documents: VersionedCollection<T>,
    toRecord: (document: T) => TransferRecord,
  ): AsyncGenerator<TransferRecord[]> {
    for (let last = ''; ;) {
      const query = { _id: { $gt: last } };
      const found = await deadline.run(() => documents.find(query, { sort: { _id: 1 }, limit: BATCH }));
      yield found.map(toRecord);
      if (found.length < BATCH) return;
      last = found.at(-1)?._id ?? last;
    }
  }

  async function* readAll(): AsyncGenerator<TransferRecord[]> {
    yield* read(all.users, (document) => ({ kind: 'user', record: toUser(document) }));
    yield* read(all.keys, (document) => ({ kind: 'key', record: toKey(document) }));
    yield* read(all.tasks, (document) => ({ kind: 'task', record: toTask(document) }));
    yield* read(all.rejected, (document) => ({ kind: 'rejected', record: toRejected(document) }));
    yield* read(all.intakes, (document) => ({ kind: 'intake', record: toIntake(document) }));
    yield* read(all.adapterData, (document) => ({ kind: 'adapter', record: toAdapterRecord(document) }));
    yield* read(all.push, (document) => ({ kind: 'push', record: toPush(document) }));
    yield* read(all.secrets, ({ _id, value }) => ({ kind: 'secret', record: { id: _id, value } }));
    yield* read(all.webhooks, (document) => ({ kind: 'webhook', record: toWebhook(document) }));
    yield* read(all.followUps, (document) => ({ kind: 'followUps', record: toFollowUps(document) }));
  }

  return {
    async *exportAll(at) {
      for await (const records of readAll()) yield records.filter((record) => isTransferred(record, at));
    },
    async importAll(records) {
      async function addAll<R>(all: readonly R[], addOne: (record: R) => Promise<unknown>, atOnce: number) {
        for (let from = 0; from < all.length; from += atOnce)
          await deadline.run(() => waitForAll(all.slice(from, from + atOnce).map(addOne)));
      }
      await addAll(recordsOf(records, 'user'), add.user, ADDED_AT_ONCE);
      // One at a time: keys of a user, and intakes of an owner, share a list.
      await addAll(recordsOf(records, 'key'), add.key, 1);
      await addAll(recordsOf(records, 'task'), add.task, ADDED_AT_ONCE);
      await addAll(recordsOf(records, 'rejected'), add.rejected, ADDED_AT_ONCE);
      await addAll(recordsOf(records, 'intake'), add.intake, 1);
      await addAll(recordsOf(records, 'adapter'), add.adapter, ADDED_AT_ONCE);
      const pushes = recordsOf(records, 'push');
      await addAll(pushes, add.push, ADDED_AT_ONCE);
      await addAll(recordsOf(records, 'secret'), add.secret, ADDED_AT_ONCE);
      const webhooks = recordsOf(records, 'webhook');
      await addAll(webhooks, add.webhook, 1);
      const followUps = recordsOf(records, 'followUps');
      await addAll(followUps, add.followUps, ADDED_AT_ONCE);
      if (webhooks.length + followUps.length + pushes.length > 0)
        await deadline.run(() => events.reactionsChanged());
    },
  };
}

function collectionsOf(database: Database) {
  return {
    users: database.collection<UserDocument>('users'),
    keys: database.collection<KeyDocument>('api_keys'),
    tasks: tasksOf(database),
    rejected: database.collection<RejectedDocument>('rejected'),
    intakes: intakesOf(database),
    adapterData: database.collection<AdapterDocument>('adapter_data'),
    push: pushOf(database),
    secrets: database.collection<SecretDocument>('secrets'),
    webhooks: webhooksOf(database),
    followUps: followUpsOf(database),
  };
}

/** Adds one record of each kind. */
function createAdd(database: Database, all: ReturnType<typeof collectionsOf>, clock: Clock) {
  const { keys, tasks, rejected, intakes, adapterData, push, secrets, webhooks, followUps } = all;
  const users = createUsers(database);
  const activeKeys = createMemberList(database, 'key_rings', keys, clock);
  const dedupeKeys = createDedupeKeys(database, tasks, clock);
  const activeIntakes = createMemberList(database, 'intake_rings', intakes, clock);
  const ownWebhooks = createMemberList(database, WEBHOOK_LISTS, webhooks, clock);
  const intakeTokens = createIntakeTokens(database, intakes, clock);

  /** The stored document with this id: this one, or an earlier one. */
  async function insertOrRead<T extends Versioned>(
    collection: VersionedCollection<T>,
    document: T,
  ): Promise<T> {
    if (await collection.insert(document)) return document;
    return (await collection.read(document._id)) ?? document;
  }

  async function addUser(record: UserRecord): Promise<void> {
    const { user } = await users.ensureUser(record);
    if (user.id !== record.id) throw new QinboxError('CONFLICT', 'This e-mail address is in use.');
  }

  async function addKey(key: ApiKeyRecord): Promise<void> {
    const stored = await insertOrRead(keys, { _id: key.hash, v: 1, ...keyFields(key) });
    if (stored.id !== key.id) throw new QinboxError('CONFLICT', 'This key exists already.');
    if (stored.revokedAt === null) await activeKeys.add(key.userId, key.hash, Infinity);
  }

  async function addIntake(intake: IntakeRecord): Promise<void> {
    const before = await intakes.read(intake.id);
    if (before === null) await intakeTokens.add(intake.id, intake.tokens);
    const stored = before ?? (await insertOrRead(intakes, { _id: intake.id, v: 1, ...intakeFields(intake) }));
    if (stored.owner !== intake.ownerId) throw new QinboxError('CONFLICT', 'This intake id is in use.');
    if (stored.revokedAt === null) await activeIntakes.add(stored.owner, stored._id, Infinity);
  }

  async function addWebhook(webhook: WebhookRecord): Promise<void> {
    const stored = await insertOrRead(webhooks, webhookDocument(webhook));
    if (stored.owner !== webhook.ownerId) throw new QinboxError('CONFLICT', 'This webhook id is in use.');
    await ownWebhooks.add(stored.owner, stored._id, Infinity);
  }

  async function addTask(task: Task): Promise<void> {
    const document = newDocument(task);
    const stored = (await tasks.insert(document)) ? document : await tasks.read(task.id, task.ownerId);
    if (stored === null) throw new QinboxError('CONFLICT', 'This task id is in use.');
    const { _id, owner, dedupeKey } = stored;
    if (dedupeKey === null) return;
    if (stored.state === GONE) {
      const since = suppressesSince(stored);
      if (since === null) return;
      // A live task, or one that suppresses repeats since later, keeps the key.
      const isAhead = (other: TaskDocument) => (suppressesSince(other) ?? Infinity) >= since;
      await dedupeKeys.reclaim(owner, dedupeKey, _id, isAhead);
    } else {
      const isLive = (other: TaskDocument) => isVisible(toTask(other), clock.now());
      if (!(await dedupeKeys.reclaim(owner, dedupeKey, _id, isLive)))
        throw new QinboxError('CONFLICT', 'Another live task has this dedupe key.');
    }
  }

  return {
    user: addUser,
    key: addKey,
    task: addTask,
    intake: addIntake,
    webhook: addWebhook,
    followUps: (one: FollowUps) => insertOrRead(followUps, followUpDocument(one)),
    rejected: (one: Parameters<typeof rejectedDocument>[0]) => insertOrRead(rejected, rejectedDocument(one)),
    adapter: (one: Parameters<typeof adapterDocument>[0]) => insertOrRead(adapterData, adapterDocument(one)),
    push: (one: PushRecord) => insertOrRead(push, { _id: one.ownerId, v: 1, ...pushFields(one) }),
    secret: ({ id, value }: SecretRecord) => insertOrRead(secrets, { _id: id, v: 1, value }),
  };
}

/** When the task was acknowledged, if it suppresses repeats from then on; else null. */
function suppressesSince(document: TaskDocument): number | null {
  const task = toTask(document);
  const { acknowledgedAt } = task;
  return acknowledgedAt !== null && suppressesRepeats(task, acknowledgedAt) ? acknowledgedAt : null;
}
