// Shows tasks on the devices of their owner, and closes them there: what a device shows is on record before
// it is sent, so that whichever process hears that the task is over closes it.
import {
  badgeOf,
  closeMessage,
  MAX_CLOSED_TASKS,
  summaryMessage,
  taskMessage,
  topicOf,
  type MessageContext,
} from '#core/domain/push-messages.ts';
import { heldUntil } from '#core/domain/quiet-hours.ts';
import { isListed, type Task } from '#core/domain/task.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { PushStore } from '#core/ports/push-store.ts';
import type { TaskStore } from '#core/ports/task-store.ts';
import type { PushActions } from './actions.ts';
import type { MakeMessage, PushDelivery } from './delivery.ts';
import type { PushTarget, PushTargetDevice } from './targets.ts';
import { joinAll, type PushTicket } from './tickets.ts';

export interface ShownParts {
  store: PushStore;
  tasks: Pick<TaskStore, 'get' | 'statistics'>;
  delivery: PushDelivery;
  actions: Pick<PushActions, 'tokenFor'>;
  clock: Clock;
  /** The address of the inbox, without a slash at the end. */
  publicUrl: () => string;
  onError: (error: unknown) => void;
}

/** A push service tries for so long to bring what is not about one task. */
export const TTL_SECONDS = 12 * 3600;
const MAX_TTL_SECONDS = 7 * 24 * 3600;
/** How long it is on record that a device shows a pinned task, which has no end. */
const PINNED_MS = 30 * 24 * 3_600_000;
/** How long it is on record beyond the end of any other. */
const BEYOND_MS = 24 * 3_600_000;

/** One task on its way to all devices of its owner. */
interface Showing {
  /** Ids of the devices that show it already: there it is shown anew, without a sound. */
  shownBefore: readonly string[];
  /** Those that it has reached. */
  shownOn: PushTargetDevice[];
  /** The stored pushes that it is part of. */
  tickets: readonly PushTicket[];
}

/** Tasks to be closed. */
export interface Closing {
  ids: readonly string[];
  /** Those that may be shown also where it is on record no longer: a process died while it closed them. */
  unsure: ReadonlySet<string>;
  tickets: readonly PushTicket[];
}

export type ShownTasks = ReturnType<typeof createShownTasks>;

export function createShownTasks(parts: ShownParts) {
  const { store, tasks, delivery, actions, clock, publicUrl, onError } = parts;

  async function contextFor(ownerId: string, { rules }: PushTarget): Promise<MessageContext> {
    const statistics = await tasks.statistics(ownerId, clock.now());
    return { publicUrl: publicUrl(), badge: badgeOf(statistics, rules) };
  }

  async function showOn(
    device: PushTargetDevice,
    { ownerId, id }: Task,
    target: PushTarget,
    { shownBefore, shownOn, tickets }: Showing,
  ): Promise<boolean> {
    const isAgain = shownBefore.includes(device.id);
    const make = async () => {
      const now = clock.now();
      const [task, context] = await Promise.all([tasks.get(ownerId, id, now), contextFor(ownerId, target)]);
      if (task === null || !isListed(task, now)) return null;
      // It may be tried again when quiet hours have begun.
      const isSilent = isAgain || heldUntil(target.rules, task.priority, now) !== null;
      const token = actions.tokenFor(task, device.id);
      const message = target.rules.withhold
        ? await withheld(ownerId, isSilent, context)
        : { payload: taskMessage(task, { token, isSilent }, context), topic: topicOf(id) };
      const left = task.pinned ? MAX_TTL_SECONDS : Math.ceil((task.expiresAt - now) / 1000);
      return { ...message, ttlSeconds: Math.min(left, MAX_TTL_SECONDS), urgency: task.priority };
    };
    const sent = await delivery.deliver(device, make, joinAll(tickets));
    if (sent) shownOn.push(device);
    // It was over before, or while the push was on its way: who closes it may not have known of this device.
    const task = await tasks.get(ownerId, id, clock.now());
    if (task !== null && isListed(task, clock.now())) return sent;
    await store.takePushed(ownerId, [id]);
    const { withhold } = target.rules;
    const isSummary = withhold && (await store.countPushed(ownerId)) === 0;
    if (withhold && !isSummary) return sent;
    const context = () => contextFor(ownerId, target);
    for (const other of shownOn.splice(0))
      await closeOn(delivery, other, { ids: [id], isSummary, context, tickets });
    return sent;
  }

  async function withheld(ownerId: string, isSilent: boolean, context: MessageContext) {
    const count = await store.countPushed(ownerId);
    const payload = summaryMessage({ count: Math.max(count, 1), contents: [], isSilent }, context);
    return { payload, topic: topicOf('summary') };
  }

  /**
   * Resolves when it is on record; what it answers is under way: whether it was sent, for each device. On the
   * devices of `shownBefore` it makes no sound.
   */
  async function show(
    task: Task,
    target: PushTarget,
    shownBefore: readonly string[],
    tickets: readonly PushTicket[] = [],
  ): Promise<Promise<boolean>[]> {
    const { ownerId, id: taskId, pinned, expiresAt } = task;
    const until = pinned ? clock.now() + PINNED_MS : expiresAt + BEYOND_MS;
    const devices = target.devices.map((device) => device.id);
    await store.addPushed({ ownerId, taskId, devices, until });
    const showing = { shownBefore, shownOn: [], tickets };
    return target.devices.map((device) => showOn(device, task, target, showing));
  }

  return {
    contextFor,

    show,

    devicesShowing: createDevicesShowing(store),

    /** Closes the notifications of tasks where they are shown. */
    async close(ownerId: string, target: PushTarget, { ids, unsure, tickets }: Closing): Promise<void> {
      const taken = await store.takePushed(ownerId, ids);
      const known = new Set(taken.map(({ taskId }) => taskId));
      const maybe = ids.filter((id) => unsure.has(id) && !known.has(id));
      if (taken.length + maybe.length === 0) return;
      const { withhold } = target.rules;
      const isSummary = withhold && (await store.countPushed(ownerId)) === 0;
      // The one notification of tasks that are withheld stays while one of them is not over.
      if (withhold && !isSummary) return;
      const context = () => contextFor(ownerId, target);
      for (const device of target.devices) {
        const shown = taken.filter(({ devices }) => devices.includes(device.id)).map(({ taskId }) => taskId);
        const all = [...shown, ...maybe];
        for (let from = 0; from < all.length; from += MAX_CLOSED_TASKS) {
          const some = all.slice(from, from + MAX_CLOSED_TASKS);
          closeOn(delivery, device, { ids: some, isSummary, context, tickets }).catch(onError);
        }
      }
    },
  };
}

function createDevicesShowing(store: Pick<PushStore, 'pushed'>) {
  /** Ids of the devices that show each of these tasks, by the task; one that none shows is not there. */
  return async (
    ownerId: string,
    taskIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>> => {
    const all = await store.pushed(ownerId, taskIds);
    return new Map(all.map(({ taskId, devices }) => [taskId, devices]));
  };
}

/** Apple ends the subscription of a browser that is sent messages which show nothing. */
function mayBeSilent({ subscription }: PushTargetDevice): boolean {
  return !new URL(subscription.endpoint).hostname.endsWith('.push.apple.com');
}

interface ClosingNow extends Omit<Closing, 'unsure'> {
  isSummary: boolean;
  context: () => Promise<MessageContext>;
}

async function closeOn(
  delivery: PushDelivery,
  device: PushTargetDevice,
  { ids, isSummary, context, tickets }: ClosingNow,
): Promise<void> {
  if (!mayBeSilent(device)) return;
  const [only] = ids;
  const tag = isSummary ? 'summary' : ids.length === 1 ? only : undefined;
  // The badge is of the time when it is sent: it may wait, or be tried again.
  const make: MakeMessage = async () => ({
    payload: closeMessage(ids, isSummary, await context()),
    // In the place of the notification where that was not delivered yet.
    topic: tag === undefined ? null : topicOf(tag),
    ttlSeconds: TTL_SECONDS,
    urgency: 'normal',
  });
  await delivery.deliver(device, make, joinAll(tickets));
}
