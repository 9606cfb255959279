// Adds what webhooks are told of a change to the transaction of the change. The webhooks are cached: an owner
// without one costs a look into a map. A transaction sees the webhooks of the moment in which it began,
// whichever process wrote them.
import type { DatabaseSync } from 'node:sqlite';
import type { WebhookEvent } from '#core/contract/index.ts';
import { webhookWork, type WebhookRecord } from '#core/domain/webhook.ts';
import type { Task } from '#core/domain/task.ts';
import type { TransactionHook } from './group-commit.ts';
import { prepareRows } from './table-sql.ts';
import { createAddWork } from './work-rows.ts';

export interface TaskEvents extends TransactionHook {
  /** Adds the work that this event makes. Only inside a transaction. */
  note(type: WebhookEvent, task: Task, at: number): void;
  /** The webhooks change in this transaction. */
  webhooksChange(): void;
}

export function createTaskEvents(db: DatabaseSync): TaskEvents {
  const addWork = createAddWork(db);
  // Changes with the commits of other connections only.
  const dataVersion = prepareRows<{ data_version: number }>(db, 'PRAGMA data_version');
  const findAll = prepareRows<{ record: string }>(db, 'SELECT record FROM webhooks');
  let byOwner: ReadonlyMap<string, WebhookRecord[]> | null = null;
  let seen: number | undefined;
  /** Whether the version was read in this transaction. */
  let isFresh = false;

  function current(): ReadonlyMap<string, WebhookRecord[]> {
    if (!isFresh) {
      const version = dataVersion.get()?.data_version;
      if (version !== seen) byOwner = null;
      seen = version;
      isFresh = true;
    }
    byOwner ??= Map.groupBy(
      findAll.all().map(({ record }) => JSON.parse(record) as WebhookRecord),
      ({ ownerId }) => ownerId,
    );
    return byOwner;
  }

  return {
    note(type, task, at) {
      const webhooks = current().get(task.ownerId);
      if (webhooks !== undefined) addWork(webhookWork(webhooks, type, task, at));
    },
    webhooksChange() {
      byOwner = null;
    },
    beforeCommit() {},
    committed() {
      isFresh = false;
    },
    rolledBack() {
      isFresh = false;
      byOwner = null;
    },
  };
}
