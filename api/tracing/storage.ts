// Makes a span of each call of a store that something traced has caused.
import type { Storage } from '#core/ports/storage.ts';
import { wrapStores } from '#core/wrap-methods.ts';
import type { Tracing } from './tracing.ts';

/** The storage as it is while tracing is off. */
export function traceStorage(storage: Storage, { tracer, request }: Tracing): Storage {
  if (request === null) return storage;
  const stores = wrapStores(storage, (call, method, store) =>
    tracer.span(`store ${store}.${method}`, { kind: 'client', onlyWithin: true }, call),
  );
  return { ...storage, ...stores };
}
