// Data of ingestion adapters.
import type { AdapterStore } from '#core/ports/adapter-store.ts';
import type { Database } from './server/collection.ts';
import { adapterDocument, adapterId, toAdapterRecord, type AdapterDocument } from './intake-documents.ts';

export function createMongoAdapterStore(database: Database): AdapterStore {
  const data = database.collection<AdapterDocument>('adapter_data');
  /** True where `purgeAt` is absent, too. */
  const liveAt = (now: number) => ({ purgeAt: { $not: { $lte: new Date(now) } } });

  return {
    async add(record, now) {
      // One that MongoDB has not removed yet.
      await data.removeMany({ _id: adapterId(record), purgeAt: { $lte: new Date(now) } });
      return data.insert(adapterDocument(record));
    },
    put: (record) => data.upsert(adapterDocument(record)),
    async get(key, now) {
      const [found] = await data.find({ _id: adapterId(key), ...liveAt(now) });
      return found === undefined ? null : toAdapterRecord(found);
    },
    async take(key, now) {
      const taken = await data.run((collection) =>
        collection.findOneAndDelete({ _id: adapterId(key), ...liveAt(now) }),
      );
      return taken === null ? null : toAdapterRecord(taken);
    },
    async list(adapter, kind, now, ownerId) {
      const query = { adapter, kind, ...(ownerId === undefined ? {} : { owner: ownerId }), ...liveAt(now) };
      const hint = ownerId === undefined ? 'kind' : 'owner';
      return (await data.find(query, { sort: { key: 1 }, hint })).map(toAdapterRecord);
    },
    async remove(key, ownerId) {
      const query = { _id: adapterId(key), ...(ownerId === undefined ? {} : { owner: ownerId }) };
      return (await data.removeMany(query)) === 1;
    },
    async replace(record, value, now, expiresAt) {
      const query = { _id: adapterId(record), value: record.value, ...liveAt(now) };
      const { matchedCount } = await data.run((collection) =>
        collection.updateOne(query, {
          $set: { value, ...(expiresAt === undefined ? {} : { purgeAt: new Date(expiresAt) }) },
          $inc: { v: 1 },
        }),
      );
      return matchedCount === 1;
    },
    async removeUnchanged(record) {
      await data.removeMany({ _id: adapterId(record), value: record.value });
    },
    async purge(now) {
      await data.removeMany({ purgeAt: { $lte: new Date(now) } });
    },
  };
}
