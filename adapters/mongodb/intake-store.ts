// The port of intakes and their deliveries.
import { LRUCache } from 'lru-cache';
import { isTokenGood, type DeliveryRecord, type IntakeRecord } from '#core/domain/intake.ts';
import { QinboxError } from '#core/errors.ts';
import type { LastUses } from '#core/last-uses.ts';
import type { Clock } from '#core/ports/clock.ts';
import {
  MAX_DELIVERIES,
  STORED_REVOKED_INTAKES,
  type IntakeRule,
  type IntakeStore,
} from '#core/ports/intake-store.ts';
import type { Database, VersionedCollection } from './server/collection.ts';
import { removeSurplus } from './server/surplus.ts';
import {
  deliveryDocument,
  intakeFields,
  intakesOf,
  toDelivery,
  toIntake,
  type DeliveryDocument,
  type IntakeDocument,
} from './intake-documents.ts';
import { createIntakeTokens } from './intake-tokens.ts';
import { createMemberList } from './member-list.ts';
import { RETRY, retry } from './promises.ts';

/** Deliveries to an intake after which surplus ones are removed. */
const TRIM_EVERY = 10;
const MAX_COUNTED_INTAKES = 10_000;

type Deliveries = Pick<IntakeStore, 'addDeliveries' | 'listDeliveries' | 'getDelivery' | 'changeDelivery'>;

function createDeliveries(database: Database): Deliveries {
  const deliveries = database.collection<DeliveryDocument>('deliveries');
  const intakes = intakesOf(database);
  /** Deliveries since the last trim, by intake. */
  const untrimmed = new LRUCache<string, number>({ max: MAX_COUNTED_INTAKES });

  /** Counts the deliveries; the intakes that may have too many. */
  function dueForTrim(added: readonly DeliveryRecord[]): string[] {
    for (const { intakeId } of added) untrimmed.set(intakeId, (untrimmed.get(intakeId) ?? 0) + 1);
    const intakes = [...new Set(added.map(({ intakeId }) => intakeId))];
    return intakes.filter((intakeId) => (untrimmed.get(intakeId) ?? 0) >= TRIM_EVERY);
  }

  async function trim(intake: string): Promise<void> {
    untrimmed.delete(intake);
    await removeAfter(deliveries, intake, MAX_DELIVERIES);
  }

  async function ofActive(records: readonly DeliveryRecord[]): Promise<readonly DeliveryRecord[]> {
    const ids = [...new Set(records.map(({ intakeId }) => intakeId))];
    const found = await Promise.all(ids.map((id) => intakes.read(id)));
    const revoked = new Set(found.flatMap((one) => (one === null || one.revokedAt === null ? [] : one._id)));
    return records.filter(({ intakeId }) => !revoked.has(intakeId));
  }

  return {
    async addDeliveries(given) {
      const records = await ofActive(given);
      if (records.length === 0) return;
      await deliveries.upsert(...records.map(deliveryDocument));
      for (const intakeId of dueForTrim(records)) await trim(intakeId);
    },
    async listDeliveries(ownerId, intakeId, limit) {
      const found = await deliveries.find(
        { intake: intakeId, owner: ownerId },
        { sort: { _id: -1 }, limit: Math.min(limit, MAX_DELIVERIES), hint: 'latest' },
      );
      return found.map(toDelivery);
    },
    async getDelivery(ownerId, intakeId, id) {
      const found = await deliveries.read(id);
      return found?.owner === ownerId && found.intake === intakeId ? toDelivery(found) : null;
    },
    async changeDelivery(id, { taskIds, ...changes }) {
      const changed = { ...changes, ...(taskIds === undefined ? {} : { taskIds: [...taskIds] }) };
      await deliveries.run((collection) =>
        collection.updateOne({ _id: id }, { $set: changed, $inc: { v: 1 } }),
      );
    },
  };
}

/** Removes the deliveries to an intake beyond the latest `staying`. */
async function removeAfter(
  deliveries: VersionedCollection<DeliveryDocument>,
  intake: string,
  staying: number,
): Promise<void> {
  await removeSurplus(
    deliveries,
    { intake },
    { sort: { _id: -1 }, skip: staying, projection: { _id: 1 }, hint: 'latest' },
  );
}

const PURGE_BATCH = 500;
const MOST_BATCHES = 20;

export function createMongoIntakeStore(database: Database, clock: Clock, uses: LastUses): IntakeStore {
  const intakes = intakesOf(database);
  const deliveries = database.collection<DeliveryDocument>('deliveries');
  const tokens = createIntakeTokens(database, intakes, clock);
  const activeIntakes = createMemberList(database, 'intake_rings', intakes, clock);

  async function read(ownerId: string, id: string): Promise<IntakeDocument | null> {
    const found = await intakes.read(id);
    return found?.owner === ownerId && found.revokedAt === null ? found : null;
  }

  async function change(ownerId: string, id: string, rule: IntakeRule): Promise<IntakeRecord | null> {
    const done = await retry(async () => {
      const found = await read(ownerId, id);
      if (found === null) return null;
      const before = toIntake(found);
      const after = rule(before);
      if (after === before) return { before, after };
      await tokens.add(id, after.tokens);
      return (await intakes.replace(found, intakeFields(after))) ? { before, after } : RETRY;
    });
    if (done === null) return null;
    const { before, after } = done;
    const dropped = before.tokens.filter(({ hash }) => after.tokens.every((token) => token.hash !== hash));
    if (dropped.length > 0) await tokens.remove(dropped);
    if (after.revokedAt !== null) {
      await activeIntakes.remove(ownerId, id);
      await removeAfter(deliveries, id, 0);
    }
    return after;
  }

  async function removeRevoked(owner: string): Promise<void> {
    const removed = await removeSurplus(
      intakes,
      { owner, revokedAt: { $ne: null } },
      { sort: { revokedAt: -1 }, skip: STORED_REVOKED_INTAKES, limit: PURGE_BATCH, hint: 'active' },
    );
    if (removed.length > 0) await tokens.remove(removed.flatMap((document) => toIntake(document).tokens));
  }

  return {
    ...createDeliveries(database),

    async create(intake, limit) {
      await removeRevoked(intake.ownerId);
      if (!(await activeIntakes.add(intake.ownerId, intake.id, limit))) return false;
      await tokens.add(intake.id, intake.tokens);
      if (await intakes.insert({ _id: intake.id, v: 1, ...intakeFields(intake) })) return true;
      throw new QinboxError('CONFLICT', 'This intake exists already.');
    },
    async get(ownerId, id) {
      const found = await read(ownerId, id);
      return found === null ? null : toIntake(found);
    },
    async list(ownerId) {
      const query = { owner: ownerId, revokedAt: null };
      return (await intakes.find(query, { sort: { _id: -1 }, hint: 'active' })).map(toIntake);
    },
    change,
    async findByTokenHash(hash, now) {
      const id = await tokens.find(hash);
      const found = id === null ? null : await intakes.read(id);
      if (found === null || found.revokedAt !== null) return null;
      const intake = toIntake(found);
      return isTokenGood(intake.tokens, hash, now) ? intake : null;
    },
    touch(id, at) {
      uses.note(id, at);
      return Promise.resolve();
    },
    async purge(now) {
      const ended = { purgeAt: { $lte: new Date(now) } };
      await Promise.all([deliveries.removeMany(ended), intakes.removeMany(ended)]);
      // More than come in the time until the next purge, and no longer than a call may take.
      for (let batch = 0; batch < MOST_BATCHES; batch++)
        if ((await tokens.purge(now, PURGE_BATCH)) < PURGE_BATCH) return;
    },
  };
}
