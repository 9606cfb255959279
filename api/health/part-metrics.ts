// Measurements of the parts behind the program: whether they answer, how long they take, how far they are
// behind.
import type { Registry } from 'prom-client';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { EventBus } from '#core/ports/event-bus.ts';
import type { Storage } from '#core/ports/storage.ts';
import type { PartState } from '#core/contract/index.ts';
import { wrapStores } from '#core/wrap-methods.ts';

const PREFIX = 'qinbox_';
/** From a read in memory to a call that is given up. */
const STORE_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];

export interface MeasuredParts {
  version: string;
  role: string;
  bus: EventBus;
  readiness: () => Promise<readonly PartState[]>;
  /** How long ago all that was due was swept, in milliseconds; null where this process does not sweep. */
  sweepLagMs: () => number | null;
}

/** Adds them to the registry. */
export function measureParts(register: Registry, parts: MeasuredParts): void {
  const { version, role, bus, readiness, sweepLagMs } = parts;
  const info = new Gauge({
    name: `${PREFIX}build_info`,
    help: 'Always 1; its labels say what runs.',
    labelNames: ['version', 'role', 'node'],
    registers: [],
  });
  info.set({ version, role, node: process.version }, 1);
  const ready = new Gauge({
    name: `${PREFIX}ready`,
    help: 'Whether a part answers, as /ready says: 1 or 0.',
    labelNames: ['part'],
    registers: [],
    async collect() {
      for (const { name, ok } of await readiness()) this.set({ part: name }, ok ? 1 : 0);
    },
  });
  const connected = new Gauge({
    name: `${PREFIX}bus_connected`,
    help: 'Whether events reach the other processes: 1 or 0.',
    registers: [],
    collect() {
      this.set(bus.isConnected() ? 1 : 0);
    },
  });
  const received = new Counter({
    name: `${PREFIX}bus_received_total`,
    help: 'Events of other processes that came to this one.',
    registers: [],
    collect() {
      this.reset();
      this.inc(bus.received());
    },
  });
  const lag = new Gauge({
    name: `${PREFIX}sweep_lag_seconds`,
    help: 'How long ago the sweeper last had removed all that was due.',
    registers: [],
    collect() {
      this.set((sweepLagMs() ?? 0) / 1000);
    },
  });
  for (const each of [info, ready, connected, received]) register.registerMetric(each);
  if (sweepLagMs() !== null) register.registerMetric(lag);
}

/** The storage with every call of its stores timed. */
export function timeStorage(register: Registry, storage: Storage): Storage {
  const latency = new Histogram({
    name: `${PREFIX}store_seconds`,
    help: 'Time of calls of the store, by operation.',
    labelNames: ['operation', 'result'],
    buckets: STORE_SECONDS,
    registers: [register],
  });
  const stores = wrapStores(storage, async (call, method, store) => {
    const began = performance.now();
    let result = 'failed';
    try {
      const answer = await call();
      result = 'ok';
      return answer;
    } finally {
      latency.observe({ operation: `${store}.${method}`, result }, (performance.now() - began) / 1000);
    }
  });
  return { ...storage, ...stores };
}
