// What ingestion adapters remember, in MongoDB.
import type { AdapterKey, AdapterStore } from '#core/ports/adapter-store.ts';
import type { Calls } from './deadline.ts';
import { until, type Documents } from './documents.ts';
import {
  adapterDocument,
  adapterFields,
  adapterId,
  toAdapterRecord,
  type AdapterDocument,
} from './intake-documents.ts';
import { purge } from './sweeper.ts';

const PURGE_BATCH = 500;

export function createMongoAdapterStore(documents: Documents, calls: Calls): AdapterStore {
  const table = documents.table<AdapterDocument>('adapter_data');
  const isThere = ({ purgeAt }: AdapterDocument, now: number) =>
    purgeAt === undefined || purgeAt.getTime() > now;

  /** Removes it if it is as wanted, and answers it to the one of many who did. */
  function remove(
    key: AdapterKey,
    isWanted: (document: AdapterDocument) => boolean,
  ): Promise<AdapterDocument | null> {
    return until(async () => {
      const document = await table.read(adapterId(key));
      if (document === null || !isWanted(document)) return { answer: null };
      return (await table.swap(document, null)) ? { answer: document } : null;
    });
  }

  return {
    put: (record) =>
      calls.run(() =>
        until(async () => {
          const before = await table.read(adapterId(record));
          const stored =
            before === null
              ? await table.insert(adapterDocument(record))
              : await table.swap(before, adapterFields(record));
          return stored ? { answer: undefined } : null;
        }),
      ),
    get: (key, now) =>
      calls.run(async () => {
        const document = await table.read(adapterId(key));
        return document !== null && isThere(document, now) ? toAdapterRecord(document) : null;
      }),
    take: (key, now) =>
      calls.run(async () => {
        const taken = await remove(key, (document) => isThere(document, now));
        return taken === null ? null : toAdapterRecord(taken);
      }),
    list: (adapter, kind, now, ownerId) =>
      calls.run(async () => {
        const found = await table.find(
          { adapter, kind, ...(ownerId === undefined ? {} : { owner: ownerId }) },
          { sort: { key: 1 }, index: ownerId === undefined ? 'kind' : 'owner' },
        );
        return found.filter((document) => isThere(document, now)).map(toAdapterRecord);
      }),
    remove: (key, ownerId) =>
      calls.run(
        async () => (await remove(key, ({ owner }) => ownerId === undefined || owner === ownerId)) !== null,
      ),
    purge: (now) =>
      calls.run(async () => {
        while ((await purge(table, {}, now, PURGE_BATCH)) === PURGE_BATCH);
      }),
  };
}
