// Pushes that are asked for: a task again, or something that is no task.
import { noticeMessage, topicOf } from '#core/domain/push-messages.ts';
import { heldUntil } from '#core/domain/quiet-hours.ts';
import type { Task } from '#core/domain/task.ts';
import type { ShownParts, ShownTasks } from './shown.ts';
import type { PushTargets } from './targets.ts';

interface Parts extends Pick<ShownParts, 'delivery' | 'clock'> {
  targets: Pick<PushTargets, 'get'>;
}

const TTL_SECONDS = 12 * 3600;

/** What came of a push that was asked for. */
export type PushAnswer =
  /** To so many devices. */
  | { kind: 'sent'; devices: number }
  /** It is quiet until then. */
  | { kind: 'held'; until: number }
  /** The owner has no device. */
  | { kind: 'none' };

export function createPushNotices({ targets, delivery, clock }: Parts, shown: ShownTasks) {
  return {
    /** Pushes a task to all devices of its owner again, whatever they are told else, unless it is quiet. */
    async again(task: Task): Promise<PushAnswer> {
      const target = await targets.get(task.ownerId);
      if (target === null) return { kind: 'none' };
      const until = heldUntil(target.rules, task.priority, clock.now());
      if (until !== null) return { kind: 'held', until };
      // With a sound.
      return countSent(await shown.show(task, target, []));
    },

    /** Pushes something that is no task to all devices of an owner, unless it is quiet. */
    async notice(ownerId: string, notice: { title: string; body: string; tag: string }): Promise<PushAnswer> {
      const target = await targets.get(ownerId);
      if (target === null) return { kind: 'none' };
      const until = heldUntil(target.rules, null, clock.now());
      if (until !== null) return { kind: 'held', until };
      const body = target.rules.withhold ? '' : notice.body;
      const payload = noticeMessage({ ...notice, body }, await shown.contextFor(ownerId, target));
      const topic = topicOf(notice.tag);
      const message = { payload, topic, ttlSeconds: TTL_SECONDS, urgency: 'normal' } as const;
      return countSent(
        target.devices.map((device) => delivery.deliver(device, () => Promise.resolve(message))),
      );
    },
  };
}

async function countSent(all: readonly Promise<boolean>[]): Promise<PushAnswer> {
  const sent = await Promise.all(all);
  return { kind: 'sent', devices: sent.filter(Boolean).length };
}
