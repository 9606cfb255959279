// The records of adapters, with the limit that both databases can hold to.
import { MAX_RECORD_BYTES } from '#core/domain/adapter-record.ts';
import { invalid } from '#core/errors.ts';
import type { AdapterStore } from '#core/ports/adapter-store.ts';

/** Refuses a record that is too large, with nothing changed: VALIDATION_ERROR. */
export function withinLimits(store: AdapterStore): AdapterStore {
  return {
    ...store,
    async add(record, now) {
      checkSize(record.value);
      return store.add(record, now);
    },
    async put(record) {
      checkSize(record.value);
      return store.put(record);
    },
    async replace(record, value, now, expiresAt) {
      checkSize(value);
      return store.replace(record, value, now, expiresAt);
    },
  };
}

function checkSize(value: string): void {
  const bytes = Buffer.byteLength(value);
  if (bytes <= MAX_RECORD_BYTES) return;
  const message = `has ${bytes} bytes, and a record takes ${MAX_RECORD_BYTES}: keep it in several records`;
  throw invalid([{ field: 'value', message }]);
}
