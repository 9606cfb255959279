// Records of the adapter whose values are secret: tokens, response URLs.
import type { AdapterContext } from '#core/ports/adapter/context.ts';
import { keyOf, SLACK } from './link-records.ts';

export type RecordContext = Pick<AdapterContext, 'store' | 'encryption' | 'clock'>;

/** Reads and writes values of one kind as encrypted JSON. A value that cannot be decrypted reads as none. */
export function createEncryptedRecords<T>({ store, encryption, clock }: RecordContext, kind: string) {
  const purpose = (key: string) => `${SLACK}:${kind}:${key}`;
  return {
    async get(key: string): Promise<T | null> {
      const record = await store.get(keyOf(kind, key), clock.now());
      const value = record === null ? null : encryption.decrypt(record.value, purpose(key));
      return value === null ? null : (JSON.parse(value) as T);
    },
    put(key: string, content: T, expiresAt: number | null): Promise<void> {
      const value = encryption.encrypt(JSON.stringify(content), purpose(key));
      return store.put({ ...keyOf(kind, key), ownerId: null, value, expiresAt });
    },
  };
}
