// What webhooks are told of a change, as work that is written into the document of the task itself, its
// outbox; the work store moves it to its lanes. The webhooks of all owners are cached, so that an owner
// without one costs a look into a map, and are never older than a second: one small read then tells whether
// any changed.
import type { WebhookEvent } from '#core/contract/index.ts';
import type { Task } from '#core/domain/task.ts';
import { webhookWork, type WebhookRecord } from '#core/domain/webhook.ts';
import type { Work } from '#core/domain/work.ts';
import type { Database, Versioned } from './collection.ts';
import { toWebhook, webhooksOf } from './webhook-documents.ts';

/** How old what is cached may be. */
const FRESH_MS = 1000;
/** A process that dies between a change and its count is noticed after that. */
const WHOLE_MS = 60_000;
const CHANGES = 'webhooks';

export interface TaskEvents {
  /** The work that this event makes; without waiting, but for a read each second. */
  workOf(type: WebhookEvent, task: Task, at: number): readonly Work[] | Promise<readonly Work[]>;
  /** Tells all processes that a webhook has changed. */
  webhooksChanged(): Promise<void>;
}

type ByOwner = ReadonlyMap<string, WebhookRecord[]>;

export function createTaskEvents(database: Database): TaskEvents {
  const webhooks = webhooksOf(database);
  /** Its document's version counts the changes of webhooks. */
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
      const all = await webhooks.find({}, { sort: { _id: 1 }, hint: '_id_' });
      byOwner = Map.groupBy(all.map(toWebhook), ({ ownerId }) => ownerId);
      version = found;
      loadedAt = began;
    }
    checkedAt = began;
  }

  /** Simultaneous callers share one check. */
  function refresh(): Promise<void> {
    checking ??= check().finally(() => {
      checking = null;
    });
    return checking;
  }

  const workNow = (type: WebhookEvent, task: Task, at: number): readonly Work[] => {
    const told = byOwner.get(task.ownerId);
    return told === undefined ? [] : webhookWork(told, type, task, at);
  };

  return {
    workOf(type, task, at) {
      if (performance.now() - checkedAt < FRESH_MS) return workNow(type, task, at);
      return refresh().then(() => workNow(type, task, at));
    },
    async webhooksChanged() {
      await changes.run((collection) =>
        collection.updateOne({ _id: CHANGES }, { $inc: { v: 1 } }, { upsert: true }),
      );
      checkedAt = -Infinity;
    },
  };
}
