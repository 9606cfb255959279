// Tasks from an adapter whose senders have no intake: made inside all limits, once for each message, durable when answered.
import { toDrafts } from '../domain/delivery.ts';
import { taskIdsOf } from '../ports/claim-answer.ts';
import { createIdSource } from '../domain/ids.ts';
import type { AdapterSubmissionResult, AdapterSubmission } from '../ports/adapter/context.ts';
import type { Clock } from '../ports/clock.ts';
import type { SubmissionQueue } from '../ports/submission-queue.ts';
import { replayClaim, finalOutcome } from './replay.ts';

interface Parts {
  queue: SubmissionQueue;
  clock: Clock;
  adapter: { id: string; title: string; source: string };
}

const nextTaskId = createIdSource('task_');

export function createAdapterSubmissions({
  queue,
  clock,
  adapter,
}: Parts): (submission: AdapterSubmission) => Promise<AdapterSubmissionResult> {
  const policy = { id: adapter.id, name: adapter.title, defaults: {}, reopens: true, isIntake: false };

  return async ({ ownerId, tasks, replayKey, requestId }) => {
    const at = clock.now();
    const inserts = toDrafts(tasks, policy, adapter.source).map((draft) => ({ id: nextTaskId(at), draft }));
    if (inserts.length === 0) return { kind: 'accepted', taskIds: [] };
    const claim = replayClaim(`adapter:${adapter.id}:${ownerId}`, replayKey);
    const result = await queue.submit({ ownerId, adapter: adapter.id, inserts, at, requestId, ...claim });
    if (result.kind === 'queued') return { kind: 'accepted', taskIds: inserts.map(({ id }) => id) };
    const outcome = finalOutcome(result.outcome);
    return {
      kind: outcome.kind === 'replayed' ? 'duplicate' : 'accepted',
      taskIds: taskIdsOf(outcome),
    };
  };
}
