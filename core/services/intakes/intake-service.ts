// Takes in deliveries that an adapter verified and parsed: rate limit, pause, filter, defaults, delivery log.
import { INTAKE_PER_MINUTE, MAX_BATCH_ITEMS, MAX_DELIVERY_RESOLVES } from '#core/contract/index.ts';
import { contentOf, type ParsedDelivery } from '#core/domain/delivery.ts';
import { defined } from '#core/domain/filled.ts';
import { fingerprintOf } from '#core/domain/hash.ts';
import type { DeliveryVerdict, IntakeRecord } from '#core/domain/intake.ts';
import { replayClaim } from '#core/domain/submission.ts';
import { QinboxError, type ErrorCode, type Refusal } from '#core/errors.ts';
import type {
  Delivery,
  DeliveryResult,
  IntakeService,
  IntakeWithSecrets,
  RefusalFacts,
} from '#core/ports/adapter/intake.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { RateLimiter, RateVerdict, RateWindow } from '#core/ports/rate-limiter.ts';
import type { DeliveryLog } from '#core/services/delivery-log.ts';
import { createDeliveryRateLimit } from '#core/services/delivery-rate-limit.ts';
import type { IntakeCache } from './cache.ts';
import type { ScheduledDeliveries } from '#core/services/scheduled-deliveries.ts';
import type { SubmissionRequest, SubmissionResult, Submissions } from '#core/services/submissions.ts';

/** `Retry-After` of a paused intake. */
const PAUSED_RETRY_SECONDS = 300;

/** What the owner sees among the deliveries. */
const REFUSED: ReadonlySet<ErrorCode> = new Set(['QUOTA_EXCEEDED', 'PAYLOAD_TOO_LARGE']);

interface Parts {
  intakes: IntakeCache;
  deliveries: DeliveryLog;
  submissions: Pick<Submissions, 'enqueue'>;
  limiter: RateLimiter;
  clock: Clock;
  /** `source` of the tasks of each adapter. */
  sources: ReadonlyMap<string, string>;
  scheduled: () => ScheduledDeliveries;
}

/** What became of a delivery, as its owner sees it. */
export interface DeliveryOutcome {
  verdict: DeliveryVerdict;
  reason: string | null;
  deliveryId: string;
  taskIds: readonly string[];
}

/** The {@link IntakeService}, with deliveries that the owner asks for: tests and replays. */
export interface IntakeDeliveries extends IntakeService {
  deliver(delivery: Delivery): Promise<DeliveryOutcome>;
}

export function createIntakeService({
  intakes,
  deliveries,
  submissions,
  limiter,
  clock,
  sources,
  scheduled,
}: Parts): IntakeDeliveries {
  const rateLimit = createDeliveryRateLimit(limiter, clock);

  function refuse(intake: IntakeWithSecrets, reason: string, about: RefusalFacts = {}): boolean {
    const { event = null, notes = {}, request = null, unprovenFrom = null } = about;
    const { id: intakeId, ownerId } = intake;
    return deliveries.noteRefusal({ intakeId, ownerId, reason, event, notes, request }, unprovenFrom);
  }

  function checkPaused(intake: IntakeWithSecrets): void {
    if (!intake.paused) return;
    refuse(intake, 'The intake is paused.');
    throw busy('paused', 'This address is paused. Try again later.', PAUSED_RETRY_SECONDS);
  }

  async function authorize(intake: IntakeWithSecrets): Promise<void> {
    checkPaused(intake);
    const verdict = await rateLimit.count(`intake:${intake.id}`, windowsOf(intake));
    if (verdict === null || verdict.allowed) return;
    const { limits, retryAfterSeconds } = exceeded(verdict);
    refuse(intake, `Too many deliveries: the limit is ${limits}.`);
    throw busy('cap', 'This address takes no more for the moment. Try again later.', retryAfterSeconds);
  }

  /** Makes a delivery durable and notes what became of it. */
  async function deliver({ intake, parsed, ...delivery }: Delivery): Promise<DeliveryOutcome> {
    const { request, notes = {}, replayKey, requestId } = delivery;
    const { id: intakeId, ownerId, adapter } = intake;
    const { event = null } = parsed;
    const deliveryId = deliveries.nextId();
    function note(verdict: DeliveryVerdict, reason: string | null, taskIds: readonly string[]) {
      deliveries.note(deliveryId, { intakeId, ownerId, verdict, reason, event, taskIds, notes, request });
      return { verdict, reason, deliveryId, taskIds };
    }

    const source = sources.get(adapter) ?? adapter;
    const { drafts, resolves, ignored } = contentOf(parsed, intake, source, deliveryId);
    if (ignored !== null || drafts.length + resolves.length === 0)
      return note('ignored', ignored ?? parsed.failed ?? 'There was nothing in it to do.', []);

    const drafted = { ownerId, adapter, drafts, resolves, delivery: deliveryId, requestId };
    const result = await submitInParts(submissions, drafted, `intake:${intakeId}`, replayKey).catch(
      (fault: unknown) => {
        if (fault instanceof QinboxError && REFUSED.has(fault.code))
          refuse(intake, fault.message, { ...(event === null ? {} : { event }), notes, request });
        throw fault;
      },
    );
    if (result.isReplay) return note('duplicate', 'It was delivered before.', result.taskIds);
    const { failed } = parsed;
    return note(
      failed === undefined ? 'accepted' : 'failed',
      failed ?? resolvedReason(result),
      result.taskIds,
    );
  }

  async function schedule(
    { intake, parsed, request, notes = {}, requestId }: Delivery,
    dueAt: number,
  ): Promise<DeliveryResult> {
    const { id: intakeId, ownerId, adapter } = intake;
    const deliveryId = deliveries.nextId();
    const waiting = { intakeId, ownerId, parsed, request, notes, requestId, dueAt };
    await scheduled().add(adapter, waiting, deliveryId);
    const reason = `It is due at ${new Date(dueAt).toISOString()}.`;
    const about = { intakeId, ownerId, event: parsed.event ?? null, notes, request };
    deliveries.note(deliveryId, { ...about, verdict: 'accepted', reason, taskIds: [] });
    return { kind: 'accepted', deliveryId, taskIds: [] };
  }

  return {
    find: (token) => intakes.find(token),
    checkPaused,
    authorize,
    refuse,
    noteHandshake: (...about) => noteHandshake(deliveries, ...about),
    deliver,

    async ingest(delivery): Promise<DeliveryResult> {
      const { dueAt } = delivery;
      if (dueAt !== undefined) {
        if (dueAt !== null) return schedule(delivery, dueAt);
        await scheduled().cancel(delivery.intake, dedupeKeysOf(delivery.parsed));
      }
      const { verdict, reason, deliveryId, taskIds } = await deliver(delivery);
      if (verdict === 'ignored') return { kind: 'ignored', deliveryId, reason: reason ?? '' };
      return { kind: verdict === 'duplicate' ? 'duplicate' : 'accepted', deliveryId, taskIds };
    },
  };
}

function noteHandshake(
  deliveries: DeliveryLog,
  { id: intakeId, ownerId }: IntakeWithSecrets,
  asked: string,
  { unprovenFrom }: Pick<RefusalFacts, 'unprovenFrom'> = {},
): void {
  const about = { intakeId, ownerId, event: 'handshake', notes: {}, request: null };
  deliveries.noteHandshake({ ...about, reason: `Handshake: ${asked}` }, unprovenFrom ?? null);
}

/**
 * Enqueues what a delivery says. All but the last 500 of its keys are resolved before the rest, 500 at a
 * time, so that no write holds up the others for long; a repeat after a cut goes on.
 */
async function submitInParts(
  submissions: Pick<Submissions, 'enqueue'>,
  { resolves: keys, delivery, ...request }: SubmissionRequest & { resolves: readonly string[] },
  scope: string,
  replayKey: string | null,
): Promise<SubmissionResult> {
  if (keys.length > MAX_DELIVERY_RESOLVES)
    throw new QinboxError(
      'PAYLOAD_TOO_LARGE',
      `A delivery resolves at most ${MAX_DELIVERY_RESOLVES} tasks, this one ${keys.length}. Send fewer at once.`,
    );
  let before = 0;
  let from = 0;
  for (; keys.length - from > MAX_BATCH_ITEMS; from += MAX_BATCH_ITEMS) {
    const resolves = keys.slice(from, from + MAX_BATCH_ITEMS);
    const claim = replayClaim(scope, replayKey === null ? null : fingerprintOf([replayKey, from]));
    before += (await submissions.enqueue({ ...request, drafts: [], resolves, claim })).resolved ?? 0;
  }
  const claim = replayClaim(scope, replayKey);
  const rest = { ...request, resolves: keys.slice(from), claim, ...defined({ delivery }) };
  const result = await submissions.enqueue(rest);
  return { ...result, resolved: result.resolved === null ? null : result.resolved + before };
}

function dedupeKeysOf({ tasks, resolves }: ParsedDelivery): string[] {
  return [...tasks.flatMap(({ dedupeKey }) => dedupeKey ?? []), ...resolves];
}

function windowsOf({ hourlyCap }: IntakeRecord): RateWindow[] {
  const minute = { name: 'minute', limit: INTAKE_PER_MINUTE, seconds: 60 };
  return hourlyCap === null ? [minute] : [minute, { name: 'hour', limit: hourlyCap, seconds: 3600 }];
}

/** The windows that are full, in words, and when the last of them ends. */
function exceeded({ states }: RateVerdict): { limits: string; retryAfterSeconds: number } {
  const full = states.filter(({ remaining }) => remaining <= 0);
  const seconds = Math.ceil(Math.max(...full.map(({ resetMs }) => resetMs)) / 1000);
  return {
    limits: full.map(({ window }) => `${window.limit} in ${window.seconds / 60} minutes`).join(', '),
    retryAfterSeconds: Math.max(1, seconds),
  };
}

// Not 429, which senders such as Alertmanager drop.
function busy(refusal: Refusal, message: string, retryAfterSeconds: number): QinboxError {
  return new QinboxError('SERVICE_UNAVAILABLE', message, { refusal, retryAfterSeconds });
}

function resolvedReason({ resolved, taskIds }: SubmissionResult): string | null {
  if (resolved === null) return null;
  if (resolved === 0) return taskIds.length === 0 ? 'What it reports as over was not in the queue.' : null;
  return resolved === 1
    ? 'Acknowledged the task that is over.'
    : `Acknowledged ${resolved} tasks that are over.`;
}
