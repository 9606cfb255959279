// The work that a change of a task makes is written into the document of the task itself, its outbox; the
// work store moves it to its lanes. What makes work is cached for all owners, so that an owner without any of
// it costs a look into a map, and is never older than a second: one small read then tells whether it changed.
import type { TaskEvent } from '#core/domain/task-event.ts';
import { reactionsByOwner, workOfEvent, type Reactions } from '#core/domain/reactions.ts';
import type { NewWork } from '#core/domain/work.ts';
import type { Database, Versioned } from '../server/collection.ts';
import type { Deadline } from '../server/deadline.ts';
import { followUpsOf, toFollowUps } from '../follow-up-documents.ts';
import { pushOf, toPush, WITH_DEVICE } from '../push-documents.ts';
import { toWebhook, webhooksOf } from '../webhook-documents.ts';

/** How old what is cached may be. */
const FRESH_MS = 1000;
/** A process that dies between a change and its count is noticed after that. */
const WHOLE_MS = 60_000;
const CHANGES = 'webhooks';

export interface TaskEvents {
  /** The work that this event makes; without waiting, but for a read each second. */
  workOf(event: TaskEvent): readonly NewWork[] | Promise<readonly NewWork[]>;
  /** Tells all processes that what makes work has changed. */
  reactionsChanged(): Promise<void>;
}

type ByOwner = ReadonlyMap<string, Reactions>;

export function createTaskEvents(database: Database, deadline: Pick<Deadline, 'shared'>): TaskEvents {
  const webhooks = webhooksOf(database);
  const followUps = followUpsOf(database);
  const pushes = pushOf(database);
  /** Its document's version counts the changes. */
  const changes = database.collection<Versioned>('changes');
  let byOwner: ByOwner = new Map();
  let version = -1;
  let checkedAt = -Infinity;
  let loadedAt = -Infinity;
  let checking: Promise<void> | null = null;

  async function check(): Promise<void> {
    // What changes after this is found by the next check.
    const began = performance.now();
    const found = (await changes.read(CHANGES))?.v ?? 0;
    if (found !== version || began - loadedAt > WHOLE_MS) {
      const inOrder = { sort: { _id: 1 }, hint: '_id_' } as const;
      const [told, followed, pushed] = await Promise.all([
        webhooks.find({}, inOrder),
        followUps.find({}, inOrder),
        pushes.find(WITH_DEVICE, { hint: 'endpoint' }),
      ]);
      byOwner = reactionsByOwner(told.map(toWebhook), followed.map(toFollowUps), pushed.map(toPush));
      version = found;
      loadedAt = began;
    }
    checkedAt = began;
  }

  /** Simultaneous callers share one check. */
  function refresh(): Promise<void> {
    checking ??= deadline.shared(check).finally(() => {
      checking = null;
    });
    return checking;
  }

  const workNow = (event: TaskEvent): readonly NewWork[] => {
    const reactions = byOwner.get(event.task.ownerId);
    return reactions === undefined ? [] : workOfEvent(reactions, event);
  };

  return {
    workOf(event) {
      if (performance.now() - checkedAt < FRESH_MS) return workNow(event);
      return refresh().then(() => workNow(event));
    },
    async reactionsChanged() {
      await changes.run((collection) =>
        collection.updateOne({ _id: CHANGES }, { $inc: { v: 1 } }, { upsert: true }),
      );
      checkedAt = -Infinity;
    },
  };
}
