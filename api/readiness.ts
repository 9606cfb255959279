// Readiness: which parts answer right now.
import type { PartState } from '#core/contract/index.ts';
import { withTimeLimit } from '#core/time-limit.ts';
import type { Parts } from './services.ts';

/** How long a part has to answer. */
const TIMEOUT_MS = 3000;

/** Asks store, queue, events and the ingestion adapters that report a state. */
export async function readiness({
  storage,
  queue,
  bus,
  adapters,
}: Pick<Parts, 'storage' | 'queue' | 'bus' | 'adapters'>): Promise<PartState[]> {
  const damage = storage.damage();
  const parts = await Promise.all([
    damage === null ? stateOf('store', () => storage.check()) : { name: 'store', ok: false, detail: damage },
    stateOf('queue', () => queue.check()),
    stateOf('events', () =>
      bus.isConnected() ? Promise.resolve() : Promise.reject(new Error('not connected')),
    ),
  ]);
  return [...parts, ...adapters.states()];
}

async function stateOf(name: string, check: () => Promise<void>): Promise<PartState> {
  try {
    await withTimeLimit(TIMEOUT_MS, check());
    return { name, ok: true };
  } catch {
    return { name, ok: false, detail: `the ${name} does not answer` };
  }
}
