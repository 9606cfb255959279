// The records of adapters, with the limit that both databases can hold to.
import { MAX_RECORD_BYTES } from '#core/domain/adapter-record.ts';
import { invalid } from '#core/errors.ts';
import type { AdapterStore } from '#core/ports/adapter-store.ts';

/** Refuses a record that is too large, with nothing changed: VALIDATION_ERROR. */
export function withinLimits(store: AdapterStore): AdapterStore {
  return {
    ...store,
    put(record) {
      const bytes = Buffer.byteLength(record.value);
      return bytes <= MAX_RECORD_BYTES
        ? store.put(record)
        : Promise.reject(
            invalid([
              {
                field: 'value',
                message: `has ${bytes} bytes, and a record takes ${MAX_RECORD_BYTES}: keep it in several records`,
              },
            ]),
          );
    },
  };
}
