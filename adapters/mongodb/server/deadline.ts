// Bounds the time of each call of the store: then the caller gets SERVICE_UNAVAILABLE, and the call begins no
// further operation. Closing waits for the calls in flight.
import { AsyncLocalStorage } from 'node:async_hooks';
import { QinboxError, unavailable } from '#core/errors.ts';
import { withTimeLimit } from '#core/time-limit.ts';
import { toFault } from './faults.ts';

export interface Deadline {
  /** Runs a call within the time limit. Nested calls share the limit of the outermost. */
  run<T>(call: () => Promise<T>): Promise<T>;
  /** Runs what is not the call's alone, though it began within one: what it calls has limits of its own. */
  outside<T>(work: () => T): T;
  /** Runs what more than one call waits for, or none: with a time limit of its own. */
  shared<T>(work: () => Promise<T>): Promise<T>;
  /** Throws when the time of the current call is over. */
  check(): void;
  /** Refuses new calls; resolves when those in flight have ended. */
  close(): Promise<void>;
}

/** `onFault` is called for each call that the store could not answer. */
export function createDeadline(limitMs: number, onFault: () => void): Deadline {
  /** When the current call must end, by the monotonic clock. */
  const current = new AsyncLocalStorage<number>();
  const inFlight = new Set<Promise<unknown>>();
  let closed = false;
  const late = () => unavailable('store', new Error(`no answer within ${limitMs} ms`));

  async function limited<T>(work: Promise<T>): Promise<T> {
    try {
      return await withTimeLimit(limitMs, work, () => {
        throw late();
      });
    } catch (error) {
      const fault = toFault(error);
      if (fault instanceof QinboxError && fault.code === 'SERVICE_UNAVAILABLE') onFault();
      throw fault;
    }
  }

  function begin<T>(call: () => Promise<T>): Promise<T> {
    const work = current.run(performance.now() + limitMs, call);
    inFlight.add(work);
    const ended = () => void inFlight.delete(work);
    work.then(ended, ended);
    return limited(work);
  }

  return {
    run(call) {
      if (current.getStore() !== undefined) return call();
      if (closed) return Promise.reject(unavailable('store', new Error('the store is closed')));
      return begin(call);
    },
    outside: (work) => current.exit(work),
    shared: begin,
    check() {
      const end = current.getStore();
      if (end !== undefined && performance.now() > end) throw late();
    },
    async close() {
      closed = true;
      await Promise.allSettled(inFlight);
    },
  };
}
