// One notification for all that was held for an owner, to each device, until nothing more is tried: each
// attempt says what is so by then.
import type { HeldPushes } from '#core/domain/push.ts';
import { summaryMessage, topicOf } from '#core/domain/push-messages.ts';
import type { HeldLook } from './held-look.ts';
import type { PushTarget } from './targets.ts';
import { TTL_SECONDS, type ShownParts, type ShownTasks } from './shown.ts';

interface Parts extends Pick<ShownParts, 'delivery'> {
  shown: Pick<ShownTasks, 'contextFor'>;
}

type Held = Pick<HeldPushes, 'ownerId' | 'taskIds'>;

/** A summary of which the first attempt was made. */
export interface SentSummary {
  /** Whether devices are left that it is tried for again. */
  isLeft: boolean;
  /**
   * Resolves when nothing more is tried: whether what was held is told. Not so where a later summary took its
   * place, quiet hours have begun, or it reached nobody for a fault of our own.
   */
  over: Promise<boolean>;
}

export function createSummaries(
  { shown, delivery }: Parts,
  look: (ownerId: string, taskIds: readonly string[]) => Promise<HeldLook>,
  isClosed: () => boolean,
) {
  /** The latest summary of each owner that is under way: it says all that the ones before did. */
  const latest = new Map<string, Held>();

  async function messageOf({ ownerId }: Held, target: PushTarget, { news, withhold }: HeldLook) {
    const context = await shown.contextFor(ownerId, target);
    const contents = withhold ? [] : news.map(({ content }) => content);
    const payload = summaryMessage({ count: news.length, contents, isSilent: false }, context);
    const urgency = news.some(({ priority }) => priority === 'high') ? 'high' : 'normal';
    return { payload, topic: topicOf('summary'), ttlSeconds: TTL_SECONDS, urgency } as const;
  }

  /** Resolves after the first attempt. `later`: it is tried again after so many milliseconds. */
  return async function summarise(
    held: Held,
    target: PushTarget,
    first: HeldLook,
    later: (afterMs: number) => void,
  ): Promise<SentSummary> {
    const { ownerId, taskIds } = held;
    latest.set(ownerId, held);
    const message = first.news.length === 0 ? null : await messageOf(held, target, first);
    const devices = message === null ? [] : target.devices;
    let isHeldBack = false;
    async function again() {
      const found = await look(ownerId, taskIds);
      isHeldBack ||= found.stays.length > first.stays.length;
      return found.news.length === 0 ? null : messageOf(held, target, found);
    }
    let left = devices.length;
    const tried: Promise<boolean>[] = [];
    const ended = devices.map((device) => {
      let attempts = 0;
      const make = async () => {
        if (latest.get(ownerId) !== held) return null;
        return attempts++ === 0 ? message : again();
      };
      return new Promise<boolean>((resolve) => {
        function end(isDone: boolean): void {
          left--;
          resolve(isDone);
        }
        tried.push(delivery.deliver(device, make, { later, ended: end }));
      });
    });
    const over = Promise.all(ended).then((all) => {
      if (latest.get(ownerId) !== held) return false;
      latest.delete(ownerId);
      return !isHeldBack && (all.every(Boolean) || (!isClosed() && all.some(Boolean)));
    });
    await Promise.all(tried);
    return { isLeft: left > 0, over };
  };
}
