// How tasks come in, whoever sends them: once each, durable before the sender is told, published after.
import type { TaskDraft } from '../domain/task.ts';
import { taskIdsOf } from '../ports/claim-answer.ts';
import { fingerprintOf } from '../domain/hash.ts';
import { createIdSource } from '../domain/ids.ts';
import { QinboxError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { SubmissionQueue } from '../ports/submission-queue.ts';
import type { Submission } from '../domain/submission.ts';
import type { CreateOutcome, TaskOutcome, TaskStore } from '../ports/task-store.ts';
import type { Claim } from '../domain/submission.ts';

/** Hears of every submission that was carried out, or was not; for measurements and logs. Must not throw. */
export interface IngestObserver {
  carriedOut(submission: Submission, outcome: CreateOutcome): void;
  failed(submission: Submission, fault: unknown): void;
}

interface Parts {
  tasks: TaskStore;
  bus: EventBus;
  clock: Clock;
  observer: IngestObserver;
}

/** What one caller hands over in one request. */
export interface Intent {
  ownerId: string;
  adapter: string;
  drafts: readonly TaskDraft[];
  /** The caller's Idempotency-Key with whose it is, when there is one. */
  idempotency?: { scope: string; key: string };
  requestId: string;
}

/** What a synchronous call may answer. */
export interface Stored {
  outcomes: TaskOutcome[];
  /** The request was fulfilled before; these are the outcomes of that time. */
  replayed: boolean;
}

export type Ingest = ReturnType<typeof createIngest>;

export function createIngest({ tasks, bus, clock, observer }: Parts) {
  const nextTaskId = createIdSource('task_');
  const inFlight = new Set<string>();

  /** Makes durable what was submitted and publishes it. Doing it twice has the effect once. */
  async function carryOut(submission: Submission): Promise<CreateOutcome> {
    const { ownerId, inserts, resolves, claim, at } = submission;
    let outcome: CreateOutcome;
    try {
      outcome = await tasks.create({
        ownerId,
        inserts,
        at,
        ...(resolves === undefined ? {} : { resolves }),
        ...(claim === undefined ? {} : { claim }),
      });
    } catch (fault) {
      observer.failed(submission, fault);
      throw fault;
    }
    observer.carriedOut(submission, outcome);
    if (outcome.kind === 'done') publish(outcome);
    return outcome;
  }

  function publish({ outcomes, resolved: closed }: Extract<CreateOutcome, { kind: 'done' }>): void {
    for (const task of closed) bus.publish({ kind: 'task', type: 'task.acknowledged', task });
    for (const { task, created } of outcomes)
      // A task that is not in the queue (it counts its repeats in silence, say) is nothing to show.
      if (task.acknowledgedAt === null)
        bus.publish({ kind: 'task', type: created ? 'task.created' : 'task.updated', task });
  }

  function toSubmission(intent: Intent): Submission {
    const at = clock.now();
    return {
      ownerId: intent.ownerId,
      adapter: intent.adapter,
      inserts: intent.drafts.map((draft) => ({ id: nextTaskId(at), draft })),
      at,
      requestId: intent.requestId,
      ...(intent.idempotency === undefined ? {} : { claim: toClaim(intent.idempotency, intent.drafts) }),
    };
  }

  async function store(submission: Submission): Promise<Stored> {
    const outcome = await carryOut(submission);
    switch (outcome.kind) {
      case 'done':
        return { outcomes: outcome.outcomes, replayed: false };
      case 'replayed':
        if (outcome.outcomes === null) throw new Error('A caller claimed without a fingerprint.');
        return { outcomes: outcome.outcomes, replayed: true };
      case 'fingerprint-mismatch':
        throw new QinboxError('IDEMPOTENCY_KEY_REUSED');
      case 'in-progress':
        throw inProgress(outcome.retryAfterMs);
    }
  }

  return {
    carryOut,

    /**
     * Stores the tasks and answers what became of them. With an idempotency key: the first answer again for the same
     * request, IDEMPOTENCY_KEY_REUSED for another, IDEMPOTENCY_IN_PROGRESS while the first is under way.
     */
    async submit(intent: Intent): Promise<Stored> {
      const submission = toSubmission(intent);
      const { claim } = submission;
      if (claim === undefined) return store(submission);
      const flight = `${claim.scope}\n${claim.key}`;
      if (inFlight.has(flight)) throw inProgress(1000);
      inFlight.add(flight);
      try {
        return await store(submission);
      } finally {
        inFlight.delete(flight);
      }
    },

    /** Hands the tasks to the queue and answers their ids once they are durable there. */
    async submitAsync(intent: Intent, queue: SubmissionQueue): Promise<string[]> {
      const submission = toSubmission(intent);
      const result = await queue.submit(submission);
      if (result.kind === 'stored') {
        if (result.outcome.kind === 'fingerprint-mismatch') throw new QinboxError('IDEMPOTENCY_KEY_REUSED');
        if (result.outcome.kind === 'in-progress') throw inProgress(result.outcome.retryAfterMs);
        return taskIdsOf(result.outcome);
      }
      return submission.inserts.map(({ id }) => id);
    },
  };
}

function toClaim(idempotency: { scope: string; key: string }, drafts: readonly TaskDraft[]): Claim {
  // Of what the caller said: `reopens` is the intake's.
  const said = drafts.map((draft) => ({ ...draft, reopens: undefined }));
  return { ...idempotency, fingerprint: fingerprintOf(said) };
}

function inProgress(retryAfterMs: number): QinboxError {
  return new QinboxError('IDEMPOTENCY_IN_PROGRESS', undefined, {
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1000)),
  });
}
