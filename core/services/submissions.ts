// The one way in for tasks: builds a submission, makes it durable in the store or the queue before the sender
// is answered, publishes it after, and answers the outcome.
import { defined } from '../domain/filled.ts';
import { idempotencyClaim, type Claim, type Submission } from '../domain/submission.ts';
import { taskIdsOf, type SubmissionOutcome, type TaskOutcome } from '../domain/submission-outcome.ts';
import type { IdSource } from '../domain/ids.ts';
import type { TaskDraft } from '../domain/task.ts';
import { QinboxError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { SubmissionQueue } from '../ports/submission-queue.ts';
import type { TaskStore } from '../ports/task-store.ts';
import type { HasOwner } from './owners.ts';
import { createQueuedClaims, type Claimed } from './queued-claims.ts';
import type { SpanAttributes, Tracer } from '../ports/tracer.ts';

/** Called for each submission that was carried out, or was not; for measurements and logs. Must not throw. */
export interface SubmissionObserver {
  carriedOut(submission: Submission, outcome: SubmissionOutcome): void;
  failed(submission: Submission, fault: unknown): void;
}

interface Parts {
  tasks: TaskStore;
  /** Whether tasks may be stored for an owner: there is one, and it is not being deleted. */
  hasOwner: HasOwner;
  queue: SubmissionQueue;
  bus: EventBus;
  clock: Clock;
  nextId: IdSource;
  observer: SubmissionObserver;
  tracer: Tracer;
}

/** What one sender wants done in one request or delivery. */
export interface SubmissionRequest {
  ownerId: string;
  /** Id of the ingestion adapter. */
  adapter: string;
  drafts: readonly TaskDraft[];
  /** Dedupe keys of tasks that are over. */
  resolves?: readonly string[];
  /** Does it once. */
  claim?: Claim | undefined;
  /** The caller's Idempotency-Key with its scope, instead of a claim. */
  idempotency?: { scope: string; key: string };
  /** Id of the delivery to an intake. */
  delivery?: string;
  requestId: string;
}

/** What became of a submission. It is durable. */
export interface SubmissionResult {
  /** In the order of the drafts: of tasks that were made, repeated, or will be made under these ids. */
  taskIds: readonly string[];
  /**
   * Whether it was fulfilled before, or the first with its Idempotency-Key is in the queue; the ids are those
   * of the first.
   */
  isReplay: boolean;
  /** None while it waits in a queue, and for a repeat of a delivery, of which only the ids are stored. */
  outcomes: readonly TaskOutcome[];
  /** How many tasks its resolved keys acknowledged; null while it waits in a queue. */
  resolved: number | null;
}

export type Submissions = ReturnType<typeof createSubmissions>;

export function createSubmissions(parts: Parts) {
  const { tasks, hasOwner, queue, bus, clock, observer, tracer } = parts;

  /** Keys of claims with a fingerprint that this process is at work on. */
  const inFlight = new Set<string>();

  /** Makes a submission durable and publishes it. Doing it twice has the effect once. */
  function carryOut(submission: Submission): Promise<SubmissionOutcome> {
    const { trace: parent } = submission;
    const options = { kind: 'consumer', parent, attributes: traced(submission) } as const;
    return tracer.span('carry out submission', options, () => carryOutNow(submission));
  }

  async function carryOutNow(submission: Submission): Promise<SubmissionOutcome> {
    let outcome: SubmissionOutcome;
    try {
      const isThere = hasOwner(submission.ownerId);
      outcome =
        isThere === true || (isThere !== false && (await isThere))
          ? await tasks.create(submission)
          : { kind: 'dropped' };
    } catch (fault) {
      observer.failed(submission, fault);
      throw fault;
    }
    observer.carriedOut(submission, outcome);
    if (outcome.kind === 'done') publish(outcome);
    return outcome;
  }

  function publish({ outcomes, resolved }: Extract<SubmissionOutcome, { kind: 'done' }>): void {
    for (const task of resolved) bus.publish({ kind: 'task', type: 'task.acknowledged', task });
    for (const { task, created } of outcomes)
      // A task that suppresses its repeats is not in the queue: nothing changes on screen.
      if (task.acknowledgedAt === null)
        bus.publish({ kind: 'task', type: created ? 'task.created' : 'task.updated', task });
  }

  const queuedClaims = createQueuedClaims({ tasks, queue });

  /** Enqueues a submission; one with an Idempotency-Key is answered as the first with it. */
  async function enqueue(submission: Submission): Promise<SubmissionResult> {
    const hasKey = isPrinted(submission.claim);
    const before = hasKey ? await queuedClaims.before(submission) : null;
    if (before !== null) return claimedResult(submission, before);
    const result = await put(submission);
    const after = hasKey && result.resolved === null ? await queuedClaims.after(submission) : null;
    return after === null ? result : claimedResult(submission, after);
  }

  async function put(submission: Submission): Promise<SubmissionResult> {
    const options = { kind: 'producer', attributes: traced(submission) } as const;
    const submitted = await tracer.span('submit', options, () =>
      queue.submit({ ...submission, ...defined({ trace: tracer.traceparent() }) }),
    );
    if (submitted.kind === 'stored') return resultOf(submission, submitted.outcome);
    return { taskIds: idsOf(submission), isReplay: false, outcomes: [], resolved: null };
  }

  return {
    carryOut,

    /**
     * Stores the tasks now; with a claim, a repeat is answered as the first time. Throws
     * IDEMPOTENCY_KEY_REUSED for another request than the first, IDEMPOTENCY_IN_PROGRESS (SERVICE_UNAVAILABLE
     * for a delivery) while the first is in flight or in the queue.
     */
    async store(request: SubmissionRequest): Promise<SubmissionResult> {
      const submission = toSubmission(request, parts);
      const { claim } = submission;
      if (!isPrinted(claim)) return resultOf(submission, await carryOut(submission));
      const flight = `${claim.scope}\n${claim.key}`;
      if (inFlight.has(flight)) throw inProgress(claim, 1000);
      inFlight.add(flight);
      try {
        const queued = await queuedClaims.inQueue(submission);
        if (queued?.kind === 'waiting') throw inProgress(claim, 1000);
        return resultOf(submission, queued?.outcome ?? (await carryOut(submission)));
      } finally {
        inFlight.delete(flight);
      }
    },

    /**
     * Makes the submission durable in the queue, if there is one, or the store. Throws as `store` does; but a
     * repeat is answered as the first as soon as that is in the queue.
     */
    enqueue: (request: SubmissionRequest): Promise<SubmissionResult> => enqueue(toSubmission(request, parts)),

    /** Submits a rejected submission again. */
    retry: (submission: Submission, rejectionId: string): Promise<SubmissionResult> =>
      enqueue({ ...submission, at: clock.now(), retryOf: rejectionId }),
  };
}

function toSubmission(
  request: SubmissionRequest,
  { clock, nextId }: Pick<Parts, 'clock' | 'nextId'>,
): Submission {
  const { ownerId, adapter, drafts, resolves = [], idempotency, delivery, requestId } = request;
  const at = clock.now();
  const claim =
    idempotency === undefined ? request.claim : idempotencyClaim(idempotency.scope, idempotency.key, drafts);
  return {
    ownerId,
    adapter,
    inserts: drafts.map((draft) => ({ id: nextId('task_', at), draft })),
    at,
    requestId,
    ...(drafts.length === 0 && claim === undefined ? { id: nextId('sub_', at) } : {}),
    ...(resolves.length === 0 ? {} : { resolves }),
    ...(claim === undefined ? {} : { claim }),
    ...(delivery === undefined ? {} : { delivery }),
  };
}

/** Whether a repeat must ask for the same: an Idempotency-Key. */
function isPrinted(claim: Claim | undefined): claim is Claim & { fingerprint: string } {
  return claim !== undefined && claim.fingerprint !== null;
}

function claimedResult(submission: Submission, claimed: Claimed): SubmissionResult {
  if (claimed.kind === 'stored') return resultOf(submission, claimed.outcome);
  return { taskIds: idsOf(claimed.first), isReplay: true, outcomes: [], resolved: null };
}

function idsOf({ inserts }: Submission): string[] {
  return inserts.map(({ id }) => id);
}

function traced({ adapter, inserts, requestId }: Submission): SpanAttributes {
  return { 'qinbox.adapter': adapter, 'qinbox.tasks': inserts.length, 'qinbox.request_id': requestId };
}

function resultOf({ claim }: Submission, outcome: SubmissionOutcome): SubmissionResult {
  switch (outcome.kind) {
    case 'done': {
      const { outcomes, resolved } = outcome;
      return { taskIds: taskIdsOf(outcome), isReplay: false, outcomes, resolved: resolved.length };
    }
    case 'replayed':
      return { taskIds: outcome.taskIds, isReplay: true, outcomes: outcome.outcomes ?? [], resolved: 0 };
    case 'dropped':
      throw new QinboxError('FORBIDDEN', 'This account has been deleted.');
    case 'fingerprint-mismatch':
      throw new QinboxError('IDEMPOTENCY_KEY_REUSED');
    case 'in-progress':
      throw inProgress(claim, outcome.retryAfterMs);
  }
}

function inProgress(claim: Claim | undefined, retryAfterMs: number): QinboxError {
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return claim?.fingerprint === null
    ? new QinboxError('SERVICE_UNAVAILABLE', 'The same delivery is under way. Send it again shortly.', {
        refusal: 'repeat',
        retryAfterSeconds,
      })
    : new QinboxError('IDEMPOTENCY_IN_PROGRESS', undefined, { retryAfterSeconds });
}
