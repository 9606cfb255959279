// Where adapters hand deliveries in: caps, pause, the owner's filter and defaults, doing each delivery once, durability, and the
// record of what came. The adapter has proven and read the delivery before.
import { INTAKE_PER_MINUTE } from '../contract/index.ts';
import { policyOf, toCloses, toDrafts } from '../domain/delivery.ts';
import { tasksOf } from '../ports/claim-answer.ts';
import { createIdSource } from '../domain/ids.ts';
import { wantsEvent, type DeliveryVerdict, type IntakeRecord } from '../domain/intake.ts';
import { QinboxError } from '../errors.ts';
import type { Arrival, Desk, OpenIntake, RefusalFacts, Taken } from '../ports/adapter.ts';
import type { Clock } from '../ports/clock.ts';
import type { IngestQueue, Submission } from '../ports/submission-queue.ts';
import type { RateLimiter, RateWindow } from '../ports/rate-limiter.ts';
import { createCaps } from './delivery-rate-limit.ts';
import type { Deliveries } from './delivery-log.ts';
import type { IntakeAccess } from './intake-cache.ts';
import { replayClaim, settled } from './replay.ts';

/** What a paused intake tells its senders to wait. */
const PAUSED_RETRY_SECONDS = 300;

interface Parts {
  access: IntakeAccess;
  deliveries: Deliveries;
  queue: IngestQueue;
  limiter: RateLimiter;
  clock: Clock;
  /** `source` of the tasks of each adapter. */
  sources: ReadonlyMap<string, string>;
}

/** What became of a delivery, for whoever asked for a test or a replay. */
export interface Dispatch {
  verdict: DeliveryVerdict;
  reason: string | null;
  deliveryId: string;
  taskIds: readonly string[];
}

export type IntakeDesk = ReturnType<typeof createDesk>;

export function createDesk({ access, deliveries, queue, limiter, clock, sources }: Parts) {
  const nextTaskId = createIdSource('task_');
  const caps = createCaps(limiter, clock);

  function windowsOf({ hourlyCap }: IntakeRecord): RateWindow[] {
    const minute = { name: 'minute', limit: INTAKE_PER_MINUTE, seconds: 60 };
    return hourlyCap === null ? [minute] : [minute, { name: 'hour', limit: hourlyCap, seconds: 3600 }];
  }

  function refuse(intake: OpenIntake, reason: string, about: RefusalFacts = {}): boolean {
    const refusal = {
      intakeId: intake.id,
      ownerId: intake.ownerId,
      reason,
      event: about.event ?? null,
      notes: about.notes ?? {},
      request: about.request ?? null,
    };
    return deliveries.noteRefusal(refusal, about.unprovenFrom ?? null);
  }

  function checkPaused(intake: OpenIntake): void {
    if (!access.recordOf(intake).paused) return;
    refuse(intake, 'The intake is paused.');
    throw busy('This address is paused. Try again later.', PAUSED_RETRY_SECONDS);
  }

  /** Makes a delivery durable and writes down what became of it. */
  async function dispatch(arrival: Arrival, event: string | null): Promise<Dispatch> {
    const { intake, reading, request, notes = {} } = arrival;
    const record = access.recordOf(intake);
    const deliveryId = deliveries.nextId();
    const note = (verdict: DeliveryVerdict, reason: string | null, taskIds: readonly string[]): Dispatch => {
      deliveries.note(deliveryId, {
        intakeId: record.id,
        ownerId: record.ownerId,
        verdict,
        reason,
        event,
        taskIds,
        notes,
        request,
      });
      return { verdict, reason, deliveryId, taskIds };
    };

    if (!wantsEvent(record.events, event))
      return note('ignored', `Events of type ${event} are not among those that this intake takes.`, []);
    const submission = toSubmission(arrival, record, deliveryId);
    if (submission === null)
      return note('ignored', reading.ignored ?? reading.failed ?? 'There was nothing in it to do.', []);

    const result = await queue.submit(submission).catch((fault: unknown) => {
      if (fault instanceof QinboxError && fault.code === 'QUOTA_EXCEEDED')
        refuse(intake, fault.message, { ...(event === null ? {} : { event }), notes, request });
      throw fault;
    });
    const verdict = reading.failed === undefined ? 'accepted' : 'failed';
    const reason = reading.failed ?? null;
    if (result.kind === 'queued')
      return note(
        verdict,
        reason,
        submission.orders.map(({ id }) => id),
      );
    const outcome = settled(result.outcome, 'The same delivery is under way. Send it again shortly.');
    const taskIds = tasksOf(outcome);
    return outcome.kind === 'replayed'
      ? note('duplicate', 'It was delivered before.', taskIds)
      : note(verdict, reason ?? closedReason(outcome.closed.length, taskIds.length), taskIds);
  }

  function toSubmission(
    { reading, replayKey, requestId }: Arrival,
    record: IntakeRecord,
    deliveryId: string,
  ): Submission | null {
    const at = clock.now();
    const drafts = toDrafts(reading.tasks, policyOf(record), sources.get(record.adapter) ?? record.adapter);
    const closes = toCloses(reading.closes, policyOf(record));
    if (drafts.length === 0 && closes.length === 0) return null;
    return {
      ownerId: record.ownerId,
      adapter: record.adapter,
      orders: drafts.map((draft) => ({ id: nextTaskId(at), draft })),
      at,
      requestId,
      delivery: deliveryId,
      ...(closes.length === 0 ? {} : { closes }),
      ...replayClaim(`intake:${record.id}`, replayKey),
    };
  }

  const desk: Desk = {
    find: (token) => access.find(token),
    checkPaused,

    async admit(intake) {
      const record = access.recordOf(intake);
      checkPaused(intake);
      const verdict = await caps.count(`intake:${record.id}`, windowsOf(record));
      if (verdict === null || verdict.allowed) return;
      const full = verdict.states.filter(({ remaining }) => remaining <= 0);
      const seconds = Math.ceil(Math.max(...full.map(({ resetMs }) => resetMs)) / 1000);
      const names = full.map(({ window }) => `${window.limit} in ${window.seconds / 60} minutes`).join(', ');
      refuse(intake, `Too many deliveries: the limit is ${names}.`);
      throw busy('This address takes no more for the moment. Try again later.', Math.max(1, seconds));
    },

    async take(arrival): Promise<Taken> {
      const { verdict, reason, deliveryId, taskIds } = await dispatch(arrival, arrival.reading.event ?? null);
      if (verdict === 'ignored') return { kind: 'ignored', deliveryId, reason: reason ?? '' };
      return { kind: verdict === 'duplicate' ? 'duplicate' : 'accepted', deliveryId, taskIds };
    },

    refuse,
  };

  return { ...desk, dispatch };
}

function busy(message: string, retryAfterSeconds: number): QinboxError {
  return new QinboxError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds });
}

function closedReason(closed: number, made: number): string | null {
  if (closed === 0) return made === 0 ? 'What it reports as over was not in the queue.' : null;
  return closed === 1 ? 'Acknowledged the task that is over.' : `Acknowledged ${closed} tasks that are over.`;
}
