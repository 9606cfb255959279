// The work that a change of a task makes: what webhooks are told, the steps of escalation, the lines of a
// digest. A store adds it in the atomic write of the change.
import { digestWork } from './digest.ts';
import { escalationWork } from './escalation.ts';
import type { FollowUps } from './follow-ups.ts';
import type { TaskEvent } from './task-event.ts';
import { webhookWork, type WebhookRecord } from './webhook.ts';
import type { NewWork } from './work.ts';

/** What of an owner's makes work of changes. */
export interface Reactions {
  readonly webhooks: readonly WebhookRecord[];
  readonly followUps: FollowUps | null;
}

/** The reactions by owner; one without any is not there. */
export function reactionsByOwner(
  webhooks: readonly WebhookRecord[],
  followUps: readonly FollowUps[],
): ReadonlyMap<string, Reactions> {
  const byOwner = new Map<string, Reactions>();
  for (const [ownerId, own] of Map.groupBy(webhooks, (webhook) => webhook.ownerId))
    byOwner.set(ownerId, { webhooks: own, followUps: null });
  for (const one of followUps) {
    if (one.escalations.length === 0 && one.digest === null) continue;
    byOwner.set(one.ownerId, { webhooks: byOwner.get(one.ownerId)?.webhooks ?? [], followUps: one });
  }
  return byOwner;
}

export function workOfEvent({ webhooks, followUps }: Reactions, event: TaskEvent): NewWork[] {
  const told = webhookWork(webhooks, event.type, event.task, event.at);
  if (followUps === null) return told;
  return [...told, ...escalationWork(followUps.escalations, event), ...digestWork(followUps.digest, event)];
}
