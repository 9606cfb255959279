// Deliveries that are due later: durable from the moment they are accepted, carried out once when they are
// due.
import { MAX_RECORD_BYTES, type AdapterRecord } from '../domain/adapter-record.ts';
import type { ParsedDelivery } from '../domain/delivery.ts';
import { fingerprintOf } from '../domain/hash.ts';
import type { StoredRequest } from '../domain/intake.ts';
import { QinboxError } from '../errors.ts';
import type { IntakeWithSecrets } from '../ports/adapter/intake.ts';
import type { AdapterStore } from '../ports/adapter-store.ts';
import type { Clock } from '../ports/clock.ts';

const KIND = 'scheduled';
/** Of one owner. */
const MAX_WAITING = 200;
/** Below what a record takes. */
const MAX_VALUE_BYTES = MAX_RECORD_BYTES - 4 * 1024;
/** How long one that cannot be carried out is tried again. */
const PATIENCE_MS = 24 * 60 * 60_000;
/** How often to look for those that other processes accepted, and to try again. */
const INTERVAL_MS = 60_000;

/** A delivery that waits. */
export interface ScheduledDelivery {
  intakeId: string;
  ownerId: string;
  parsed: ParsedDelivery;
  request: StoredRequest;
  notes: Readonly<Record<string, string>>;
  requestId: string;
  /** In milliseconds. */
  dueAt: number;
}

interface Parts {
  store: AdapterStore;
  /** Ids of the adapters that have intakes. */
  adapters: readonly string[];
  clock: Clock;
  /** Whether other processes accept deliveries, too. */
  isShared: boolean;
  /** Carries it out; twice has the effect once. */
  deliver: (scheduled: ScheduledDelivery, replayKey: string) => Promise<void>;
  onError: (error: unknown) => void;
}

export type ScheduledDeliveries = ReturnType<typeof createScheduledDeliveries>;

export function createScheduledDeliveries(parts: Parts) {
  const { store, adapters, clock, isShared, deliver, onError } = parts;
  let timer: NodeJS.Timeout | undefined;
  let nextAt = Infinity;
  let round: Promise<void> = Promise.resolve();
  let stopped = false;
  /** What this process carries out, by key: who replaces or cancels it waits, and comes after it. */
  const underWay = new Map<string, Promise<void>>();

  function wakeAt(at: number): void {
    if (stopped || at >= nextAt) return;
    nextAt = at;
    clearTimeout(timer);
    // The wall clock may step meanwhile: it is looked at again every minute.
    const waitMs = Math.min(Math.max(0, at - clock.now()), INTERVAL_MS);
    timer = setTimeout(() => {
      round = round.then(carryOutDue).catch(onError);
    }, waitMs).unref();
  }

  async function carryOutDue(): Promise<void> {
    nextAt = Infinity;
    try {
      for (const adapter of adapters)
        for (const record of await store.list(adapter, KIND, clock.now())) {
          const scheduled = read(record);
          if (scheduled.dueAt > clock.now()) wakeAt(scheduled.dueAt);
          else await carryOut(record);
        }
    } catch (error) {
      wakeAt(clock.now() + INTERVAL_MS);
      throw error;
    } finally {
      if (isShared) wakeAt(clock.now() + INTERVAL_MS);
    }
  }

  async function carryOut(listed: AdapterRecord): Promise<void> {
    const work = carryOutAsItIs(listed).catch((error: unknown) => {
      onError(error);
      wakeAt(clock.now() + INTERVAL_MS);
    });
    underWay.set(listed.key, work);
    await work;
    underWay.delete(listed.key);
  }

  /** It may have been replaced or cancelled since it was listed. */
  async function carryOutAsItIs(listed: AdapterRecord): Promise<void> {
    const record = await store.get(listed, clock.now());
    if (record === null) return;
    const scheduled = read(record);
    if (scheduled.dueAt > clock.now()) return wakeAt(scheduled.dueAt);
    await deliver(scheduled, `${KIND}:${record.key}:${scheduled.dueAt}`);
    await store.removeUnchanged(record);
  }

  return {
    /**
     * Makes it durable, in place of another with its dedupe key. Throws SERVICE_UNAVAILABLE when too many
     * wait.
     */
    async add(adapter: string, scheduled: ScheduledDelivery, id: string): Promise<void> {
      const { ownerId, intakeId, parsed, dueAt } = scheduled;
      const waiting = await store.list(adapter, KIND, clock.now(), ownerId);
      const key = keyOf(intakeId, parsed.tasks[0]?.dedupeKey ?? id);
      if (waiting.length >= MAX_WAITING && !waiting.some((record) => record.key === key))
        throw new QinboxError('SERVICE_UNAVAILABLE', `${MAX_WAITING} scheduled messages wait already.`, {
          refusal: 'scheduled',
          retryAfterSeconds: 600,
        });
      await underWay.get(key);
      const named = { adapter, kind: KIND, key, ownerId };
      await store.put({ ...named, value: write(scheduled), expiresAt: dueAt + PATIENCE_MS });
      wakeAt(dueAt);
    },

    ...createWaitingList(parts, underWay),

    /** Carries out what is due from now on. */
    start(): void {
      round = round.then(carryOutDue).catch(onError);
    },

    /** Resolves when what is being carried out has ended. */
    idle: (): Promise<void> => round,

    /** Ends it; resolves when what is being carried out has ended. */
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}

/** Those that wait, as their owner and their senders see them. */
function createWaitingList({ store, adapters, clock }: Parts, underWay: ReadonlyMap<string, Promise<void>>) {
  return {
    /** Drops those that wait with these dedupe keys. One that is being carried out has its task after it. */
    async cancel({ adapter, id, ownerId }: IntakeWithSecrets, dedupeKeys: readonly string[]): Promise<void> {
      for (const dedupeKey of dedupeKeys) {
        const record = { adapter, kind: KIND, key: keyOf(id, dedupeKey) };
        await underWay.get(record.key);
        if ((await store.get(record, clock.now())) !== null) await store.remove(record, ownerId);
      }
    },

    /** The owner's, the next one first, with their keys. */
    async list(ownerId: string): Promise<{ key: string; scheduled: ScheduledDelivery }[]> {
      const found = await Promise.all(
        adapters.map((adapter) => store.list(adapter, KIND, clock.now(), ownerId)),
      );
      return found
        .flat()
        .map((record) => ({ key: record.key, scheduled: read(record) }))
        .toSorted((a, b) => a.scheduled.dueAt - b.scheduled.dueAt);
    },
  };
}

function keyOf(intakeId: string, dedupeKey: string): string {
  return `${intakeId}:${fingerprintOf(dedupeKey)}`;
}

function read({ value }: AdapterRecord): ScheduledDelivery {
  return JSON.parse(value) as ScheduledDelivery;
}

/** Without the request's body, which is shown to the owner alone, where it does not fit. */
function write(scheduled: ScheduledDelivery): string {
  const whole = JSON.stringify(scheduled);
  if (Buffer.byteLength(whole) <= MAX_VALUE_BYTES) return whole;
  const request = { ...scheduled.request, body: '', clipped: true };
  return JSON.stringify({ ...scheduled, request });
}
