// Makes a span of each call of a store that something traced has caused.
import type { Storage } from '#core/ports/storage.ts';
import { wrapMethods } from '#core/wrap-methods.ts';
import type { Tracing } from './tracing.ts';

/** The storage as it is while tracing is off. */
export function traceStorage(storage: Storage, { tracer, request }: Tracing): Storage {
  if (request === null) return storage;
  const traced =
    (store: string) =>
    <T>(call: () => Promise<T>, method: string): Promise<T> =>
      tracer.span(`store ${store}.${method}`, { kind: 'client', onlyWithin: true }, call);
  return {
    ...storage,
    tasks: wrapMethods(storage.tasks, traced('tasks')),
    accounts: wrapMethods(storage.accounts, traced('accounts')),
    rejected: wrapMethods(storage.rejected, traced('rejected')),
    intakes: wrapMethods(storage.intakes, traced('intakes')),
    adapterData: wrapMethods(storage.adapterData, traced('adapterData')),
    push: wrapMethods(storage.push, traced('push')),
  };
}
