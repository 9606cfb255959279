// The work that a change of a task makes: what webhooks are told, the steps of escalation, the lines of a
// digest, pushes. A store adds it in the atomic write of the change.
import { digestWork } from './digest.ts';
import { escalationWork } from './escalation.ts';
import type { FollowUps } from './follow-ups.ts';
import type { PushRecord } from './push.ts';
import { pushWork } from './push-work.ts';
import type { TaskEvent } from './task-event.ts';
import { webhookWork, type WebhookRecord } from './webhook.ts';
import type { NewWork } from './work.ts';

/** What of an owner's makes work of changes. */
export interface Reactions {
  readonly webhooks: readonly WebhookRecord[];
  readonly followUps: FollowUps | null;
  /** Null for an owner without a device. */
  readonly push: PushRecord | null;
}

const NONE: Reactions = { webhooks: [], followUps: null, push: null };

/** The reactions by owner; one without any is not there. */
export function reactionsByOwner(
  webhooks: readonly WebhookRecord[],
  followUps: readonly FollowUps[],
  pushes: readonly PushRecord[],
): ReadonlyMap<string, Reactions> {
  const byOwner = new Map<string, Reactions>();
  for (const [ownerId, own] of Map.groupBy(webhooks, (webhook) => webhook.ownerId))
    byOwner.set(ownerId, { ...NONE, webhooks: own });
  for (const one of followUps) {
    if (one.escalations.length === 0 && one.digest === null) continue;
    byOwner.set(one.ownerId, { ...(byOwner.get(one.ownerId) ?? NONE), followUps: one });
  }
  for (const one of pushes)
    if (one.devices.length > 0)
      byOwner.set(one.ownerId, { ...(byOwner.get(one.ownerId) ?? NONE), push: one });
  return byOwner;
}

export function workOfEvent({ webhooks, followUps, push }: Reactions, event: TaskEvent): NewWork[] {
  const told = [...webhookWork(webhooks, event.type, event.task, event.at), ...pushWork(push, event)];
  if (followUps === null) return told;
  const { escalations, digest, digestFrom } = followUps;
  return [...told, ...escalationWork(escalations, event), ...digestWork(digest, event, digestFrom)];
}
