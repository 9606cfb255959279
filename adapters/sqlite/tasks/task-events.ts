// Adds the work that a change of a task makes to the transaction of the change. What makes work is cached: an
// owner without any of it costs a look into a map. A transaction sees it as it was when the transaction
// began, whichever process wrote it.
import type { DatabaseSync } from 'node:sqlite';
import type { FollowUps } from '#core/domain/follow-ups.ts';
import { reactionsByOwner, workOfEvent, type Reactions } from '#core/domain/reactions.ts';
import type { TaskEvent } from '#core/domain/task-event.ts';
import type { WebhookRecord } from '#core/domain/webhook.ts';
import type { TransactionHook } from '../disk/group-commit.ts';
import { PUSH, toPush, type PushRow } from '../push-rows.ts';
import { prepareRows } from '../table-sql.ts';
import { createAddWork, type WorkLanes } from '../work-rows.ts';

export interface TaskEvents extends TransactionHook {
  /** Adds the work that this event makes. Only inside a transaction. */
  note(event: TaskEvent): void;
  /** What makes work changes in this transaction. */
  reactionsChange(): void;
}

export function createTaskEvents(db: DatabaseSync, lanes: WorkLanes): TaskEvents {
  const addWork = createAddWork(db, lanes);
  // Changes with the commits of other connections only.
  const dataVersion = prepareRows<{ data_version: number }>(db, 'PRAGMA data_version');
  const findWebhooks = prepareRows<{ record: string }>(db, 'SELECT record FROM webhooks');
  const findFollowUps = prepareRows<{ record: string }>(db, 'SELECT record FROM follow_ups');
  const findPushes = prepareRows<PushRow>(
    db,
    `SELECT ${PUSH.columns} FROM push INDEXED BY push_owners WHERE devices <> '[]'`,
  );
  let byOwner: ReadonlyMap<string, Reactions> | null = null;
  let seen: number | undefined;
  /** Whether the version was read in this transaction. */
  let isFresh = false;

  function current(): ReadonlyMap<string, Reactions> {
    if (!isFresh) {
      const version = dataVersion.get()?.data_version;
      if (version !== seen) byOwner = null;
      seen = version;
      isFresh = true;
    }
    byOwner ??= reactionsByOwner(
      findWebhooks.all().map(({ record }) => JSON.parse(record) as WebhookRecord),
      findFollowUps.all().map(({ record }) => JSON.parse(record) as FollowUps),
      findPushes.all().map(toPush),
    );
    return byOwner;
  }

  return {
    note(event) {
      const reactions = current().get(event.task.ownerId);
      if (reactions !== undefined) addWork(workOfEvent(reactions, event));
    },
    reactionsChange() {
      byOwner = null;
    },
    beforeCommit() {},
    committed() {
      isFresh = false;
    },
    synced: lanes.synced,
    rolledBack() {
      isFresh = false;
      byOwner = null;
    },
  };
}
