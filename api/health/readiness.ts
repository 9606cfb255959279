// Readiness: which parts answer right now.
import type { PartState } from '#core/contract/index.ts';
import { withTimeLimit } from '#core/time-limit.ts';
import { causeOf } from './cause.ts';
import type { Outages } from './outages.ts';
import type { Parts } from '../services/services.ts';

/** How long a part has to answer. */
const TIMEOUT_MS = 3000;

/** Asks store, queue, events and the ingestion adapters that report a state. */
export async function readiness({
  storage,
  queue,
  bus,
  adapters,
  outages,
}: Pick<Parts, 'storage' | 'queue' | 'bus' | 'adapters' | 'outages'>): Promise<PartState[]> {
  const damage = storage.damage();
  const parts = await Promise.all([
    damage === null
      ? stateOf('store', () => storage.check(), outages)
      : { name: 'store', ok: false, detail: damage },
    stateOf('queue', () => queue.check(), outages),
    stateOf(
      'events',
      () =>
        bus.isConnected() ? Promise.resolve() : Promise.reject(bus.fault() ?? new Error('not connected')),
      outages,
    ),
  ]);
  return [...parts, ...adapters.states().map(({ name, ok, detail }) => ({ name, ok, detail }))];
}

async function stateOf(name: string, check: () => Promise<void>, outages: Outages): Promise<PartState> {
  try {
    await withTimeLimit(TIMEOUT_MS, check(), () => {
      // A call that failed says more than silence does.
      const cause = outages.latest(name);
      throw cause instanceof Error ? cause : new Error(`no answer within ${TIMEOUT_MS / 1000} seconds`);
    });
    return { name, ok: true };
  } catch (fault) {
    const cause = causeOf(fault);
    return { name, ok: false, detail: `no answer from the ${name}${cause === null ? '' : `: ${cause}`}` };
  }
}
