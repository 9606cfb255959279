// Limits the time of each call of the store, whatever the server does: after it no further operation is begun, and the caller
// has been told SERVICE_UNAVAILABLE. Also knows what is under way, so that closing can wait for it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { QinboxError, unavailable } from '#core/errors.ts';
import { withTimeLimit } from '#core/time-limit.ts';
import { toFault } from './faults.ts';

export interface Calls {
  /** Runs one call of a port within the time limit. Calls inside calls share the limit of the outermost. */
  run<T>(call: () => Promise<T>): Promise<T>;
  /** Throws when the call that this runs in has no time left, or the store was closed before it began. */
  check(): void;
  /** Refuses new calls; resolves when those under way have ended. */
  close(): Promise<void>;
}

interface Call {
  until: number;
}

/** `onFault` hears of each call that the store could not answer. */
export function createCalls(limitMs: number, onFault: () => void): Calls {
  const current = new AsyncLocalStorage<Call>();
  const underWay = new Set<Promise<unknown>>();
  let closed = false;

  async function limited<T>(work: Promise<T>): Promise<T> {
    try {
      return await withTimeLimit(limitMs, work, () => {
        throw tooLate();
      });
    } catch (error) {
      const fault = toFault(error);
      if (fault instanceof QinboxError && fault.code === 'SERVICE_UNAVAILABLE') onFault();
      throw fault;
    }
  }

  const tooLate = () => unavailable('store', new Error(`no answer within ${limitMs} ms`));

  return {
    run(call) {
      if (current.getStore() !== undefined) return call();
      if (closed) return Promise.reject(unavailable('store', new Error('the store is closed')));
      const work = current.run({ until: performance.now() + limitMs }, call);
      underWay.add(work);
      const ended = () => void underWay.delete(work);
      work.then(ended, ended);
      return limited(work);
    },
    check() {
      const call = current.getStore();
      if (call !== undefined && performance.now() > call.until) throw tooLate();
    },
    async close() {
      closed = true;
      await Promise.allSettled(underWay);
    },
  };
}
