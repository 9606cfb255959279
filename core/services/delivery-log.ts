// The record of each intake's deliveries, for its owner. Written in the background, never holding up a
// delivery. A crash may lose entries here, never tasks.
import { createCache } from './cache.ts';
import { taskIdsOf } from '../domain/submission-outcome.ts';
import type { IdSource } from '../domain/ids.ts';
import type { DeliveryRecord } from '../domain/intake.ts';
import { networkOf } from '../domain/network.ts';
import type { Clock } from '../ports/clock.ts';
import type { Submission } from '../domain/submission.ts';
import { MAX_DELIVERIES, type DeliveryChanges, type IntakeStore } from '../ports/intake-store.ts';
import type { SubmissionOutcome } from '../domain/submission-outcome.ts';

/** Per intake, unproven ones apart: a forger must not fill the disk. */
const MAX_REFUSALS_PER_MINUTE = 30;
/** Of these, unproven ones of one address: nor hide why somebody else was refused. */
const MAX_UNPROVEN_PER_ADDRESS = 10;
/** How often an intake's last use is written. */
const TOUCH_INTERVAL_MS = 10_000;
/** In a flood, deliveries are written together this often, so that their record costs less than they do. */
const WRITE_INTERVAL_MS = 100;
/** A worker may be quicker than the process that took the delivery in is with its record. */
const NOTE_DELAY_MS = 1000;
/** Intakes whose refusals and last use are tracked. */
const MAX_TRACKED = 10_000;

interface Parts {
  intakes: IntakeStore;
  clock: Clock;
  nextId: IdSource;
  /** Called when a record could not be written. */
  onError: (error: unknown) => void;
}

export type NewDelivery = Omit<DeliveryRecord, 'id' | 'at'>;

export type DeliveryLog = ReturnType<typeof createDeliveryLog>;

export function createDeliveryLog({ intakes, clock, nextId, onError }: Parts) {
  const pending = new Set<Promise<void>>();
  const refusals = createRefusalCounts();
  const touched = createCache<number>(MAX_TRACKED);
  const delayed = new Map<NodeJS.Timeout, () => void>();
  /** What came since the last writing, by intake. */
  const waiting = new Map<string, DeliveryRecord[]>();
  let lastWriting: NodeJS.Timeout | undefined;

  function inBackground(work: Promise<void>): void {
    const done = work.catch(onError).finally(() => pending.delete(done));
    pending.add(done);
  }

  /** Writes at once when it is quiet. Of a flood, drops the earliest, which would not stay anyway. */
  function write(delivery: DeliveryRecord): void {
    const others = waiting.get(delivery.intakeId) ?? [];
    waiting.set(delivery.intakeId, others);
    others.push(delivery);
    if (others.length > MAX_DELIVERIES) others.shift();
    if (lastWriting === undefined) writeWaiting();
  }

  function writeWaiting(): void {
    clearTimeout(lastWriting);
    lastWriting = undefined;
    if (waiting.size === 0) return;
    lastWriting = setTimeout(writeWaiting, WRITE_INTERVAL_MS);
    inBackground(intakes.addDeliveries([...waiting.values()].flat()));
    waiting.clear();
  }

  function touch(intakeId: string): void {
    const last = touched.get(intakeId);
    const at = clock.monotonic();
    if (last !== undefined && at - last < TOUCH_INTERVAL_MS) return;
    touched.set(intakeId, at);
    inBackground(intakes.touch(intakeId, clock.now()));
  }

  /** Whether it was written: not after many in this minute. */
  function noteBounded(delivery: Omit<NewDelivery, 'taskIds'>, address: string | null): boolean {
    const at = clock.now();
    if (!refusals.count(delivery.intakeId, address, clock.monotonic())) return false;
    write(mended({ ...delivery, id: nextId('dlv_', at), at, taskIds: [] }));
    return true;
  }

  return {
    nextId: (): string => nextId('dlv_', clock.now()),

    /** Writes a delivery down, soon. */
    note(id: string, delivery: NewDelivery): void {
      const at = clock.now();
      if (delivery.verdict !== 'refused') touch(delivery.intakeId);
      write(mended({ ...delivery, id, at }));
    },

    /** Whether it was written: not after many in this minute. `address`: of an unproven sender. */
    noteRefusal: (delivery: Omit<NewDelivery, 'verdict' | 'taskIds'>, address: string | null): boolean =>
      noteBounded({ ...delivery, verdict: 'refused' }, address),

    /** Written unless there were many refusals and handshakes in this minute, since anybody may ask. */
    noteHandshake(delivery: Omit<NewDelivery, 'verdict' | 'taskIds'>, address: string | null): void {
      noteBounded({ ...delivery, verdict: 'ignored' }, address);
    },

    /** Corrects the record once a worker knows what became of a submission that came with a delivery. */
    noteOutcome({ delivery, inserts }: Submission, outcome: SubmissionOutcome): void {
      if (delivery === undefined) return;
      const changes = changesOf(inserts, outcome);
      if (changes === null) return;
      const write = () => inBackground(intakes.changeDelivery(delivery, changes));
      const timer = setTimeout(() => {
        delayed.delete(timer);
        write();
      }, NOTE_DELAY_MS);
      delayed.set(timer, write);
    },

    /** Resolves when everything noted so far is written, or has failed to be. */
    async flush(): Promise<void> {
      writeWaiting();
      clearTimeout(lastWriting);
      lastWriting = undefined;
      for (const [timer, write] of delayed) {
        clearTimeout(timer);
        write();
      }
      delayed.clear();
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}

// A sender names its events, and what cannot be read may be quoted.
function mended(delivery: DeliveryRecord): DeliveryRecord {
  const { event, reason } = delivery;
  return { ...delivery, event: event?.toWellFormed() ?? null, reason: reason?.toWellFormed() ?? null };
}

/** Says of each refusal whether it is to be written down. */
function createRefusalCounts() {
  const counts = createCache<number>(MAX_TRACKED);
  let minute = 0;

  function isBelow(key: string, limit: number): boolean {
    const count = counts.get(key) ?? 0;
    if (count < limit) counts.set(key, count + 1);
    return count < limit;
  }

  return {
    /** `at`: by the monotonic clock. */
    count(intakeId: string, address: string | null, at: number): boolean {
      const now = Math.floor(at / 60_000);
      if (now !== minute) counts.clear();
      minute = now;
      if (address === null) return isBelow(intakeId, MAX_REFUSALS_PER_MINUTE);
      // The intake's bound is asked last, so that what an address has over its own takes nothing from others.
      return (
        isBelow(`${intakeId} ${networkOf(address)}`, MAX_UNPROVEN_PER_ADDRESS) &&
        isBelow(`${intakeId} unproven`, MAX_REFUSALS_PER_MINUTE)
      );
    },
  };
}

// Only what differs from what was expected when it was taken in: one new task for each order.
function changesOf(inserts: Submission['inserts'], outcome: SubmissionOutcome): DeliveryChanges | null {
  if (outcome.kind !== 'done' && outcome.kind !== 'replayed') return null;
  const taskIds = taskIdsOf(outcome);
  if (outcome.kind === 'replayed')
    return { verdict: 'duplicate', reason: 'It was delivered before.', taskIds };
  return taskIds.every((id, index) => id === inserts[index]?.id) ? null : { taskIds };
}
