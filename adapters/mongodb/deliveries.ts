// The latest deliveries to each intake.
import { LRUCache } from 'lru-cache';
import type { DeliveryRecord } from '#core/domain/intake.ts';
import { MAX_DELIVERIES, type IntakeStore } from '#core/ports/intake-store.ts';
import type { Database } from './collection.ts';
import { deliveryDocument, toDelivery, type DeliveryDocument } from './intake-documents.ts';

/** Deliveries to an intake after which surplus ones are removed. */
const TRIM_EVERY = 10;
const MAX_COUNTED_INTAKES = 10_000;

type Deliveries = Pick<IntakeStore, 'addDeliveries' | 'listDeliveries' | 'getDelivery' | 'changeDelivery'>;

export function createDeliveries(database: Database): Deliveries {
  const deliveries = database.collection<DeliveryDocument>('deliveries');
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
    const surplus = await deliveries.find(
      { intake },
      { sort: { _id: -1 }, skip: MAX_DELIVERIES, projection: { _id: 1 }, hint: 'latest' },
    );
    if (surplus.length > 0) await deliveries.removeMany({ _id: { $in: surplus.map(({ _id }) => _id) } });
  }

  return {
    async addDeliveries(records) {
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
