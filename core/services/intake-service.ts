// Where adapters hand deliveries in: caps, pause, the owner's filter and defaults, doing each delivery once, durability, and the
// record of what came. The adapter has proven and read the delivery before.
import { INTAKE_PER_MINUTE } from '../contract/index.ts';
import { policyOf, toResolvedKeys, toDrafts } from '../domain/delivery.ts';
import { taskIdsOf } from '../ports/claim-answer.ts';
import { createIdSource } from '../domain/ids.ts';
import { wantsEvent, type DeliveryVerdict, type IntakeRecord } from '../domain/intake.ts';
import { QinboxError } from '../errors.ts';
import type {
  Delivery,
  IntakeService,
  IntakeWithSecrets,
  RefusalFacts,
  DeliveryResult,
} from '../ports/adapter/intake.ts';
import type { Clock } from '../ports/clock.ts';
import type { SubmissionQueue } from '../ports/submission-queue.ts';
import type { Submission } from '../domain/submission.ts';
import type { RateLimiter, RateWindow } from '../ports/rate-limiter.ts';
import { createDeliveryRateLimit } from './delivery-rate-limit.ts';
import type { DeliveryLog } from './delivery-log.ts';
import type { IntakeCache } from './intake-cache.ts';
import { replayClaim, finalOutcome } from './replay.ts';

/** What a paused intake tells its senders to wait. */
const PAUSED_RETRY_SECONDS = 300;

interface Parts {
  access: IntakeCache;
  deliveries: DeliveryLog;
  queue: SubmissionQueue;
  limiter: RateLimiter;
  clock: Clock;
  /** `source` of the tasks of each adapter. */
  sources: ReadonlyMap<string, string>;
}

/** What became of a delivery, for whoever asked for a test or a replay. */
export interface DeliveryOutcome {
  verdict: DeliveryVerdict;
  reason: string | null;
  deliveryId: string;
  taskIds: readonly string[];
}

export type InnerIntakeService = ReturnType<typeof createIntakeService>;

export function createIntakeService({ access, deliveries, queue, limiter, clock, sources }: Parts) {
  const nextTaskId = createIdSource('task_');
  const caps = createDeliveryRateLimit(limiter, clock);

  function windowsOf({ hourlyCap }: IntakeRecord): RateWindow[] {
    const minute = { name: 'minute', limit: INTAKE_PER_MINUTE, seconds: 60 };
    return hourlyCap === null ? [minute] : [minute, { name: 'hour', limit: hourlyCap, seconds: 3600 }];
  }

  function refuse(intake: IntakeWithSecrets, reason: string, about: RefusalFacts = {}): boolean {
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

  function checkPaused(intake: IntakeWithSecrets): void {
    if (!access.recordOf(intake).paused) return;
    refuse(intake, 'The intake is paused.');
    throw busy('This address is paused. Try again later.', PAUSED_RETRY_SECONDS);
  }

  /** Makes a delivery durable and writes down what became of it. */
  async function deliver(arrival: Delivery, event: string | null): Promise<DeliveryOutcome> {
    const { intake, parsed, request, notes = {} } = arrival;
    const record = access.recordOf(intake);
    const deliveryId = deliveries.nextId();
    const note = (
      verdict: DeliveryVerdict,
      reason: string | null,
      taskIds: readonly string[],
    ): DeliveryOutcome => {
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
      return note('ignored', parsed.ignored ?? parsed.failed ?? 'There was nothing in it to do.', []);

    const result = await queue.submit(submission).catch((fault: unknown) => {
      if (fault instanceof QinboxError && fault.code === 'QUOTA_EXCEEDED')
        refuse(intake, fault.message, { ...(event === null ? {} : { event }), notes, request });
      throw fault;
    });
    const verdict = parsed.failed === undefined ? 'accepted' : 'failed';
    const reason = parsed.failed ?? null;
    if (result.kind === 'queued')
      return note(
        verdict,
        reason,
        submission.inserts.map(({ id }) => id),
      );
    const outcome = finalOutcome(result.outcome, 'The same delivery is under way. Send it again shortly.');
    const taskIds = taskIdsOf(outcome);
    return outcome.kind === 'replayed'
      ? note('duplicate', 'It was delivered before.', taskIds)
      : note(verdict, reason ?? closedReason(outcome.resolved.length, taskIds.length), taskIds);
  }

  function toSubmission(
    { parsed, replayKey, requestId }: Delivery,
    record: IntakeRecord,
    deliveryId: string,
  ): Submission | null {
    const at = clock.now();
    const drafts = toDrafts(parsed.tasks, policyOf(record), sources.get(record.adapter) ?? record.adapter);
    const resolves = toResolvedKeys(parsed.resolves, policyOf(record));
    if (drafts.length === 0 && resolves.length === 0) return null;
    return {
      ownerId: record.ownerId,
      adapter: record.adapter,
      inserts: drafts.map((draft) => ({ id: nextTaskId(at), draft })),
      at,
      requestId,
      delivery: deliveryId,
      ...(resolves.length === 0 ? {} : { resolves }),
      ...replayClaim(`intake:${record.id}`, replayKey),
    };
  }

  const intakeService: IntakeService = {
    find: (token) => access.find(token),
    checkPaused,

    async authorize(intake) {
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

    async ingest(arrival): Promise<DeliveryResult> {
      const { verdict, reason, deliveryId, taskIds } = await deliver(arrival, arrival.parsed.event ?? null);
      if (verdict === 'ignored') return { kind: 'ignored', deliveryId, reason: reason ?? '' };
      return { kind: verdict === 'duplicate' ? 'duplicate' : 'accepted', deliveryId, taskIds };
    },

    refuse,
  };

  return { ...intakeService, dispatch: deliver };
}

function busy(message: string, retryAfterSeconds: number): QinboxError {
  return new QinboxError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds });
}

function closedReason(closed: number, made: number): string | null {
  if (closed === 0) return made === 0 ? 'What it reports as over was not in the queue.' : null;
  return closed === 1 ? 'Acknowledged the task that is over.' : `Acknowledged ${closed} tasks that are over.`;
}
