// Tasks from an adapter whose senders have no intake: made inside all limits, once for each message, durable when answered.
import { toDrafts } from '../domain/delivery.ts';
import { tasksOf } from '../ports/claim-answer.ts';
import { createIdSource } from '../domain/ids.ts';
import type { HandedOver, Handover } from '../ports/adapter.ts';
import type { Clock } from '../ports/clock.ts';
import type { IngestQueue } from '../ports/submission-queue.ts';
import { replayClaim, settled } from './replay.ts';

interface Parts {
  queue: IngestQueue;
  clock: Clock;
  adapter: { id: string; title: string; source: string };
}

const nextTaskId = createIdSource('task_');

export function createHandover({
  queue,
  clock,
  adapter,
}: Parts): (handover: Handover) => Promise<HandedOver> {
  const policy = { id: adapter.id, name: adapter.title, defaults: {}, reopens: true, isIntake: false };

  return async ({ ownerId, tasks, replayKey, requestId }) => {
    const at = clock.now();
    const orders = toDrafts(tasks, policy, adapter.source).map((draft) => ({ id: nextTaskId(at), draft }));
    if (orders.length === 0) return { kind: 'accepted', taskIds: [] };
    const claim = replayClaim(`adapter:${adapter.id}:${ownerId}`, replayKey);
    const result = await queue.submit({ ownerId, adapter: adapter.id, orders, at, requestId, ...claim });
    if (result.kind === 'queued') return { kind: 'accepted', taskIds: orders.map(({ id }) => id) };
    const outcome = settled(result.outcome);
    return {
      kind: outcome.kind === 'replayed' ? 'duplicate' : 'accepted',
      taskIds: tasksOf(outcome),
    };
  };
}
